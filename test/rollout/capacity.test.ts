import { expect, test } from 'vitest';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { afterTag, keepInvoking, once, told } from './happenings.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

const LAST = 'i-00000000000000004';
const IN_BATCHES = { environment: { MAX_SURGE: '1' }, expectations: { maxSurge: 1 } } as const;

function staged(options: Partial<StageOptions>): Stage {
  return standardStage({}, options);
}

/** Once the first old instance of a batch is detached, and before it drains. */
const onDetach = ({ world }: Stage, happens: () => void) =>
  once(world, ({ kind }) => kind === 'member-detaching', happens);

test('when an old member of a later batch dies, it is replaced before anything drains', async () => {
  const staging = staged({ ...IN_BATCHES, delays: { noticeDeadMemberSeconds: 300 } });
  once(
    staging.world,
    (event) => event.kind === 'instance-tagged' && event.instance.tags.has(INSTANCE_TAGS.drainStartedAt),
    () => staging.world.faults.killInstance(LAST),
  );
  await staging.roll();
  expect(told(staging, /nothing begins to drain, as fewer than 4 members take tasks/).length).toBeGreaterThan(
    0,
  );
});

test('an instance that died after the look is reported as no longer running, before any turn to drain', async () => {
  const staging = staged({ ...IN_BATCHES, delays: { noticeDeadMemberSeconds: 300 } });
  onDetach(staging, () => staging.clock.schedule(20, () => staging.world.faults.killInstance(LAST)));
  await staging.roll();
  expect(told(staging, /nothing begins to drain.* i-0+4 no longer runs/)).not.toEqual([]);
});

test('a member whose agent is gone for a while keeps others from draining that long', async () => {
  const staging = staged(IN_BATCHES);
  onDetach(staging, () => {
    staging.world.faults.dropAgent(LAST);
    staging.clock.schedule(300, () => staging.world.faults.returnAgent(LAST));
  });
  await staging.roll();
});

test("a member whose agent never comes back is named, and is not the image's fault", async () => {
  const staging = staged(IN_BATCHES);
  onDetach(staging, () => staging.world.faults.dropAgent(LAST));
  const [result] = await keepInvoking(staging, 60);
  expect(result).toMatchObject({
    state: 'blocked',
    reason: expect.stringMatching(
      /^after 600 s, nothing begins to drain, .* i-0+4 is registered but its agent is not connected; start its agent/,
    ),
  });
  staging.world.faults.returnAgent(LAST);
  await staging.finish();
  staging.invariants.assertFinished();
});

test('a member that serves nobody before the roll goes first', async () => {
  const staging = staged({
    ...IN_BATCHES,
    furnish(world) {
      const [third] = [...world.state.instances.keys()].slice(2, 3);
      world.owner.deleteService('log-router');
      world.faults.killInstance(third ?? '');
    },
  });
  await staging.roll();
});

test('without a surge, only a member that is draining itself is left out of the count', async () => {
  const staging = staged({
    environment: { MAX_SURGE: '0' },
    expectations: { maxSurge: 0 },
    delays: { noticeDeadMemberSeconds: 300 },
  });
  afterTag(
    staging,
    'ecs-ami-deploy-image',
    () => true,
    20,
    () => staging.world.faults.killInstance(LAST),
  );
  await staging.roll();
});
