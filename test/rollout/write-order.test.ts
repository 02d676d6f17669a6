import { describe, expect, test } from 'vitest';
import type { Tags } from '../../lambda/contract.ts';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { rolePolicies } from '../infra/role-policies.ts';
import { sealedTags, textOn } from '../sealed.ts';
import type { Call, Interceptor } from '../simulated-aws/account/call.ts';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { enforce } from '../simulated-aws/iam/permissions.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { createRandom } from '../simulated-aws/world/random.ts';
import { resourceFacts } from '../simulated-aws/world/resource-facts.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import {
  afterTag,
  groupOf,
  keepInvoking,
  launchedFrom,
  membersOf,
  oldest,
  rolling,
  tagGroup,
  told,
} from './happenings.ts';
import { groupsOf, only, writes } from './outcomes.ts';
import { addTopic, published, questionOf, TOPIC } from './people.ts';
import { type Stage, type StageOptions, stage, standardStage } from './stage.ts';
import { BRISK } from './sweep.ts';

const OLD = 'ami-00000000000000001';
const NEW = 'ami-00000000000000002';
const POLL_SECONDS = 10;

const staged = (options?: Partial<StageOptions>) => standardStage({ version: '1' }, options);

/** As another invocation writes them. */
const write = (staging: Stage, tags: Tags) =>
  tagGroup(groupOf(staging), sealedTags(groupOf(staging), 'demo', tags));

const tagOf = (staging: Stage, key: string) => textOn(groupOf(staging), key);

/** When a line is first logged from now on, in seconds from now. */
async function secondsUntil({ clock, log }: Stage, line: RegExp): Promise<number> {
  const [from, began] = [log.length, clock.now()];
  while (!log.slice(from).some((each) => line.test(each))) {
    if (clock.now() - began > 120_000) throw new Error(`nothing tells ${line}`);
    await clock.drive(clock.sleep(1));
  }
  return (clock.now() - began) / 1000;
}

/** As many tags of its owner's as there is room for. */
function fillTags(staging: Stage): void {
  const { tags } = groupOf(staging);
  for (let count = 0; tags.size < 50; count++)
    tags.set(`team-${count}`, { value: 'x', propagatesAtLaunch: false });
}

const clearTags = (staging: Stage) => {
  const { tags } = groupOf(staging);
  for (const key of [...tags.keys()]) if (key.startsWith('team-')) tags.delete(key);
};

describe('a group with as many tags as AWS allows', () => {
  const FULL = {
    state: 'failed',
    reason: expect.stringMatching(
      /^group demo-ecs has as many tags as AWS allows, .*; remove some of its own/,
    ),
  };

  test('is told of before its roll begins, and by an order', async () => {
    const staging = staged();
    fillTags(staging);
    expect(only(await staging.invoke({ action: 'plan' }))).toMatchObject({
      state: 'blocked',
      code: 'group-tags-full',
    });
    expect(await staging.order({ action: 'pause' })).toMatchObject({ groups: [FULL] });
    clearTags(staging);
    expect(await staging.order({ action: 'pause' })).toMatchObject({ groups: [{ state: 'noted' }] });
  });

  test('that is full since then is told of by an order, and its roll goes on', async () => {
    const staging = staged();
    const { ended } = await rolling(staging);
    fillTags(staging);
    expect(await staging.order({ action: 'pause' })).toMatchObject({ groups: [FULL] });
    await ended;
    await staging.finish();
    expect(staging.endings).toEqual(['completed']);
  });
});

