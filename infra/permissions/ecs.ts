import { everyArn } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

/** To look at what runs in the configured clusters, and to drain it. */
export function ecsPermissions({ stack, clusters }: PermissionScope): Permission[] {
  const arns = clusters.map(({ arn }) => arn);
  const inClusters = { ArnEquals: { 'ecs:cluster': arns } };
  return [
    {
      // IAM knows no container instance here: which one, the function decides by its tags.
      sid: 'ListAndDeregisterInClusters',
      actions: ['ecs:DescribeClusters', 'ecs:ListContainerInstances', 'ecs:DeregisterContainerInstance'],
      resources: arns,
    },
    {
      sid: 'ReadCapacityProviders',
      actions: ['ecs:DescribeCapacityProviders'],
      resources: [everyArn(stack, 'ecs', 'capacity-provider')],
      why: 'A cluster may get another provider at any time, and no condition binds providers to their clusters.',
    },
    {
      sid: 'ReadAndDrainWhatRunsInClusters',
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
      why: 'Limited to the configured clusters by the condition on ecs:cluster; ListServices knows no resource.',
    },
    {
      sid: 'ReadTaskDefinitions',
      actions: ['ecs:DescribeTaskDefinition'],
      resources: ['*'],
      why: 'IAM knows no resource of it, and a service may get another task definition at any time.',
    },
    {
      // Whatever the props say: tags of a group may ask for it, by `on-drain-timeout` and `standalone-tasks`.
      sid: 'StopTasksInClusters',
      actions: ['ecs:StopTask'],
      resources: clusters.map(({ name }) => everyArn(stack, 'ecs', `task/${name}`)),
      conditions: inClusters,
      why: 'Only tasks of the configured clusters, whose ids nobody knows before they run.',
    },
  ];
}
