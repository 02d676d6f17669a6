import { GROUP_TAGS, partKeys, TAG_PARTS } from '../../lambda/contract.ts';
import { autoScalingArn } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

/** A list that is too long for one tag goes on in `<key>-2` and so on. */
const TAG_KEYS = new Set([
  ...Object.values(GROUP_TAGS),
  ...partKeys(GROUP_TAGS.previous, TAG_PARTS.previous),
  ...partKeys(GROUP_TAGS.unsteady, TAG_PARTS.unsteady),
]);
const OUR_TAGS = { 'ForAllValues:StringEquals': { 'aws:TagKeys': [...TAG_KEYS] } };
/** ForAllValues holds for no tags too. */
export const TAGS_NAMED = { Null: { 'aws:TagKeys': 'false' } };
/** `launchConfigurationName` in `lambda/core/launch-spec/launch-spec.ts` puts it into the name of every copy. */
const LAUNCH_CONFIGURATION_MARK = '-ecs-ami-deploy-';

/** To record a roll on a group, to change what it launches, its sizes and processes meanwhile, and to replace its members. */
export function autoScalingPermissions({ stack, clusters, props }: PermissionScope): Permission[] {
  const names = clusters.map(({ name }) => name);
  const groups = groupArns({ stack, props });
  return [
    {
      sid: 'ReadGroups',
      actions: [
        'autoscaling:DescribeAccountLimits',
        'autoscaling:DescribeAutoScalingGroups',
        'autoscaling:DescribeInstanceRefreshes',
        'autoscaling:DescribeLaunchConfigurations',
        'autoscaling:DescribeLifecycleHooks',
        'autoscaling:DescribeScalingActivities',
        'autoscaling:DescribeWarmPool',
      ],
      resources: ['*'],
      why: 'Auto Scaling limits no Describe action to resources.',
    },
    {
      sid: 'TagGroupsOfClusters',
      actions: ['autoscaling:CreateOrUpdateTags'],
      resources: groups,
      conditions: {
        ...OUR_TAGS,
        StringEqualsIfExists: { [`aws:RequestTag/${GROUP_TAGS.cluster}`]: names },
      },
      why: 'Only with our own tags; the first of them is what makes a group one of a configured cluster.',
    },
    {
      sid: 'UntagGroupsOfClusters',
      actions: ['autoscaling:DeleteTags'],
      resources: groups,
      conditions: { ...OUR_TAGS, ...TAGS_NAMED },
      why: 'Only our own tags.',
    },
    {
      sid: 'ChangeGroupsBeingRolled',
      // Which of a group's members is ended, the function decides by its tags: IAM knows but the group here.
      actions: [
        'autoscaling:UpdateAutoScalingGroup',
        'autoscaling:SuspendProcesses',
        'autoscaling:ResumeProcesses',
        'autoscaling:SetInstanceHealth',
        'autoscaling:AttachInstances',
        'autoscaling:DetachInstances',
        'autoscaling:TerminateInstanceInAutoScalingGroup',
      ],
      resources: groups,
      conditions: { StringEquals: { [`autoscaling:ResourceTag/${GROUP_TAGS.cluster}`]: names } },
      why: 'Only groups that bear our tag with a configured cluster; their names need not be known.',
    },
    {
      sid: 'CopyLaunchConfigurations',
      actions: ['autoscaling:CreateLaunchConfiguration', 'autoscaling:DeleteLaunchConfiguration'],
      resources: [autoScalingArn(stack, 'launchConfiguration', `*${LAUNCH_CONFIGURATION_MARK}*`)],
      why: 'Only copies of ours, which the middle of their name tells.',
    },
  ];
}

/** Those that the role may change at all. */
export function groupArns({ stack, props }: Pick<PermissionScope, 'stack' | 'props'>): string[] {
  const names = props.autoScalingGroupNames ?? ['*'];
  return names.map((name) => autoScalingArn(stack, 'autoScalingGroup', name));
}
