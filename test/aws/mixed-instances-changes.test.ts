import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  type LaunchTemplateOverrides,
  type MixedInstancesPolicy,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import { changePolicy } from '../../lambda/aws/mixed-instances-changes.ts';
import type { PolicyChange } from '../../lambda/core/model/launch.ts';
import { describedGroup } from './described-group.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });

const specification = (LaunchTemplateId: string, Version: string) => ({ LaunchTemplateId, Version });

/** With both, the id and the name, as AWS describes it. */
const described = (id: string, version: string) => ({
  ...specification(id, version),
  LaunchTemplateName: `${id}-name`,
});

const INSTANCES_DISTRIBUTION = {
  OnDemandAllocationStrategy: 'lowest-price',
  OnDemandBaseCapacity: 0,
  OnDemandPercentageAboveBaseCapacity: 25,
  SpotAllocationStrategy: 'price-capacity-optimized',
};

const REQUIREMENTS: LaunchTemplateOverrides = {
  InstanceRequirements: {
    VCpuCount: { Min: 2 },
    MemoryMiB: { Min: 4096 },
    CpuManufacturers: ['intel', 'amd'],
    ExcludedInstanceTypes: ['t*'],
    RequireHibernateSupport: false,
  },
};

function policyOf(version: string, ...Overrides: LaunchTemplateOverrides[]): MixedInstancesPolicy {
  return { LaunchTemplate: { LaunchTemplateSpecification: described('lt-1', version), Overrides } };
}

/** The input that makes of a group's policy another. */
async function sent(policy: MixedInstancesPolicy, ...changes: readonly PolicyChange[]) {
  const group = describedGroup({ MixedInstancesPolicy: policy });
  api
    .on(DescribeAutoScalingGroupsCommand, { AutoScalingGroupNames: ['web'] })
    .resolves({ AutoScalingGroups: [group] });
  api.on(UpdateAutoScalingGroupCommand).resolves({});
  await changePolicy(aws, 'web', changes);
  const calls = api.commandCalls(UpdateAutoScalingGroupCommand);
  expect(calls).toHaveLength(1);
  return calls[0]?.args[0].input;
}

const sentPolicy = async (...of: Parameters<typeof sent>) => (await sent(...of))?.MixedInstancesPolicy;

const TO_VERSION_4: PolicyChange = { kind: 'version', templateId: 'lt-1', from: 3, to: 4 };
const TO_IMAGE_2: PolicyChange = { kind: 'image', from: 'ami-1', to: 'ami-2' };

describe('the change of a mixed instances policy', () => {
  test('names what the policy launches alone, whole, and its templates by id alone', async () => {
    const weighted = { InstanceType: 'm5.xlarge', WeightedCapacity: '2' };
    const own = { InstanceType: 'm7g.large', LaunchTemplateSpecification: described('lt-2', '7') };
    const policy = policyOf('3', weighted, own, REQUIREMENTS);
    const input = await sent({ ...policy, InstancesDistribution: INSTANCES_DISTRIBUTION }, TO_VERSION_4);
    expect(input).toStrictEqual({
      AutoScalingGroupName: 'web',
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: specification('lt-1', '4'),
          Overrides: [
            weighted,
            { InstanceType: 'm7g.large', LaunchTemplateSpecification: specification('lt-2', '7') },
            REQUIREMENTS,
          ],
        },
      },
    });
  });

  test('gives the version only to places that name the old one', async () => {
    const places = [described('lt-1', '3'), described('lt-1', '2'), described('lt-2', '3')];
    const overrides = places.map((LaunchTemplateSpecification) => ({ LaunchTemplateSpecification }));
    const policy = await sentPolicy(policyOf('3', ...overrides), TO_VERSION_4);
    const versions = policy?.LaunchTemplate?.Overrides?.map((each) => each.LaunchTemplateSpecification);
    expect(policy?.LaunchTemplate?.LaunchTemplateSpecification).toEqual(specification('lt-1', '4'));
    expect(versions).toEqual([
      specification('lt-1', '4'),
      specification('lt-1', '2'),
      specification('lt-2', '3'),
    ]);
  });

  test('gives the image only to overrides that name the old one', async () => {
    const images = ['ami-1', 'ami-3', 'resolve:ssm:/images/ecs', 'ami-1'];
    const overrides = images.map((ImageId, index) => ({ InstanceType: `m${index}.large`, ImageId }));
    const policy = await sentPolicy(policyOf('$Latest', ...overrides), TO_IMAGE_2);
    expect(policy?.LaunchTemplate?.Overrides).toStrictEqual([
      { InstanceType: 'm0.large', ImageId: 'ami-2' },
      { InstanceType: 'm1.large', ImageId: 'ami-3' },
      { InstanceType: 'm2.large', ImageId: 'resolve:ssm:/images/ecs' },
      { InstanceType: 'm3.large', ImageId: 'ami-2' },
    ]);
  });

  test('carries out several changes at once, each on top of the last', async () => {
    const next: PolicyChange = { kind: 'image', from: 'ami-2', to: 'ami-3' };
    const policy = await sentPolicy(
      policyOf('3', { ImageId: 'ami-1' }, { ImageId: 'ami-2' }),
      TO_VERSION_4,
      TO_IMAGE_2,
      next,
    );
    expect(policy?.LaunchTemplate).toEqual({
      LaunchTemplateSpecification: specification('lt-1', '4'),
      Overrides: [{ ImageId: 'ami-2' }, { ImageId: 'ami-3' }],
    });
  });

  test('leaves alone what has changed since, or was changed before', async () => {
    const policy = await sentPolicy(policyOf('5', { ImageId: 'ami-9' }), TO_VERSION_4, TO_IMAGE_2);
    expect(policy?.LaunchTemplate).toEqual({
      LaunchTemplateSpecification: specification('lt-1', '5'),
      Overrides: [{ ImageId: 'ami-9' }],
    });
  });

  test.each(['$Latest', '$Default'])('never writes a number where its owner wrote %s', async (version) => {
    const policy = await sentPolicy(policyOf(version), TO_VERSION_4);
    expect(policy?.LaunchTemplate?.LaunchTemplateSpecification).toEqual(specification('lt-1', version));
  });

  test('sends nothing empty, which AWS would refuse', async () => {
    const empty = { InstanceType: '', WeightedCapacity: '', ImageId: '', ...REQUIREMENTS };
    const own = { InstanceType: 'm5.large', LaunchTemplateSpecification: described('lt-2', '') };
    const policy = await sentPolicy(policyOf('', empty, own), TO_VERSION_4);
    expect(policy?.LaunchTemplate).toStrictEqual({
      LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1' },
      Overrides: [
        REQUIREMENTS,
        { InstanceType: 'm5.large', LaunchTemplateSpecification: { LaunchTemplateId: 'lt-2' } },
      ],
    });
  });

  test('leaves a policy without overrides that way', async () => {
    const LaunchTemplate = { LaunchTemplateSpecification: described('lt-1', '3') };
    const policy = await sentPolicy({ LaunchTemplate }, TO_VERSION_4);
    expect(policy?.LaunchTemplate?.Overrides).toBeUndefined();
  });
});

