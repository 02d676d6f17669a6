import {
  CreateOrUpdateTagsCommand,
  DeleteTagsCommand,
  DescribeAutoScalingGroupsCommand,
  DetachInstancesCommand,
  type Filter,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Account, NAMES } from '../account.ts';
import { type Step, step, UNKNOWN_INSTANCE } from './step.ts';

const { group, templateGroup } = NAMES;

const describe =
  (...names: readonly string[]) =>
  (at: Account) =>
    at.autoScaling.send(new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [...names] }));
const filtered = (filter: Filter) => (at: Account) =>
  at.autoScaling.send(new DescribeAutoScalingGroupsCommand({ Filters: [filter] }));
const tag = (name: string, Key = 'cluster') => ({
  ResourceId: name,
  ResourceType: 'auto-scaling-group',
  Key,
});
const detach = (id: (at: Account) => string | undefined) => (at: Account) =>
  at.autoScaling.send(
    new DetachInstancesCommand({
      AutoScalingGroupName: group,
      InstanceIds: [id(at) ?? ''],
      ShouldDecrementDesiredCapacity: false,
    }),
  );

export const GROUP_STEPS: readonly Step[] = [
  step('describe a group that launches from a launch configuration', describe(group)),
  step('describe a group that launches from a launch template', describe(templateGroup)),
  step('describe an unknown group', describe('unknown')),
  step('tag a group', ({ autoScaling }) =>
    autoScaling.send(
      new CreateOrUpdateTagsCommand({
        Tags: ['cluster', 'image'].map((key) => ({
          ...tag(group, key),
          Value: 'main',
          PropagateAtLaunch: false,
        })),
      }),
    ),
  ),
  step('tag an unknown group', ({ autoScaling }) =>
    autoScaling.send(
      new CreateOrUpdateTagsCommand({
        Tags: [{ ...tag('unknown'), Value: 'main', PropagateAtLaunch: false }],
      }),
    ),
  ),
  step('describe groups by a tag', filtered({ Name: 'tag:cluster', Values: ['main'] })),
  step('describe groups by a tag with another value', filtered({ Name: 'tag:cluster', Values: ['other'] })),
  step('describe groups by the key of a tag', filtered({ Name: 'tag-key', Values: ['image'] })),
  step('take a tag from a group', ({ autoScaling }) =>
    autoScaling.send(new DeleteTagsCommand({ Tags: [tag(group, 'image'), tag(group, 'never-there')] })),
  ),
  step('describe what that left', describe(group)),
  step(
    'detach a member',
    detach((at) => at.instances[0]),
  ),
  step('describe the group after that', describe(group)),
  step(
    'detach what is no member any more',
    detach((at) => at.instances[0]),
  ),
  step(
    'detach an unknown instance',
    detach(() => UNKNOWN_INSTANCE),
  ),
  step('update an unknown group', ({ autoScaling }) =>
    autoScaling.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: 'unknown', MaxSize: 5 })),
  ),
  step('let a group launch another template version', ({ autoScaling, template }) =>
    autoScaling.send(
      new UpdateAutoScalingGroupCommand({
        AutoScalingGroupName: templateGroup,
        LaunchTemplate: { LaunchTemplateId: template, Version: '$Latest' },
      }),
    ),
  ),
  step('describe that group after that', describe(templateGroup)),
];
