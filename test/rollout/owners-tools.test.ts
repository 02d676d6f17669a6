import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import {
  groupOf,
  isDrain,
  keepInvoking,
  launchedFrom,
  once,
  rolling,
  templateOf,
  told,
} from './happenings.ts';
import { only } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

const NEW = 'ami-00000000000000002';

const staged = (expectations: StageOptions['expectations'] = {}) =>
  standardStage({ version: '1' }, { environment: { MAX_SURGE: '1' }, expectations });

/** As Terraform does, to which a group's tags are those of its configuration and no others. */
function stripTags(staging: Stage): void {
  const { tags } = groupOf(staging);
  for (const key of [...tags.keys()]) if (key.startsWith('ecs-ami-deploy')) tags.delete(key);
}

const running = ({ world }: Stage) => launchedFrom(world, NEW).filter(({ state }) => state === 'running');

describe('removing all our tags from a group', () => {
  test('in the middle of its roll: detached instances are terminated, and the rest is rolled again', async () => {
    const staging = staged({ endings: ['completed'] });
    once(staging.world, isDrain, () => stripTags(staging));
    await keepInvoking(staging, 40);
    expect(told(staging, /act: roll onto/)).toHaveLength(2);
    expect(running(staging)).toHaveLength(4);
    expect([...groupOf(staging).suspendedProcesses]).toEqual([]);
    staging.invariants.assertFinished();
  });

  test('ends a pause', async () => {
    const staging = staged();
    await staging.order({ action: 'pause' });
    expect(only(await staging.invoke()).state).toBe('paused');
    stripTags(staging);
    expect(only(await staging.invoke()).state).not.toBe('paused');
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('after a rollback gets its image tried again', async () => {
    const staging = staged({ endings: ['rolled-back', 'completed'] });
    const { ended } = await rolling(staging);
    await staging.order({ action: 'rollback' });
    await ended;
    await staging.finish();
    expect(textOn(groupOf(staging), GROUP_TAGS.rejected)).toBe(NEW);
    stripTags(staging);
    // The version that was made for it is the one other trace.
    const warning = expect.stringMatching(
      /^version 2 of lt-0+1 was made for ami-0+2 before, .* tag .* is gone$/,
    );
    expect(only(await staging.invoke({ action: 'plan' })).warnings).toEqual([warning]);
    expect(only(await staging.invoke()).state).toBe('completed');
    expect(told(staging, /roll onto .* was made for ami-0+2 before/)).not.toEqual([]);
    expect(running(staging)).toHaveLength(4);
    staging.invariants.assertFinished();
  });
});

test('setting the version back in the middle of a roll still gets the rest launched from the image', async () => {
  const staging = staged();
  once(staging.world, isDrain, () => {
    const { launchSpec } = groupOf(staging);
    if (launchSpec.kind !== 'launch-template') throw new Error('no launch template');
    Object.assign(launchSpec, { version: '1' });
  });
  await keepInvoking(staging, 40);
  expect(told(staging, /let group demo-ecs launch from version 2/)).toHaveLength(2);
  expect(running(staging)).toHaveLength(4);
  staging.invariants.assertFinished();
});

test('what takes each new version for the default keeps no rollback from making the one before the latest', async () => {
  const staging = standardStage(
    { instances: 2, services: 1, version: '$Latest' },
    {
      expectations: { endings: ['rolled-back'] },
      furnish: (world) => world.faults.spoilImage(NEW),
    },
  );
  const { world } = staging;
  once(
    world,
    ({ kind }) => kind === 'template-written',
    () => {
      const template = templateOf(world);
      template.defaultVersion = Math.max(...template.versions.keys());
    },
  );
  await keepInvoking(staging, 60);
  expect([...templateOf(world).versions.keys()]).toEqual([1]);
  staging.invariants.assertFinished();
});

test.each(['1', '$Default'])(
  'deleting the version that a group came from, by %s, has its rollback say what would be launched',
  async (version) => {
    const staging = standardStage(
      { instances: 2, services: 1, version },
      { furnish: (world) => world.faults.spoilImage(NEW) },
    );
    once(
      staging.world,
      ({ kind }) => kind === 'instance-launched',
      () => templateOf(staging.world).versions.delete(1),
    );
    const [said] = await keepInvoking(staging, 40);
    const what = `the group would launch ${NEW}, which failed`;
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(what) });
    staging.invariants.assertHeld();
  },
);
