import { describe, expect, test } from 'vitest';
import { finishRoll } from '../proof/ending.ts';
import { addVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { isDrain, keepInvoking, once, templateOf } from './happenings.ts';
import { only } from './outcomes.ts';
import { type Stage, stage } from './stage.ts';

const OLD = 'ami-00000000000000001';
const NEW = 'ami-00000000000000002';

/** Somebody goes on from the latest version, whose image is the roll's. */
function writeVersion(world: World, data: { ImageId?: string; EbsOptimized?: boolean }): void {
  const template = templateOf(world);
  const latest = template.versions.get(template.lastNumber)?.data;
  addVersion(world.state, template, { ...latest, ...data }, 'by hand', 'owner');
}

/**
 * In the middle of a roll by `$Latest` tasks begin to fail on the new image, from which somebody has made
 * their own version.
 */
async function spoiled(): Promise<Stage> {
  const staging = stage({
    shortcut: true,
    expectations: { endings: ['rolled-back'] },
    furnish: (world) =>
      standardScenario({
        world,
        instances: 3,
        version: '$Latest',
      }),
  });
  once(staging.world, isDrain, () => {
    staging.world.faults.crashTasksOn({ imageId: NEW });
    writeVersion(staging.world, { EbsOptimized: true });
  });
  await staging.invoke();
  return staging;
}

const another =
  /would launch ami-0+2, which failed .*; give it another launch spec, or, if nothing is wrong with/;

describe('a group on $Latest, for which somebody has made a version from the failing new image,', () => {
  test('is not rolled back until it has another launch spec, and then is', async () => {
    const staging = await spoiled();
    const [said] = await keepInvoking(staging, 30, { action: 'rollback' });
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(another) });
    staging.invariants.assertHeld();
    await expectBack(staging);
  });

  test('has an owner in storms who gives it one', async () => {
    const staging = await spoiled();
    await staging.invoke({ action: 'rollback' });
    await finishRoll(staging);
    staging.invariants.assertFinished();
  });

  test('is told the way out when its roll was aborted', async () => {
    const staging = await spoiled();
    await keepInvoking(staging, 30, { action: 'rollback' });
    const [said] = await keepInvoking(staging, 120, { action: 'abort' });
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        /unless somebody has changed that since: then give it another launch spec/,
      ),
    });
    await expectBack(staging);
  });
});

async function expectBack(staging: Stage): Promise<void> {
  const { world, invariants } = staging;
  writeVersion(world, { ImageId: OLD });
  await keepInvoking(staging, 30, { action: 'rollback' });
  // A drain that took a service down is tried again when somebody asks.
  await staging.invoke({ action: 'resume' });
  await staging.finish();
  invariants.assertFinished();
  const group = only(await staging.invoke({ action: 'status' }));
  expect(group.reason).toMatch(/^ami-0+2 is not tried again/);
}
