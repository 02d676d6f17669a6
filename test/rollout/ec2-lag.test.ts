import { expect, test } from 'vitest';
import type { TemplateVersion } from '../simulated-aws/world/ec2/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { templateOf, told } from './happenings.ts';
import { KINDS } from './kinds.ts';
import { only } from './outcomes.ts';
import { type StageOptions, type StageScenario, stage, standardStage } from './stage.ts';

/**
 * EC2 may not show, or not find, for a few minutes what was changed:
 * https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
 */
const MINUTES = 4;

const CASES = KINDS.filter(({ name }) =>
  ['launch template by $Latest', 'no surge', 'batches', 'mixed instances with weights'].includes(name),
);

test.each(CASES)('reads of EC2 that are minutes behind fail no roll: $name', async (kind) => {
  const lag = { seconds: 5, secondsOfEc2: MINUTES * 60, share: 0.3, seed: 1 };
  const staging = stage({ ...kind, shortcut: true, account: { lag } });
  await staging.roll();
  expect(told(staging, /failed:/)).toEqual([]);
  expect(staging.invariants.metrics().instancesReplaced).toBe(kind.replaces);
});

const staged = (scenario: StageScenario, furnish?: StageOptions['furnish']) =>
  standardStage({ instances: 2, services: 1, ...scenario }, { ...(furnish && { furnish }) });

test('an instance that EC2 does not find is not taken for terminated', async () => {
  const staging = staged({ version: '1' });
  const { world, account } = staging;
  const [first] = world.state.instances.values();
  world.subscribe((event) => {
    if (event.kind !== 'container-instance-deregistered' || event.containerInstance.instance !== first)
      return;
    world.faults.setUnknownToChanges(first.id, true);
    world.clock.schedule(MINUTES * 60, () => world.faults.setUnknownToChanges(first.id, false));
  });
  await staging.roll();
  expect(first?.state).toBe('terminated');
  expect(told(staging, /failed:|blocked:/)).toEqual([]);
  expect(told(staging, /overtaken: InvalidInstanceID.NotFound/)).not.toEqual([]);
  expect(account.calls.counts['ec2.TerminateInstances']).toBeLessThan(12);
});

/** Nobody finds what calls make for so long. */
function hideNew(world: World, seconds: number) {
  world.subscribe((event) => {
    if (event.kind !== 'template-written' || event.change !== 'created' || event.cause !== 'call') return;
    const { version } = event;
    world.faults.setUnseen(version, true);
    world.clock.schedule(seconds, () => world.faults.setUnseen(version, false));
  });
}

test.each(['1', '$Latest', '$Default'])(
  "a version that EC2 does not show yet is nobody's fault, nor made twice: %s",
  async (version) => {
    const staging = staged({ version });
    hideNew(staging.world, MINUTES * 60);
    await staging.roll();
    expect(told(staging, /failed:|blocked:/)).toEqual([]);
    expect([...templateOf(staging.world).versions.keys()]).toEqual([1, 2]);
  },
);

test('a version that is gone from sight in the middle of a roll is waited for, and then for its owner to fix', async () => {
  const roll = async (seconds: number) => {
    const staging = staged({ version: '1' });
    let used: TemplateVersion | undefined;
    staging.world.subscribe((event) => {
      if (used !== undefined || event.kind !== 'group-written') return;
      const { launchSpec: spec } = event.group;
      used =
        spec.kind === 'launch-template' && spec.version === '2' ? spec.template.versions.get(2) : undefined;
      if (used === undefined) return;
      const hidden = used;
      staging.world.faults.setUnseen(hidden, true);
      staging.world.clock.schedule(seconds, () => staging.world.faults.setUnseen(hidden, false));
    });
    return { staging, said: only(await staging.invoke()) };
  };
  const brief = await roll(MINUTES * 60);
  expect(brief.said).toMatchObject({ state: 'completed' });
  brief.staging.invariants.assertFinished();
  const lasting = await roll(3600);
  expect(lasting.said).toMatchObject({
    state: 'blocked',
    code: 'launch-template-version-missing',
    reason: expect.stringMatching(/has no version 2, or EC2 doesn't show it yet/),
  });
});

test('a version that EC2 warns of is refused, and no group on $Latest launches from it', async () => {
  const warns = (world: World) => {
    const { BlockDeviceMappings: mappings } = templateOf(world).versions.get(1)?.data ?? {};
    expect(mappings?.[0]?.Ebs?.SnapshotId).toBeDefined();
    // Its owner's, and of no image: it has neither a snapshot nor a size.
    mappings?.push({ DeviceName: '/dev/sdz', Ebs: { VolumeType: 'gp3' } });
  };
  const staging = staged({ version: '$Latest' }, warns);
  for (let count = 0; count < 3; count++) {
    expect(only(await staging.invoke())).toMatchObject({
      state: 'blocked',
      code: 'launch-spec-refused',
      reason: expect.stringMatching(
        /InvalidBlockDeviceMapping: \/dev\/sdz has neither a snapshot nor a size; fix/,
      ),
    });
    staging.clock.advance(600);
  }
  expect([...templateOf(staging.world).versions.keys()]).toEqual([1]);
  staging.invariants.assertHeld();
});

test('a root that was mapped with its snapshot alone gets the size of the new image', async () => {
  const staging = staged({ version: '1' }, (world) => {
    const [root] = templateOf(world).versions.get(1)?.data.BlockDeviceMappings ?? [];
    delete root?.Ebs?.VolumeSize;
  });
  expect(only(await staging.invoke())).toMatchObject({ state: 'completed' });
  const [root] = templateOf(staging.world).versions.get(2)?.data.BlockDeviceMappings ?? [];
  expect(root?.Ebs).toMatchObject({ VolumeSize: 30, Encrypted: true });
  expect(root?.Ebs?.SnapshotId).toBeUndefined();
});