describe('an order during a run', () => {
  test.each([
    ['rollback', 'rolled-back'],
    ['abort', 'aborted'],
  ] as const)('%s is carried out', async (action, ending) => {
    const staging = staged({ expectations: { endings: [ending] } });
    const { ended } = await rolling(staging);
    expect(await staging.order({ action })).toMatchObject({
      groups: [{ cluster: 'demo', group: 'demo-ecs', state: 'noted' }],
    });
    await ended;
    await staging.finish();
    expect(staging.endings).toEqual([ending]);
    expect(tagOf(staging, GROUP_TAGS.rejected)).toBe(NEW);
    staging.invariants.assertFinished();
  });

  test('is heard before the next whole look: a glance reads the tags every third poll', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    const { ended } = await rolling(staging);
    const ordered = staging.order({ action: 'rollback' });
    expect(await secondsUntil(staging, /act: sets i-\w+ back ACTIVE/)).toBeLessThanOrEqual(
      3 * POLL_SECONDS + 1,
    );
    await Promise.all([ordered, ended]);
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('to pause lets what has started end, and begins nothing more; resume goes on', async () => {
    const staging = staged();
    const { ended } = await rolling(staging);
    expect(await staging.order({ action: 'pause' })).toMatchObject({ groups: [{ state: 'noted' }] });
    expect(only(await ended).state).toBe('paused');
    expect(launchedFrom(staging.world, OLD).filter(({ state }) => state === 'running')).toHaveLength(3);
    staging.invariants.assertHeld();
    expect(await staging.order({ action: 'resume' })).toMatchObject({ groups: [{ state: 'noted' }] });
    await staging.finish();
    expect(staging.endings).toEqual(['completed']);
    staging.invariants.assertFinished();
  });

  test('to roll back works on a paused group', async () => {
    const staging = staged({ expectations: { endings: ['rolled-back'] } });
    const { ended } = await rolling(staging);
    await staging.order({ action: 'pause' });
    await ended;
    expect(await staging.order({ action: 'rollback' })).toMatchObject({
      groups: [{ state: 'noted', reason: 'rolls back, as somebody asks' }],
    });
    expect(tagOf(staging, GROUP_TAGS.paused)).toBeUndefined();
    await staging.finish();
    expect(staging.endings).toEqual(['rolled-back']);
    staging.invariants.assertFinished();
  });

  test('is not undone at the next look of an invocation that got another order', async () => {
    const staging = staged({ environment: { MAX_SURGE: '1' } });
    const { ended } = await rolling(staging);
    await staging.order({ action: 'pause' });
    await ended;
    const resuming = staging.invoke({ action: 'resume' });
    await staging.clock.drive(staging.clock.sleep(45));
    expect(tagOf(staging, GROUP_TAGS.paused)).toBeUndefined();
    await staging.order({ action: 'pause' });
    await resuming;
    expect(tagOf(staging, GROUP_TAGS.paused)).toBeDefined();
    const [said] = await keepInvoking(staging, 20, { action: 'continue' });
    expect(said?.state).toBe('paused');
    staging.invariants.assertHeld();
  });

  test.each([
    ['rollback', 'rolled-back', ''],
    ['abort', 'aborted', ''],
    ['abort', 'aborted', ' as it begins the roll'],
  ] as const)('is written again if a late write overwrites the %s (%s)%s', async (action, ending, begins) => {
    const staging = staged({ expectations: { endings: [ending] } });
    const { ended } = await rolling(staging);
    staging.clock.schedule(20, () => {
      const startedAt = { [GROUP_TAGS.startedAt]: new Date(staging.clock.now()).toISOString() };
      write(staging, { [GROUP_TAGS.course]: 'forward', ...(begins !== '' && startedAt) });
    });
    await staging.order({ action });
    await ended;
    await staging.finish();
    expect(staging.endings).toEqual([ending]);
    staging.invariants.assertFinished();
  });

  test('gives way to a later one', async () => {
    const staging = staged({ expectations: { endings: ['aborted'] } });
    const { ended } = await rolling(staging);
    const first = staging.order({ action: 'rollback' });
    await staging.clock.drive(staging.clock.sleep(3));
    const second = staging.order({ action: 'abort' });
    expect(await second).toMatchObject({ groups: [{ state: 'noted' }] });
    expect(await first).toMatchObject({
      groups: [{ state: 'nothing-to-do', reason: expect.stringMatching(/^its tags say abort since /) }],
    });
    await ended;
    await staging.finish();
    expect(staging.endings).toEqual(['aborted']);
    staging.invariants.assertFinished();
  });
});

describe('an order', () => {
  test('says so if no roll has begun in the cluster, and writes nothing', async () => {
    const staging = staged();
    expect(await staging.order({ action: 'rollback' })).toEqual({
      kind: 'answered',
      groups: [{ cluster: 'demo', group: '*', state: 'nothing-to-do', reason: 'no roll has begun' }],
    });
    expect(writes(staging.account.calls.log)).toEqual([]);
  });

  test('before a roll keeps it from beginning', async () => {
    const staging = staged();
    await staging.order({ action: 'pause' });
    expect(only(await staging.invoke()).state).toBe('paused');
    await staging.order({ action: 'resume' });
    expect([...groupOf(staging).tags.keys()]).toEqual([]);
  });

  test.each(['pause', 'resume'])('%s fails if no group of the cluster hears it', async (action) => {
    const staging = stage({ shortcut: true, furnish: (world) => void world.addCluster('demo') });
    expect(await staging.order({ action })).toMatchObject({
      groups: [
        {
          cluster: 'demo',
          group: '*',
          state: 'failed',
          reason: expect.stringMatching(new RegExp(`^no group of the cluster got the ${action}: `)),
        },
      ],
    });
  });

  test('for a roll that ends at that moment leaves no tag', async () => {
    const staging = staged();
    await rolling(staging).then(({ ended }) => ended);
    await staging.finish();
    const ends: Interceptor = {
      before({ operation }) {
        if (operation !== 'CreateOrUpdateTags') return;
        for (const key of [...groupOf(staging).tags.keys()]) groupOf(staging).tags.delete(key);
      },
    };
    write(staging, {
      [GROUP_TAGS.cluster]: 'demo',
      [GROUP_TAGS.image]: NEW,
      [GROUP_TAGS.startedAt]: new Date(staging.clock.now()).toISOString(),
    });
    expect(await staging.order({ action: 'abort' }, [ends])).toMatchObject({
      groups: [{ state: 'nothing-to-do', reason: 'its roll has ended' }],
    });
    expect([...groupOf(staging).tags.keys()]).toEqual([]);
  });

  test('for a roll that ends by it before the next look is noted', async () => {
    const staging = staged();
    write(staging, {
      [GROUP_TAGS.cluster]: 'demo',
      [GROUP_TAGS.image]: NEW,
      [GROUP_TAGS.startedAt]: new Date(staging.clock.now()).toISOString(),
    });
    const obeys: Interceptor = {
      after({ operation }) {
        if (operation === 'CreateOrUpdateTags') groupOf(staging).tags.clear();
      },
    };
    expect(await staging.order({ action: 'abort' }, [obeys])).toMatchObject({
      groups: [{ state: 'noted', reason: 'its roll has ended since' }],
    });
  });

  test('fails if a roll has nothing to go back to, and says why', async () => {
    const staging = staged({ expectations: { forceBeforeMs: Number.POSITIVE_INFINITY } });
    await staging.invoke();
    await staging.finish();
    void staging.invoke({ action: 'roll', force: true });
    await staging.clock.drive(staging.clock.sleep(30));
    expect(await staging.order({ action: 'rollback' })).toMatchObject({
      groups: [
        {
          state: 'failed',
          reason:
            "somebody asked for it; it can't be rolled back, as the roll has not changed what the group launches: " +
            'order `ecs-ami-deploy abort`',
        },
      ],
    });
  });

  test('that one group refuses is recorded on the others, and reported as failed', async () => {
    const staging = staged({
      furnish: (world) => {
        world.addGroup({ name: 'second', cluster: 'demo', image: oldest(world), instances: 1 });
      },
    });
    const refuses: Interceptor = {
      before(call) {
        if (isTagging(call, 'demo-ecs')) throw new AwsError('AccessDenied', 'not authorized', 403);
      },
    };
    expect(await staging.order({ action: 'pause' }, [refuses])).toMatchObject({
      groups: [
        {
          group: 'demo-ecs',
          state: 'failed',
          reason: expect.stringMatching(/^AccessDenied: .*; give it again$/),
        },
        { group: 'second', state: 'noted' },
      ],
    });
    expect(groupOf(staging, 'second').tags.get(GROUP_TAGS.paused)).toBeDefined();
  });

  test('that AWS refuses for a while is tried again', async () => {
    const staging = staged();
    const until = staging.clock.now() + 60_000;
    const refuses: Interceptor = {
      before(call) {
        if (isTagging(call, 'demo-ecs') && staging.clock.now() < until)
          throw new AwsError('ResourceContention', 'busy', 500);
      },
    };
    expect(await staging.order({ action: 'pause' }, [refuses])).toMatchObject({
      groups: [{ state: 'noted' }],
    });
  });

  test.each(['roll', 'continue', 'plan', 'status'])("can't be %s", async (action) => {
    await expect(staged().order({ action })).rejects.toThrow(
      `action was ${action}; here it may be pause, resume, abort, rollback`,
    );
  });
});

function isTagging({ operation, input }: Call, group: string): boolean {
  return operation === 'CreateOrUpdateTags' && JSON.stringify(input).includes(`"${group}"`);
}

describe('the role for orders', () => {
  const home = { account: '123456789012', region: DEFAULT_REGION };
  const policies = rolePolicies(home, { clusters: ['demo'] }, 'orders');

  test('is allowed all that orders need, and nothing more', async () => {
    const staging = staged({
      expectations: { endings: ['rolled-back'] },
      furnish: (world) => world.addCapacityProvider({ name: 'provider', cluster: 'demo', group: 'demo-ecs' }),
    });
    const permissions = enforce(policies, resourceFacts(staging.world));
    const { ended } = await rolling(staging);
    for (const action of ['pause', 'resume', 'rollback'])
      expect(await staging.order({ action }, [permissions])).toMatchObject({ groups: [{ state: 'noted' }] });
    await ended;
    await staging.finish();
    expect(permissions.unused()).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents', 'sqs:SendMessage']);
  });

  test('is allowed to answer what a roll asks people', async () => {
    const staging = stage({
      shortcut: true,
      environment: { BEFORE_BATCH: TOPIC },
      furnish(world) {
        standardScenario({ world, instances: 1, services: 1 });
        addTopic(world);
      },
    });
    const asking = rolePolicies(home, { clusters: ['demo'], beforeBatch: TOPIC }, 'orders');
    const permissions = enforce(asking, resourceFacts(staging.world));
    const ended = staging.invoke();
    while (published(staging.world).length === 0) await staging.clock.drive(staging.clock.sleep(5));
    const answer = { action: 'approve', group: 'demo-ecs', question: questionOf(staging.world) };
    expect(await staging.order(answer, [permissions])).toMatchObject({ groups: [{ state: 'noted' }] });
    await ended;
    expect(only(await staging.invoke())).toMatchObject({ state: 'up-to-date' });
  });

  test('may write no other tag', async () => {
    const staging = staged();
    const permissions = enforce(policies, resourceFacts(staging.world));
    const outcome = await staging.invoke({ action: 'roll' }, [permissions]);
    expect(groupsOf(outcome)).toMatchObject([{ state: 'failed' }]);
    expect(writes(staging.account.calls.log.filter(({ tookEffect }) => tookEffect))).toEqual([]);
  });
});

const SEEDS = Array.from({ length: 48 }, (_, index) => index + 1);
const ORDERS = ['pause', 'abort', 'rollback'] as const;
const ENDINGS = { pause: 'completed', abort: 'aborted', rollback: 'rolled-back' } as const;

test.each(SEEDS)('an order during a run, either of them killed, does no harm (seed %i)', async (seed) => {
  const random = createRandom(seed);
  const action = ORDERS[seed % 3] ?? 'pause';
  const staging = staged({
    ...BRISK,
    seed,
    environment: { ...BRISK.environment, MAX_SURGE: seed % 2 === 0 ? '2' : '100%' },
    expectations: { maxSurge: seed % 2 === 0 ? 2 : 4, endings: ['completed', ENDINGS[action]] },
    account: { latencySeconds: () => random() ** 4 * 10 },
  });
  const dies = random() < 0.5 ? [killAfter(20 + Math.floor(random() * 200))] : [];
  const run = staging.invoke({ action: 'roll' }, dies);
  await staging.clock.drive(staging.clock.sleep(random() * 300));
  const calls = 1 + Math.floor(random() * 6);
  const orderDies = random() < 0.4 ? [random() < 0.5 ? killAfter(calls) : killBefore(calls)] : [];
  const [outcome] = await Promise.all([staging.order({ action }, orderDies), run]);
  const isNoted = outcome.kind === 'answered' && outcome.groups.some(({ state }) => state === 'noted');
  if (action === 'pause') {
    if (isNoted) await keepInvoking(staging, 10, { action: 'continue' });
    await staging.order({ action: 'resume' });
  }
  await staging.finish();
  // Killed before anything was written, a roll has not begun: the schedule begins it. What was ordered
  // it leaves alone.
  await staging.roll();
  if (isNoted) expect(staging.endings.at(-1)).toBe(ENDINGS[action]);
  expect(told(staging, /failed/)).toEqual([]);
  expect(staging.account.bugs).toEqual([]);
});

test('a group that somebody has filled with tags in mid-roll launches its old image again, and goes back once there is room', async () => {
  const staging = standardStage(
    { group: { maxSize: 10 } },
    { environment: { MAX_SURGE: '1' }, expectations: { endings: ['rolled-back'] } },
  );
  const { world } = staging;
  const { tags } = groupOf(staging);
  const filling: string[] = [];
  const ordered: Promise<unknown>[] = [];
  afterTag(
    staging,
    GROUP_TAGS.suspended,
    (value) => value !== 'none',
    60,
    () => {
      for (let count = 0; tags.size < 50; count++) {
        filling.push(`filling-${count}`);
        world.forger.tagGroup(groupOf(staging), `filling-${count}`, 'x');
      }
      ordered.push(staging.order({ action: 'rollback' }));
    },
  );
  const said = only(await staging.invoke());
  await staging.clock.drive(Promise.all(ordered));
  expect(said).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('as many tags as AWS allows'),
  });
  expect(told(staging, /gives the group back what it launched from before$/)).toHaveLength(1);
  for (const key of filling) world.forger.tagGroup(groupOf(staging), key, undefined);
  await staging.finish();
  expect(staging.endings).toEqual(['rolled-back']);
  expect(membersOf(staging).map(({ imageId }) => imageId)).toEqual(Array(4).fill(OLD));
});
