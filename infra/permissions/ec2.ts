import { ArnFormat } from 'aws-cdk-lib';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { everyArn } from '../arns.ts';
import { type Permission, type PermissionScope, TAGS_NAMED } from './permission.ts';

const OUR_TAGS = { 'ForAllValues:StringEquals': { 'aws:TagKeys': Object.values(INSTANCE_TAGS) } };

/** Auto Scaling's own tag on a group's members, which nobody else can write. */
const MEMBER_OF = 'aws:ResourceTag/aws:autoscaling:groupName';

/**
 * The second is China's.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
const EC2_PRINCIPALS = ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'];

/**
 * Resource types that a launch may involve and that don't support the condition key `ec2:LaunchTemplate`,
 * by service. https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html
 */
const UNBOUND = [
  ['elastic-inference', 'elastic-inference-accelerator'],
  ['license-manager', 'license-configuration'],
  ['resource-groups', 'group'],
  ['ec2', 'secondary-interface'],
  ['ec2', 'secondary-subnet'],
  ['ec2', 'spot-instances-request'],
] as const;

/** Lets a roll add versions with another image to launch templates, and tag and terminate instances. */
export function ec2Permissions(scope: PermissionScope): Permission[] {
  return [
    {
      actions: [
        'ec2:DescribeInstances',
        'ec2:DescribeInstanceImageMetadata',
        'ec2:DescribeCapacityReservations',
        'ec2:DescribePlacementGroups',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeImages',
        'ec2:DescribeLaunchTemplateVersions',
        'ec2:DescribeSubnets',
      ],
      resources: ['*'],
      why: 'EC2 supports no resources on Describe actions.',
    },
    ...onLaunchTemplates(scope),
    ...onInstances(scope),
  ];
}

function onLaunchTemplates({ stack, props }: PermissionScope): Permission[] {
  const templates = templateArns({ stack, props });
  return [
    {
      actions: [
        'ec2:CreateLaunchTemplateVersion',
        'ec2:ModifyLaunchTemplate',
        'ec2:DeleteLaunchTemplateVersions',
      ],
      resources: templates,
      why: 'A group may move to another template at any time, unless launchTemplates is set; the function deletes only its own versions.',
    },
    {
      // We never call it, but AWS checks it of whoever updates a group, by a dry run. What
      // `ec2:IsLaunchTemplateResource` is then isn't said, and a group names subnets and types itself.
      // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html
      actions: ['ec2:RunInstances'],
      resources: ['*'],
      conditions: { ArnLike: { 'ec2:LaunchTemplate': templates } },
      why: 'Checked for each resource that a launch template names; only for launches from a template.',
    },
    {
      // Only these can't be bound to a launch template. They launch nothing beyond what the row above
      // allows.
      actions: ['ec2:RunInstances'],
      resources: UNBOUND.map(([service, type]) => unboundArn(stack, service, type)),
      why: 'Licences, reservations, spot requests and the like, which a launch template may name; they launch nothing by themselves.',
    },
    {
      actions: ['ec2:CreateTags'],
      resources: ['*'],
      conditions: { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      why: 'Checked if a launch template tags what it launches; only at launch.',
    },
    {
      actions: ['iam:GetInstanceProfile'],
      resources: [
        stack.formatArn({ service: 'iam', region: '', resource: 'instance-profile', resourceName: '*' }),
      ],
      why: "A group may get another profile at any time, and a profile's name isn't its role's.",
    },
    {
      // AWS checks this of whoever names an instance profile in a launch template or launch configuration.
      actions: ['iam:PassRole'],
      resources: props.instanceRoles?.map(({ roleArn }) => roleArn) ?? ['*'],
      conditions: { StringEquals: { 'iam:PassedToService': EC2_PRINCIPALS } },
      why: "To EC2 only; the prop instanceRoles narrows it to the instances' roles.",
    },
  ];
}

function onInstances({ stack, clusters, props }: PermissionScope): Permission[] {
  const instances = everyArn(stack, 'ec2', 'instance');
  const groups = props.autoScalingGroups?.map(({ autoScalingGroupName }) => autoScalingGroupName);
  const own = ownTags(
    clusters.map(({ clusterName }) => clusterName),
    groups,
  );
  return [
    {
      actions: ['ec2:DescribeInstanceAttribute'],
      resources: [instances],
      why: 'Members have no tag of ours before their roll.',
    },
    {
      actions: ['ec2:CreateTags'],
      resources: [instances],
      conditions: {
        ...OUR_TAGS,
        StringEqualsIfExists: own('aws:RequestTag'),
        ...(groups === undefined
          ? { Null: { [MEMBER_OF]: 'false' } }
          : { StringEquals: { [MEMBER_OF]: groups } }),
      },
      why: 'Only with our own tags, and only instances in an Auto Scaling group, one of autoScalingGroups if set.',
    },
    {
      // A detached instance has lost its group's tag.
      actions: ['ec2:CreateTags'],
      resources: [instances],
      conditions: {
        ...OUR_TAGS,
        ...TAGS_NAMED,
        StringEquals: own('aws:ResourceTag'),
        StringEqualsIfExists: own('aws:RequestTag'),
      },
      why: 'Only our own tags, and only on instances already tagged for a configured cluster.',
    },
    {
      actions: ['ec2:DeleteTags'],
      resources: [instances],
      conditions: { ...OUR_TAGS, ...TAGS_NAMED, StringEquals: own('aws:ResourceTag') },
      why: 'Only our own tags, and only from instances tagged for a configured cluster.',
    },
    {
      actions: ['ec2:TerminateInstances'],
      resources: [instances],
      conditions: {
        StringEquals: {
          [`aws:ResourceTag/${INSTANCE_TAGS.terminate}`]: 'true',
          ...own('aws:ResourceTag'),
        },
      },
      why: 'Only instances with our tags for a configured cluster.',
    },
  ];
}

/**
 * Conditions on the tags, of an instance or of the request, that say which cluster and group it is replaced
 * for.
 */
function ownTags(clusterNames: readonly string[], groupNames: readonly string[] | undefined) {
  return (on: 'aws:ResourceTag' | 'aws:RequestTag') => ({
    [`${on}/${INSTANCE_TAGS.cluster}`]: clusterNames,
    ...(groupNames && { [`${on}/${INSTANCE_TAGS.group}`]: groupNames }),
  });
}

/** ARNs of the templates that the role may change and launch from. */
function templateArns({ stack, props }: Pick<PermissionScope, 'stack' | 'props'>): string[] {
  const ids = props.launchTemplates?.flatMap(({ launchTemplateId }) => launchTemplateId ?? []) ?? ['*'];
  return ids.map((id) => stack.formatArn({ service: 'ec2', resource: 'launch-template', resourceName: id }));
}

/** Only License Manager's ARNs have a colon after the resource type. */
function unboundArn(stack: PermissionScope['stack'], service: string, type: string): string {
  if (service !== 'license-manager') return everyArn(stack, service, type);
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return stack.formatArn({ service, resource: type, resourceName: '*', arnFormat });
}
