import assert from 'node:assert/strict';
import { test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { outcomeOf } from '../invariants/outcome.ts';
import { testsFor } from '../sample/sampled.ts';
import { isEnding } from '../simulated-aws/world/autoscaling/members.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { isAlive } from '../simulated-aws/world/ec2/model.ts';
import { groupsOf, writes } from './outcomes.ts';
import {
  describeLaunchSpec,
  nameOf,
  newImages,
  optionsOf,
  type RollbackKind,
  rollbackKinds,
} from './rollback-kinds.ts';
import { type Stage, stage } from './stage.ts';

/** A roll that has gone wrong, to its end. */
export interface Played {
  readonly row: RollbackKind;
  readonly staged: Stage;
  /** What its groups launched from before. */
  readonly before: ReadonlyMap<string, string>;
  /** The desired capacities of its groups before. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Members that their group has ended by itself while they drained. */
  readonly endedUndrained: readonly string[];
  readonly expectForced: ReturnType<typeof optionsOf>['expectForced'];
  /** The images that it was rolled onto. */
  readonly rejected: readonly string[];
}

/** So many invocations a roll may take, one every hour or so. */
const MOST_INVOCATIONS = 20;

export async function playOut(row: RollbackKind, begun: (staged: Stage) => void = () => {}): Promise<Played> {
  const { options, before, expectForced, endedUndrained } = optionsOf(row);
  const staged = stage(options);
  begun(staged);
  const rejected = newImages(staged.world);
  const sizes = new Map(
    [...staged.world.state.groups.values()].map((group) => [group.name, group.desiredCapacity]),
  );
  await (row.mishap.play?.(staged) ?? staged.invoke());
  await staged.finish(MOST_INVOCATIONS);
  return { endedUndrained, sizes, row, staged, before, expectForced, rejected };
}

export function expectEnding(played: Played) {
  const { invariants, account } = played.staged;
  invariants.assertFinished();
  assert.deepEqual(account.bugs, []);
  expectGroups(played);
}

/** Checks that each group has ended where it should, with nothing lost. */
export function expectGroups({
  row,
  staged,
  before,
  rejected,
  endedUndrained,
}: Omit<Played, 'expectForced' | 'sizes'>) {
  const { world } = staged;
  assert.deepEqual(endedUndrained, []);
  const alive = [...world.state.instances.values()].filter(isAlive);
  for (const group of membered(staged)) {
    const ending = outcomeOf(group);
    assert.equal(ending, row.mishap.ending, `${group.name} is ${ending}`);
    // What its group is ending, hooks may hold for an hour.
    const staying = [...group.members.values()].filter((member) => !isEnding(member));
    const images = staying.map(({ instance }) => instance.imageId);
    if (ending === 'rolled-back') {
      assert.equal(describeLaunchSpec(group.launchSpec), before.get(group.name));
      assert.deepEqual(
        images.filter((imageId) => rejected.includes(imageId)),
        [],
      );
    }
    if (ending !== 'completed')
      assert.deepEqual(ourTags(group), [GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause]);
    // One that is shutting down is a member, or in the pool, for a moment still.
    const members = [...group.members.values(), ...(group.warmPool?.members.values() ?? [])];
    const left = members.filter(({ instance }) => isAlive(instance)).length;
    assert.equal(alive.filter(({ launchedBy }) => launchedBy === group).length, left);
  }
}

/** The groups that had members for an image to fail on. */
function membered({ world }: Stage): Group[] {
  return [...world.state.groups.values()].filter(({ members }) => members.size > 0);
}

const ourTags = ({ tags }: Group) =>
  [...tags.keys()].filter((key) => key.startsWith('ecs-ami-deploy-')).sort();

/** The next schedules leave the image alone. */
export async function expectNotTriedAgain({ row, staged }: Played) {
  if (row.mishap.ending === 'completed') return;
  const calls = staged.account.calls.log.length;
  const groups = groupsOf(await staged.invoke());
  for (const { name } of membered(staged)) {
    const { state, reason } = groups.find(({ group }) => group === name) ?? {};
    assert.equal(state, 'skipped');
    assert.match(
      `${reason}`,
      /(is|are) not tried again \((rolled back|aborted): .*\) until a newer image comes/,
    );
  }
  const written = staged.account.calls.log.slice(calls);
  assert.deepEqual(writes(written), []);
}

/** Managed scaling has made do with less since; without a surge one member alone can't be replaced. */
function scaleOutAgain({ staged: { world, clock }, sizes }: Played) {
  for (const [name, desiredCapacity] of sizes)
    world.owner.setSizes(name, { minSize: desiredCapacity, desiredCapacity });
  clock.advance(600);
}

/** Somebody forces it, or a newer image comes: once what was wrong is mended, all of them run that. */
export async function expectTriedAgain(played: Played, by: 'force' | 'release') {
  const { row, staged, expectForced } = played;
  const { world, invoke, finish, invariants } = staged;
  row.mishap.mend?.(world);
  scaleOutAgain(played);
  if (by === 'release')
    for (const family of new Set([...world.state.images.values()].flatMap((image) => image.family ?? [])))
      world.release(family);
  if (by === 'force') expectForced(world.clock.now());
  await invoke(by === 'force' ? { action: 'roll', force: true } : { action: 'roll' });
  await finish(MOST_INVOCATIONS);
  invariants.assertFinished();
  const images = newImages(world);
  for (const group of membered(staged)) {
    assert.deepEqual(ourTags(group), []);
    for (const { instance } of [...group.members.values()].filter((member) => !isEnding(member)))
      assert.ok(images.includes(instance.imageId), instance.imageId);
  }
}

/** The mishaps are shared out among the files that call this, which run in parallel. */
export function playKinds(share: number, shares: number) {
  const rows = rollbackKinds(process.env.ROLLBACK_KINDS === 'all').map((row, index) => ({
    name: nameOf(row),
    row,
    by: index % 2 === 0 ? ('force' as const) : ('release' as const),
  }));
  const some = testsFor(
    rows,
    10,
    ({ row }) => row.mishap,
    ({ by }) => by,
  );
  const own = some.filter((_, index) => Math.floor(index / 2) % shares === share);
  test.each(own)('$name', async ({ row, by }) => {
    const played = await playOut(row);
    expectEnding(played);
    await expectNotTriedAgain(played);
    await expectTriedAgain(played, by);
  });
}
