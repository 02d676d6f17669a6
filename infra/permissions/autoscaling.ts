import { GROUP_TAGS, partKeys, TAG_PARTS } from '../../lambda/contract.ts';
import { autoScalingArn } from '../arns.ts';
import { type Permission, type PermissionScope, TAGS_NAMED } from './permission.ts';

/** A list too long for one tag continues in `<key>-2` and so on. */
const TAG_KEYS = new Set([
  ...Object.values(GROUP_TAGS),
  ...partKeys(GROUP_TAGS.previous, TAG_PARTS.previous),
  ...partKeys(GROUP_TAGS.unsteady, TAG_PARTS.unsteady),
]);
const OUR_TAGS = { 'ForAllValues:StringEquals': { 'aws:TagKeys': [...TAG_KEYS] } };
/**
 * Part of the name of every copy: see `launchConfigurationName` in
 * `lambda/core/launch-spec/own-launch-specs.ts`.
 */
const LAUNCH_CONFIGURATION_MARK = '-ecs-ami-deploy-';

/**
 * Lets a roll record itself on a group; change what the group launches, its sizes and its processes; and
 * replace its members.
 */
export function autoScalingPermissions({ stack, clusters, props }: PermissionScope): Permission[] {
  const names = clusters.map(({ clusterName }) => clusterName);
  const groups = groupArns({ stack, props });
  return [
    {
      actions: [
        'autoscaling:DescribeAccountLimits',
        'autoscaling:DescribeAutoScalingGroups',
        'autoscaling:DescribeInstanceRefreshes',
        'autoscaling:DescribeLaunchConfigurations',
        'autoscaling:DescribeLifecycleHooks',
        'autoscaling:DescribePolicies',
        'autoscaling:DescribeScalingActivities',
        'autoscaling:DescribeWarmPool',
      ],
      resources: ['*'],
      why: 'Auto Scaling supports no resources on Describe actions.',
    },
    {
      actions: ['autoscaling:CreateOrUpdateTags'],
      resources: groups,
      conditions: {
        ...OUR_TAGS,
        StringEqualsIfExists: { [`aws:RequestTag/${GROUP_TAGS.cluster}`]: names },
      },
      why: "Only with our own tags; the first one marks the group as a configured cluster's.",
    },
    {
      actions: ['autoscaling:DeleteTags'],
      resources: groups,
      conditions: { ...OUR_TAGS, ...TAGS_NAMED },
      why: 'Only our own tags.',
    },
    {
      // IAM knows only the group here; the function decides by tags which member to end.
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
      why: 'Only groups whose tag of ours names a configured cluster; their names need not be known.',
    },
    {
      actions: ['autoscaling:CreateLaunchConfiguration', 'autoscaling:DeleteLaunchConfiguration'],
      resources: [autoScalingArn(stack, 'launchConfiguration', `*${LAUNCH_CONFIGURATION_MARK}*`)],
      why: 'Only copies of ours, which have our mark in their names.',
    },
  ];
}

/** ARNs of the groups that the role may change at all. */
export function groupArns({ stack, props }: Pick<PermissionScope, 'stack' | 'props'>): string[] {
  const names = props.autoScalingGroups?.map(({ autoScalingGroupName }) => autoScalingGroupName) ?? ['*'];
  return names.map((name) => autoScalingArn(stack, 'autoScalingGroup', name));
}
