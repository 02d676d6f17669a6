import { arnsIn, everyArn } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

/** Lets a roll see what runs in the configured clusters, and drain it. */
export function ecsPermissions({ stack, clusters }: PermissionScope): Permission[] {
  const arns = clusters.map(({ clusterArn }) => clusterArn);
  const inClusters = { ArnEquals: { 'ecs:cluster': arns } };
  return [
    {
      // IAM doesn't know container instances here; the function decides by tags which one.
      actions: ['ecs:DescribeClusters', 'ecs:ListContainerInstances', 'ecs:DeregisterContainerInstance'],
      resources: arns,
    },
    {
      actions: ['ecs:DescribeCapacityProviders'],
      resources: [everyArn(stack, 'ecs', 'capacity-provider')],
      why: 'A cluster may get another provider at any time, and no condition binds providers to their clusters.',
    },
    {
      actions: [
        'ecs:DescribeContainerInstances',
        'ecs:ListServices',
        'ecs:DescribeServices',
        'ecs:ListTasks',
        'ecs:DescribeTasks',
        'ecs:GetTaskProtection',
        'ecs:UpdateContainerInstancesState',
      ],
      resources: ['*'],
      conditions: inClusters,
      why: 'Limited to the configured clusters by the condition on ecs:cluster; ListServices supports none.',
    },
    {
      actions: ['ecs:DescribeTaskDefinition'],
      resources: ['*'],
      why: 'The action supports no resources, and a service may get another task definition at any time.',
    },
    {
      // Needed whatever the props say: a group's tags `on-drain-timeout` and `standalone-tasks` may ask for
      // it.
      actions: ['ecs:StopTask'],
      resources: arnsIn(clusters, 'task', stack),
      conditions: inClusters,
      why: 'Only tasks of the configured clusters, whose ids are unknown before they run.',
    },
  ];
}
