import { ArnFormat } from 'aws-cdk-lib';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { everyArn } from '../arns.ts';
import type { Permission, PermissionScope } from './permission.ts';

const OUR_TAGS = { 'ForAllValues:StringEquals': { 'aws:TagKeys': Object.values(INSTANCE_TAGS) } };
/** ForAllValues holds for no tags too, and EC2 takes "delete tags" without naming any as "delete all". */
const TAGS_NAMED = { Null: { 'aws:TagKeys': 'false' } };

/** Auto Scaling's own tag on the members of a group, which nobody else can write. */
const MEMBER_OF = 'aws:ResourceTag/aws:autoscaling:groupName';

/** The latter in China: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html */
const EC2_PRINCIPALS = ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'];

/**
 * What a launch may touch of which `ec2:LaunchTemplate` is no condition key, by service and resource type.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html
 */
const UNBOUND = [
  ['elastic-inference', 'elastic-inference-accelerator'],
  ['license-manager', 'license-configuration'],
  ['resource-groups', 'group'],
  ['ec2', 'secondary-interface'],
  ['ec2', 'secondary-subnet'],
  ['ec2', 'spot-instances-request'],
] as const;

/** To give launch templates a version with another image, and to mark and terminate instances. */
export function ec2Permissions(scope: PermissionScope): Permission[] {
  return [
    {
      sid: 'ReadInstancesAndImages',
      actions: [
        'ec2:DescribeInstances',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeImages',
        'ec2:DescribeLaunchTemplateVersions',
        'ec2:DescribeSubnets',
      ],
      resources: ['*'],
      why: 'EC2 limits no Describe action to resources.',
    },
    ...onLaunchTemplates(scope),
    ...onInstances(scope),
  ];
}

function onLaunchTemplates({ stack, props }: PermissionScope): Permission[] {
  const templates = everyArn(stack, 'ec2', 'launch-template');
  return [
    {
      sid: 'WriteLaunchTemplateVersions',
      actions: [
        'ec2:CreateLaunchTemplateVersion',
        'ec2:ModifyLaunchTemplate',
        'ec2:DeleteLaunchTemplateVersions',
      ],
      resources: [templates],
      why: 'A group may move to another template at any time; only versions of ours are deleted.',
    },
    {
      // Not called, but checked of who updates a group:
      // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html
      sid: 'LetGroupsLaunchFromTemplates',
      actions: ['ec2:RunInstances'],
      resources: ['*'],
      conditions: { ArnLike: { 'ec2:LaunchTemplate': templates } },
      why: 'Checked for each resource that a launch template names; only launches from a template.',
    },
    {
      // These alone can't be bound to a launch template. Nothing is launched with them but what the row above allows.
      sid: 'LetTemplatesNameWhatElseIsNeeded',
      actions: ['ec2:RunInstances'],
      resources: UNBOUND.map(([service, type]) => unboundArn(stack, service, type)),
      why: 'Licences, reservations, spot requests and the like, which a launch template may name; no launch by themselves.',
    },
    {
      sid: 'LetTemplatesTag',
      actions: ['ec2:CreateTags'],
      resources: ['*'],
      conditions: { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      why: 'Checked where a launch template tags what it launches; only in the moment of launch.',
    },
    {
      sid: 'ReadInstanceProfiles',
      actions: ['iam:GetInstanceProfile'],
      resources: [
        stack.formatArn({ service: 'iam', region: '', resource: 'instance-profile', resourceName: '*' }),
      ],
      why: 'A group may get another profile at any time; its name is not that of the role in it.',
    },
    {
      // Checked of who names an instance profile, by a launch template or in a launch configuration.
      sid: 'PassInstanceRoles',
      actions: ['iam:PassRole'],
      resources: props.instanceRoleArns ?? ['*'],
      conditions: { StringEquals: { 'iam:PassedToService': EC2_PRINCIPALS } },
      why: 'To EC2 alone; the prop instanceRoleArns narrows it to the roles that the instances have.',
    },
  ];
}

function onInstances({ stack, clusters, props }: PermissionScope): Permission[] {
  const instances = everyArn(stack, 'ec2', 'instance');
  const own = ownTags(
    clusters.map(({ name }) => name),
    props.autoScalingGroupNames,
  );
  const groups = props.autoScalingGroupNames;
  return [
    {
      sid: 'ReadTerminationProtection',
      actions: ['ec2:DescribeInstanceAttribute'],
      resources: [instances],
      why: 'Members bear no tag of ours before their roll.',
    },
    {
      sid: 'TagInstancesOfGroups',
      actions: ['ec2:CreateTags'],
      resources: [instances],
      conditions: {
        ...OUR_TAGS,
        StringEqualsIfExists: own('aws:RequestTag'),
        ...(groups === undefined
          ? { Null: { [MEMBER_OF]: 'false' } }
          : { StringEquals: { [MEMBER_OF]: groups } }),
      },
      why: 'Only with our own tags, and only instances in an Auto Scaling group, of the names that are given.',
    },
    {
      // A detached instance has lost its group's tag.
      sid: 'TagInstancesBeingReplaced',
      actions: ['ec2:CreateTags'],
      resources: [instances],
      conditions: {
        ...OUR_TAGS,
        ...TAGS_NAMED,
        StringEquals: own('aws:ResourceTag'),
        StringEqualsIfExists: own('aws:RequestTag'),
      },
      why: 'Only our own tags, and only on instances that bear them for a configured cluster.',
    },
    {
      sid: 'UntagInstancesBeingReplaced',
      actions: ['ec2:DeleteTags'],
      resources: [instances],
      conditions: { ...OUR_TAGS, ...TAGS_NAMED, StringEquals: own('aws:ResourceTag') },
      why: 'Only our own tags, and only of instances that bear them for a configured cluster.',
    },
    {
      sid: 'TerminateInstancesBeingReplaced',
      actions: ['ec2:TerminateInstances'],
      resources: [instances],
      conditions: {
        StringEquals: {
          [`aws:ResourceTag/${INSTANCE_TAGS.terminate}`]: 'true',
          ...own('aws:ResourceTag'),
        },
      },
      why: 'Only instances that bear our tags for a configured cluster.',
    },
  ];
}

/** Of an instance, or of the request, the tags that say for which cluster and group it is replaced, and what they may be. */
function ownTags(clusterNames: readonly string[], groupNames: readonly string[] | undefined) {
  return (on: 'aws:ResourceTag' | 'aws:RequestTag') => ({
    [`${on}/${INSTANCE_TAGS.cluster}`]: clusterNames,
    ...(groupNames && { [`${on}/${INSTANCE_TAGS.group}`]: groupNames }),
  });
}

/** License Manager's ARNs alone have a colon after the resource type. */
function unboundArn(stack: PermissionScope['stack'], service: string, type: string): string {
  if (service !== 'license-manager') return everyArn(stack, service, type);
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return stack.formatArn({ service, resource: type, resourceName: '*', arnFormat });
}
