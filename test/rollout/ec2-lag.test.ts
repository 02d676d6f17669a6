import { expect, test } from 'vitest';
import type { TemplateVersion } from '../simulated-aws/world/ec2/model.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { told } from './happenings.ts';
import { KINDS } from './kinds.ts';
import { only } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

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
  await staging.invoke();
  await staging.finish();
  staging.invariants.assertFinished();
  expect(told(staging, /failed:/)).toEqual([]);
  expect(staging.invariants.metrics().instancesReplaced).toBe(kind.replaces);
});

function staged(options: Partial<Parameters<typeof standardScenario>[0]>, attend?: StageOptions['attend']) {
  return stage({
    shortcut: true,
    furnish: (world) => {
      standardScenario({ world, instances: 2, services: 1, launchSpec: 'launch-template', ...options });
    },
    ...(attend && { attend }),
  });
}

test('an instance that EC2 does not find is not taken for terminated', async () => {
  const { world, clock, invoke, finish, invariants, account, ...rest } = staged({ version: '1' });
  const [first] = world.state.instances.values();
  world.subscribe((event) => {
    if (event.kind !== 'container-instance-deregistered' || event.containerInstance.instance !== first)
      return;
    world.faults.setUnknownToChanges(first.id, true);
    world.clock.schedule(MINUTES * 60, () => world.faults.setUnknownToChanges(first.id, false));
  });
  await invoke();
  await finish();
  invariants.assertFinished();
  expect(first?.state).toBe('terminated');
  const staging = { world, clock, invoke, finish, invariants, account, ...rest };
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
    await staging.invoke();
    await staging.finish();
    staging.invariants.assertFinished();
    expect(told(staging, /failed:|blocked:/)).toEqual([]);
    const [template] = staging.world.state.launchTemplates.values();
    expect([...(template?.versions.keys() ?? [])]).toEqual([1, 2]);
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
    const [template] = world.state.launchTemplates.values();
    const [mapping] = template?.versions.get(1)?.data.BlockDeviceMappings ?? [];
    // Its owner's, and of no image: it has neither a snapshot nor a size.
    template?.versions
      .get(1)
      ?.data.BlockDeviceMappings?.push({ DeviceName: '/dev/sdz', Ebs: { VolumeType: 'gp3' } });
    expect(mapping?.Ebs?.SnapshotId).toBeDefined();
  };
  const staging: Stage = stage({
    shortcut: true,
    furnish: (world) => {
      standardScenario({
        world,
        instances: 2,
        services: 1,
        launchSpec: 'launch-template',
        version: '$Latest',
      });
      warns(world);
    },
  });
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
  const [template] = staging.world.state.launchTemplates.values();
  expect([...(template?.versions.keys() ?? [])]).toEqual([1]);
  staging.invariants.assertHeld();
});

test('a root that was mapped with its snapshot alone gets the size of the new image', async () => {
  const staging = stage({
    shortcut: true,
    furnish: (world) => {
      standardScenario({ world, instances: 2, services: 1, launchSpec: 'launch-template', version: '1' });
      const [template] = world.state.launchTemplates.values();
      const [root] = template?.versions.get(1)?.data.BlockDeviceMappings ?? [];
      delete root?.Ebs?.VolumeSize;
    },
  });
  expect(only(await staging.invoke())).toMatchObject({ state: 'completed' });
  const [template] = staging.world.state.launchTemplates.values();
  const [root] = template?.versions.get(2)?.data.BlockDeviceMappings ?? [];
  expect(root?.Ebs).toMatchObject({ VolumeSize: 30, Encrypted: true });
  expect(root?.Ebs?.SnapshotId).toBeUndefined();
});
