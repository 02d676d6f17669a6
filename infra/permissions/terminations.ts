import { arnsIn } from '../arns.ts';
import { groupArns } from './autoscaling.ts';
import type { Permission, PermissionScope } from './permission.ts';

/**
 * Lets the function see what the groups end and what runs there, drain it, and let go of it. IAM knows no
 * hook's name: it may complete any hook of these groups.
 */
export function terminationPermissions(scope: PermissionScope): Permission[] {
  const inClusters = { ArnEquals: { 'ecs:cluster': clusterArns(scope) } };
  return [
    {
      actions: [
        'autoscaling:DescribeAutoScalingGroups',
        'autoscaling:DescribeScalingActivities',
        'autoscaling:DescribeWarmPool',
      ],
      resources: ['*'],
      why: 'Auto Scaling supports no resources on Describe actions.',
    },
    {
      actions: ['autoscaling:CompleteLifecycleAction', 'autoscaling:RecordLifecycleActionHeartbeat'],
      resources: groupArns(scope),
      why: "A group's ARN has a UUID that isn't known in advance.",
    },
    {
      actions: ['ecs:DescribeServices', 'ecs:ListTasks', 'ecs:DescribeTasks', 'ecs:GetTaskProtection'],
      resources: ['*'],
      conditions: inClusters,
      why: 'Limited to the configured clusters by the condition on ecs:cluster.',
    },
    ...interruptionPermissions(scope),
  ];
}

/** Lets the function drain what Spot reclaims. */
export function interruptionPermissions(scope: PermissionScope): Permission[] {
  const arns = clusterArns(scope);
  return [
    { actions: ['ecs:ListContainerInstances'], resources: arns },
    {
      actions: ['ecs:DescribeContainerInstances', 'ecs:UpdateContainerInstancesState'],
      resources: arnsIn(scope.clusters, 'container-instance', scope.stack),
      conditions: { ArnEquals: { 'ecs:cluster': arns } },
      why: 'Only instances of the configured clusters, whose ids are unknown before they register.',
    },
    {
      actions: ['ec2:DescribeInstances'],
      resources: ['*'],
      why: 'EC2 supports no resources on Describe actions.',
    },
  ];
}

const clusterArns = ({ clusters }: PermissionScope) => clusters.map(({ clusterArn }) => clusterArn);
