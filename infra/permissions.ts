import { Stack } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { GROUP_TAGS, INSTANCE_TAGS } from '../lambda/contract.ts';
import { clusterReferences } from './clusters.ts';
import { grant, type Permission } from './grant.ts';
import { parameterArns } from './image-parameters.ts';
import type { EcsAmiDeployProps } from './props.ts';

const OUR_GROUP_TAGS = { 'ForAllValues:StringEquals': { 'aws:TagKeys': Object.values(GROUP_TAGS) } };
const OUR_INSTANCE_TAGS = { 'ForAllValues:StringEquals': { 'aws:TagKeys': Object.values(INSTANCE_TAGS) } };
/** `launchConfigurationName` in `lambda/core/launch-spec.ts` puts it into the name of every copy. */
const LAUNCH_CONFIGURATION_MARK = '-ecs-ami-deploy-';
/** ForAllValues holds for no values too, and EC2 takes "delete tags" without naming any as "delete all". */
const TAGS_NAMED = { Null: { 'aws:TagKeys': 'false' } };

/**
 * Grants the role what a roll calls, and nothing more.
 * Resource types and condition keys: https://docs.aws.amazon.com/service-authorization/latest/reference/
 */
export function grantRollouts(role: Role, props: EcsAmiDeployProps): void {
  for (const permission of permissions(role, props)) {
    // An image that is named or searched for is in no parameter.
    if (permission.resources.length > 0) grant(role, permission);
  }
}

function permissions(role: Role, props: EcsAmiDeployProps): Permission[] {
  const stack = Stack.of(role);
  const clusters = clusterReferences(role, props.clusters);
  const arns = clusters.map(({ arn }) => arn);
  const names = clusters.map(({ name }) => name);
  const ec2 = (type: string) => stack.formatArn({ service: 'ec2', resource: type, resourceName: '*' });
  const autoScaling = (resource: string) =>
    `${stack.formatArn({ service: 'autoscaling', resource })}:*:${resource}Name`;
  const groups = (props.autoScalingGroupNames ?? ['*']).map(
    (name) => `${autoScaling('autoScalingGroup')}/${name}`,
  );

  return [
    {
      sid: 'ReadClusters',
      actions: ['ecs:DescribeClusters', 'ecs:ListContainerInstances'],
      resources: arns,
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
    {
      // IAM knows no container instance here: which one, the function decides by its tags.
      sid: 'DeregisterFromClusters',
      actions: ['ecs:DeregisterContainerInstance'],
      resources: arns,
    },
    {
      sid: 'ReadGroupsInstancesAndImages',
      actions: [
        'autoscaling:DescribeAutoScalingGroups',
        'autoscaling:DescribeLaunchConfigurations',
        'ec2:DescribeInstances',
        'ec2:DescribeImages',
        'ec2:DescribeLaunchTemplates',
        'ec2:DescribeLaunchTemplateVersions',
      ],
      resources: ['*'],
      why: 'Neither Auto Scaling nor EC2 limits Describe actions to resources.',
    },
    {
      sid: 'TagGroupsOfClusters',
      actions: ['autoscaling:CreateOrUpdateTags'],
      resources: groups,
      conditions: {
        ...OUR_GROUP_TAGS,
        StringEqualsIfExists: { [`aws:RequestTag/${GROUP_TAGS.cluster}`]: names },
      },
      why: 'Only with our own tags; the first of them is what makes a group one of a configured cluster.',
    },
    {
      sid: 'UntagGroupsOfClusters',
      actions: ['autoscaling:DeleteTags'],
      resources: groups,
      conditions: { ...OUR_GROUP_TAGS, ...TAGS_NAMED },
      why: 'Only our own tags.',
    },
    {
      sid: 'ChangeGroupsBeingRolled',
      actions: ['autoscaling:UpdateAutoScalingGroup', 'autoscaling:DetachInstances'],
      resources: groups,
      conditions: { StringEquals: { [`autoscaling:ResourceTag/${GROUP_TAGS.cluster}`]: names } },
      why: 'Only groups that bear our tag with a configured cluster; their names need not be known.',
    },
    {
      sid: 'CopyLaunchConfigurations',
      actions: ['autoscaling:CreateLaunchConfiguration', 'autoscaling:DeleteLaunchConfiguration'],
      resources: [`${autoScaling('launchConfiguration')}/*${LAUNCH_CONFIGURATION_MARK}*`],
      why: 'Only copies of ours, which the middle of their name tells.',
    },
    {
      sid: 'WriteLaunchTemplateVersions',
      actions: [
        'ec2:CreateLaunchTemplateVersion',
        'ec2:ModifyLaunchTemplate',
        'ec2:DeleteLaunchTemplateVersions',
      ],
      resources: [ec2('launch-template')],
      why: 'A group may move to another template at any time; only versions of ours are deleted.',
    },
    {
      // Not called, but checked of who updates a group:
      // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-template-permissions.html
      sid: 'LetGroupsLaunchFromTemplates',
      actions: ['ec2:RunInstances'],
      resources: ['*'],
      conditions: { ArnLike: { 'ec2:LaunchTemplate': ec2('launch-template') } },
      why: 'Checked for each resource that a launch template names; only launches from a template.',
    },
    {
      sid: 'LetTemplatesTag',
      actions: ['ec2:CreateTags'],
      resources: ['*'],
      conditions: { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      why: 'Checked where a launch template tags what it launches; only in the moment of launch.',
    },
    {
      sid: 'TagInstancesOfGroups',
      actions: ['ec2:CreateTags'],
      resources: [ec2('instance')],
      conditions: {
        ...OUR_INSTANCE_TAGS,
        StringEqualsIfExists: { [`aws:RequestTag/${INSTANCE_TAGS.cluster}`]: names },
        Null: { 'aws:ResourceTag/aws:autoscaling:groupName': 'false' },
      },
      why: 'Only with our own tags, and only instances in an Auto Scaling group.',
    },
    {
      // A detached instance has lost its group's tag.
      sid: 'TagInstancesBeingReplaced',
      actions: ['ec2:CreateTags', 'ec2:DeleteTags'],
      resources: [ec2('instance')],
      conditions: {
        ...OUR_INSTANCE_TAGS,
        ...TAGS_NAMED,
        StringEquals: { [`aws:ResourceTag/${INSTANCE_TAGS.cluster}`]: names },
      },
      why: 'Only our own tags, and only on instances that bear them for a configured cluster.',
    },
    {
      sid: 'TerminateInstancesBeingReplaced',
      actions: ['ec2:TerminateInstances'],
      resources: [ec2('instance')],
      conditions: {
        StringEquals: {
          [`aws:ResourceTag/${INSTANCE_TAGS.terminate}`]: 'true',
          [`aws:ResourceTag/${INSTANCE_TAGS.cluster}`]: names,
        },
      },
      why: 'Only instances that bear our tags for a configured cluster.',
    },
    {
      sid: 'ReadRecommendedImages',
      actions: ['ssm:GetParameters'],
      resources: parameterArns(stack, props.image),
      why: 'The families that AWS publishes, of which the groups decide.',
    },
    {
      // Checked of who names an instance profile, in a launch configuration or by a launch template.
      sid: 'PassInstanceRoles',
      actions: ['iam:PassRole'],
      resources: props.instanceRoleArns ?? ['*'],
      conditions: { StringEquals: { 'iam:PassedToService': 'ec2.amazonaws.com' } },
      why: 'To EC2 alone; the prop instanceRoleArns narrows it to the roles that the instances have.',
    },
  ];
}
