import { GROUP_TAGS } from '../../lambda/contract.ts';
import { everyArn } from '../arns.ts';
import { groupArns } from './autoscaling.ts';
import { type Permission, type PermissionScope, TAGS_NAMED } from './permission.ts';

const { course, because, paused, hook } = GROUP_TAGS;

/** Lets the orders function find the groups of the configured clusters and write an order on their tags. */
export function orderPermissions({ stack, clusters, props }: PermissionScope): Permission[] {
  const arns = clusters.map(({ clusterArn }) => clusterArn);
  return [
    {
      actions: ['ecs:DescribeClusters', 'ecs:ListContainerInstances'],
      resources: arns,
    },
    {
      actions: ['ecs:DescribeContainerInstances'],
      resources: ['*'],
      conditions: { ArnEquals: { 'ecs:cluster': arns } },
      why: 'Limited to the configured clusters by the condition on ecs:cluster.',
    },
    {
      actions: ['ecs:DescribeCapacityProviders'],
      resources: [everyArn(stack, 'ecs', 'capacity-provider')],
      why: 'A cluster may get another provider at any time, and no condition binds providers to their clusters.',
    },
    {
      actions: ['autoscaling:DescribeAutoScalingGroups', 'ec2:DescribeInstances'],
      resources: ['*'],
      why: 'Neither service supports resources on Describe actions.',
    },
    {
      actions: ['autoscaling:CreateOrUpdateTags', 'autoscaling:DeleteTags'],
      resources: groupArns({ stack, props }),
      conditions: { 'ForAllValues:StringEquals': { 'aws:TagKeys': orderTags(props) }, ...TAGS_NAMED },
      why: 'Only the tags of an order, which change nothing by themselves.',
    },
  ];
}

/** A `resume` has hooks asked anew. */
function orderTags({ onTrialPassed, beforeBatch }: PermissionScope['props']): string[] {
  return [course, because, paused, ...((onTrialPassed ?? beforeBatch) === undefined ? [] : [hook])];
}