describe('the change is decided again', () => {
  test.each([
    ['is gone', []],
    ['has another launch template', [describedGroup({ LaunchTemplate: described('lt-1', '3') })]],
    ['has a launch configuration', [describedGroup({ LaunchConfigurationName: 'old' })]],
    ['is described with an empty policy', [describedGroup({ MixedInstancesPolicy: {} })]],
  ])('when the group %s', async (_, AutoScalingGroups) => {
    api.on(DescribeAutoScalingGroupsCommand).resolves({ AutoScalingGroups });
    await expect(changePolicy(aws, 'web', [TO_VERSION_4])).rejects.toThrow(StaleObservation);
    expect(api.commandCalls(UpdateAutoScalingGroupCommand)).toHaveLength(0);
  });

  test.each(['ScalingActivityInProgress', 'ResourceContention', 'ResourceInUse'])(
    'after %s',
    async (code) => {
      await sent(policyOf('3'));
      api.on(UpdateAutoScalingGroupCommand).rejects(await refusal('autoscaling', code));
      await expect(changePolicy(aws, 'web', [TO_VERSION_4])).rejects.toThrow(StaleObservation);
    },
  );

  test('but not after another kind of refusal', async () => {
    await sent(policyOf('3'));
    api
      .on(UpdateAutoScalingGroupCommand)
      .rejects(await refusal('autoscaling', 'AccessDenied', 'not authorized to use launch template'));
    await expect(changePolicy(aws, 'web', [TO_VERSION_4])).rejects.toThrow('not authorized');
  });
});

describe('what AWS describes as empty', () => {
  const change: PolicyChange = { kind: 'version', templateId: 'lt-1', from: 3, to: 4 };

  test("of requirements isn't sent: of two lists it takes one, and no empty text", async () => {
    const unset = { AllowedInstanceTypes: [], BareMetal: '', AcceleratorCount: {} } as object;
    const InstanceRequirements = { ...unset, ...REQUIREMENTS.InstanceRequirements } as never;
    const input = await sent(policyOf('3', { InstanceType: '' as never, InstanceRequirements }), change);
    expect(input?.MixedInstancesPolicy?.LaunchTemplate?.Overrides).toEqual([REQUIREMENTS]);
  });

  test("of an override isn't sent: neither a template of its own, nor requirements", async () => {
    const empty = { LaunchTemplateSpecification: {}, InstanceRequirements: {} } as object;
    const input = await sent(policyOf('3', { InstanceType: 'm5.large', ...empty }), change);
    expect(input?.MixedInstancesPolicy?.LaunchTemplate?.Overrides).toEqual([{ InstanceType: 'm5.large' }]);
  });

  test('as a list of overrides stays as it is', async () => {
    const input = await sent(policyOf('3'), change);
    expect(input?.MixedInstancesPolicy?.LaunchTemplate).toEqual({
      LaunchTemplateSpecification: specification('lt-1', '4'),
    });
  });
});
