import { everyArn } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

/** To look at what runs in the configured clusters, and to drain it. */
export function ecsPermissions({ stack, clusters }: PermissionScope): Permission[] {
  const arns = clusters.map(({ arn }) => arn);
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
        'ecs:UpdateContainerInstancesState',
      ],
      resources: ['*'],
      conditions: { ArnEquals: { 'ecs:cluster': arns } },
      why: 'Limited to the configured clusters by the condition on ecs:cluster; ListServices knows no resource.',
    },
  ];
}
