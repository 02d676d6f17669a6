import { describe, expect, test } from 'vitest';
import {
  launchConfigurationName,
  versionDescription,
} from '../../lambda/core/launch-spec/own-launch-specs.ts';
import { uuidOf } from '../sealed.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import {
  addLaunchConfiguration,
  removeLaunchConfiguration,
} from '../simulated-aws/world/autoscaling/launch-configurations.ts';
import { addVersion, type TemplateData } from '../simulated-aws/world/ec2/launch-templates.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { only } from './outcomes.ts';
import { type Stage, stage } from './stage.ts';

/**
 * What somebody makes who may write launch templates or launch configurations, but may not let a group launch
 * from them.
 */

const NEW = 'ami-00000000000000002';

type LaunchSpec = Parameters<typeof standardScenario>[0]['launchSpec'];

function staged(launchSpec: LaunchSpec, version?: string): Stage {
  return stage({
    shortcut: true,
    furnish: (world) => standardScenario({ world, instances: 2, services: 1, launchSpec, version }),
  });
}

describe.each(['1', '$Default'])('a version that passes for the copy of %s that a roll makes', (version) => {
  test.each<[string, (own: TemplateData) => TemplateData]>([
    ['has other user data', () => ({ UserData: 'ZXZpbA==' })],
    ['has another role', () => ({ IamInstanceProfile: { Name: 'admin' } })],
    ['makes a volume of a snapshot', (own) => withVolume(own, { SnapshotId: 'snap-0e' })],
    ['encrypts a volume with a key', (own) => withVolume(own, { KmsKeyId: 'key-0e' })],
  ])('and %s is launched by no group', async (_, forge) => {
    const staging = staged('launch-template', version);
    const { state } = staging.world;
    const [template] = state.launchTemplates.values();
    const own = template?.versions.get(1);
    if (template === undefined || own === undefined) throw new Error('there is no launch template');
    const data = { ...own.data, ImageId: NEW, ...forge(own.data) };
    const made = addVersion(state, template, data, versionDescription(1, NEW), 'owner');
    expect(only(await staging.invoke()).state).toBe('completed');
    const launched = [...state.instances.values()].flatMap(({ launchedFrom: from }) =>
      from?.kind === 'launch-template' ? [from.version] : [],
    );
    expect(launched).not.toContain(made.number);
    expect(launched).toContain(made.number + 1);
    staging.invariants.assertFinished();
  });
});

describe('a launch configuration under the name of the copy that a roll makes', () => {
  const forged = (name: string) => ({
    LaunchConfigurationName: name,
    ImageId: NEW,
    InstanceType: 'm5.large',
    UserData: 'ZXZpbA==',
  });

  async function rolled(
    forge: (staging: Stage, name: string) => void,
    interceptorOf: (staging: Stage, name: string) => Interceptor = () => ({}),
  ) {
    const staging = staged('launch-configuration');
    const { state } = staging.world;
    const [own] = state.launchConfigurations.values();
    const [group] = state.groups.values();
    if (own === undefined || group === undefined) throw new Error('there is no launch configuration');
    const uuid = own.description.LaunchConfigurationARN?.split(':')[6] ?? '';
    const name = launchConfigurationName({ name: group.name, uuid: uuidOf(group) }, { uuid }, NEW);
    forge(staging, name);
    const { state: end } = only(await staging.invoke({ action: 'roll' }, [interceptorOf(staging, name)]));
    const { launchSpec } = group;
    const used = launchSpec.kind === 'launch-configuration' ? launchSpec.name : '';
    return { staging, end, own, used: state.launchConfigurations.get(used) };
  }

  test.each<[string, (staging: Stage, name: string) => void]>([
    ['before', ({ world }, name) => void addLaunchConfiguration(world.state, forged(name), 'call')],
    [
      'between the copy and its use',
      ({ world, clock }, name) => {
        const stop = world.subscribe((event) => {
          if (event.kind !== 'launch-configuration-written' || event.cause !== 'call') return;
          stop();
          clock.schedule(0, () => {
            const copy = world.state.launchConfigurations.get(name);
            if (copy !== undefined) removeLaunchConfiguration(world.state, copy);
            addLaunchConfiguration(world.state, forged(name), 'call');
          });
        });
      },
    ],
  ])('%s is launched by no group', async (_, forge) => {
    const { staging, end, own, used } = await rolled(forge);
    expect(end).toBe('completed');
    const { UserData, SecurityGroups, InstanceType } = own.description;
    expect(used?.description).toMatchObject({ UserData, SecurityGroups, InstanceType, ImageId: NEW });
    expect(UserData).not.toBe(forged('').UserData);
    staging.invariants.assertFinished();
  });

  test('right before its use launches nothing, as the group gets its own back', async () => {
    const putInPlace = ({ world: { state } }: Stage, name: string): Interceptor => ({
      before({ input }) {
        if (!('LaunchConfigurationName' in input) || !('AutoScalingGroupName' in input)) return;
        const copy = state.launchConfigurations.get(name);
        if (input.LaunchConfigurationName !== name || copy === undefined) return;
        removeLaunchConfiguration(state, copy);
        addLaunchConfiguration(state, forged(name), 'call');
      },
    });
    const { staging, end, own, used } = await rolled(() => undefined, putInPlace);
    expect(end).toBe('blocked');
    expect(used).toBe(own);
    const launched = [...staging.world.state.instances.values()].map(({ imageId }) => imageId);
    expect(launched).not.toContain(NEW);
  });
});

function withVolume({ BlockDeviceMappings = [] }: TemplateData, Ebs: object): TemplateData {
  return { BlockDeviceMappings: [...BlockDeviceMappings, { DeviceName: '/dev/sdz', Ebs }] };
}
