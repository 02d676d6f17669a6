import {
  DescribeAutoScalingGroupsCommand,
  type LaunchTemplate,
  type MixedInstancesPolicy,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand } from '@aws-sdk/client-ec2';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const { mixedGroup } = NAMES;
const OVERRIDES = [{ InstanceType: 'm5.large' as const }, { InstanceType: 'm5a.large' as const }];

/** What AWS makes of a policy that has none. */
const DISTRIBUTION = {
  OnDemandAllocationStrategy: 'prioritized',
  OnDemandBaseCapacity: 0,
  OnDemandPercentageAboveBaseCapacity: 100,
  SpotAllocationStrategy: 'lowest-price',
  SpotInstancePools: 2,
};

type Policy = (at: Account) => MixedInstancesPolicy;

async function policy({ autoScaling }: Account) {
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [mixedGroup] }),
  );
  const { MixedInstancesPolicy, LaunchTemplate } = AutoScalingGroups[0] ?? {};
  return { MixedInstancesPolicy, LaunchTemplate };
}
const update = (given: Policy) => (at: Account) =>
  at.autoScaling.send(
    new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: mixedGroup, MixedInstancesPolicy: given(at) }),
  );
const base = (Version: string, Overrides?: LaunchTemplate['Overrides']) => (at: Account) => ({
  LaunchTemplate: {
    LaunchTemplateSpecification: { LaunchTemplateId: at.mixedTemplate, Version },
    ...(Overrides && { Overrides }),
  },
});

export const MIXED_STEPS: readonly Step[] = [
  step('describe a mixed instances policy', policy),
  step('create a version of its template', ({ ec2, mixedTemplate, newerImage }) =>
    ec2.send(
      new CreateLaunchTemplateVersionCommand({
        LaunchTemplateId: mixedTemplate,
        SourceVersion: '1',
        LaunchTemplateData: { ImageId: newerImage },
      }),
    ),
  ),
  step('let the policy name that version', update(base('2', OVERRIDES))),
  step('describe the policy with that version', policy),
  step('let the policy name no overrides', update(base('1'))),
  step('describe the policy whose overrides were not named', policy),
  step(
    'change its distribution alone',
    update(() => ({ InstancesDistribution: { OnDemandBaseCapacity: 1, SpotInstancePools: 3 } })),
  ),
  step('describe the policy with that distribution', policy),
  step(
    'let overrides have weights, a template and an image',
    update((at) =>
      base('$Default', [
        { InstanceType: 'm5.large', WeightedCapacity: '1' },
        {
          InstanceType: 'm5a.large',
          WeightedCapacity: '1',
          LaunchTemplateSpecification: { LaunchTemplateId: at.template, Version: '$Latest' },
        },
        { InstanceType: 'm5.xlarge', WeightedCapacity: '1', ImageId: at.newerImage },
      ])(at),
    ),
  ),
  step('describe the policy with such overrides', policy),
  step(
    'let some overrides have weights',
    update(base('1', [{ InstanceType: 'm5.large', WeightedCapacity: '2' }, { InstanceType: 'm5a.large' }])),
  ),
  step('let the policy name an unknown version', update(base('9', OVERRIDES))),
  step(
    'let the policy name a template by both id and name',
    update((at) => ({
      LaunchTemplate: {
        LaunchTemplateSpecification: {
          LaunchTemplateId: at.mixedTemplate,
          LaunchTemplateName: `${mixedGroup}-launch-template`,
          Version: '1',
        },
        Overrides: OVERRIDES,
      },
    })),
  ),
  step('give a group both a policy and a template', (at) =>
    at.autoScaling.send(
      new UpdateAutoScalingGroupCommand({
        AutoScalingGroupName: mixedGroup,
        MixedInstancesPolicy: base('1', OVERRIDES)(at),
        LaunchTemplate: { LaunchTemplateId: at.template, Version: '1' },
      }),
    ),
  ),
  step(
    'restore the policy',
    update((at) => ({ ...base('1', OVERRIDES)(at), InstancesDistribution: DISTRIBUTION })),
  ),
  step('describe the restored policy', policy),
];
