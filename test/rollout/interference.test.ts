import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { sealedMark } from '../sealed.ts';
import { addLaunchConfiguration } from '../simulated-aws/world/autoscaling/launch-configurations.ts';
import { launchesOf } from '../simulated-aws/world/autoscaling/launch-sources.ts';
import { terminateInstance } from '../simulated-aws/world/ec2/instances.ts';
import { addVersion, resolveVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import { type Instance, isAlive } from '../simulated-aws/world/ec2/model.ts';
import { afterTag, groupOf, isDrain, keepInvoking, launchedFrom, membersOf, once } from './happenings.ts';
import { groupsOf, only, writes } from './outcomes.ts';
import { type Stage, standardStage } from './stage.ts';

/** What somebody does to a group while it is rolled, at each stage of a roll, and how that ends. */

const OLD = 'ami-00000000000000001';
const NEW = 'ami-00000000000000002';
const ours = /^ecs-ami-deploy-/;

/**
 * By then half of the four old members are detached and as many have been launched, which fail if it rolls
 * back.
 */
const MOMENTS = {
  'as it waits for replacements': ({ world, clock }, happens) =>
    once(
      world,
      (event) => event.kind === 'instance-launched' && event.instance.imageId === NEW,
      () => clock.schedule(12, happens),
    ),
  'as it drains': ({ world, clock }, happens) => once(world, isDrain, () => clock.schedule(3, happens)),
  'as it goes back': (staged, happens) => afterTag(staged, GROUP_TAGS.course, isBack, 1, happens),
  'as it has gone back half the way': (staged, happens) =>
    afterTag(staged, GROUP_TAGS.course, isBack, 30, happens),
} as const satisfies Record<string, (staged: Stage, happens: () => void) => void>;
type Moment = keyof typeof MOMENTS;

const isBack = (value: string) => value.startsWith('rollback');

const FORWARD: readonly Moment[] = ['as it waits for replacements', 'as it drains'];
const BACK: readonly Moment[] = ['as it goes back', 'as it has gone back half the way'];

/** By a template's version, or a launch configuration. */
const REFERENCES = ['launch configuration', '1', '$Latest', '$Default'] as const;
type Reference = (typeof REFERENCES)[number];

interface Options {
  readonly reference?: Reference;
  readonly provider?: boolean;
}

interface Played {
  readonly staged: Stage;
  /** What was said of the group the last time. */
  readonly said: GroupResult | undefined;
  /** How many calls had been made when it happened. */
  readonly calls: number;
}

/** A roll in which something happens, and an hour of invocations. */
async function interfere(
  moment: Moment,
  happens: (staged: Stage) => void,
  { reference = '$Latest', provider = false }: Options = {},
): Promise<Played> {
  const by =
    reference === 'launch configuration'
      ? ({ launchSpec: 'launch-configuration' } as const)
      : { version: reference };
  const staged = standardStage(
    { ...by, group: { maxSize: 10 } },
    {
      environment: { MAX_SURGE: '2', READY_TIMEOUT_SECONDS: '240' },
      expectations: { maxSurge: 2, endings: ['completed', 'rolled-back'] },
      furnish(world) {
        if (provider) world.addCapacityProvider({ name: 'provider', cluster: 'demo', group: 'demo-ecs' });
        if (BACK.includes(moment)) world.faults.spoilImage(NEW);
      },
    },
  );
  let calls = Number.NaN;
  MOMENTS[moment](staged, () => {
    calls = staged.account.calls.log.length;
    happens(staged);
  });
  const said = await keepInvoking(staged, 60);
  expect(calls).not.toBeNaN();
  staged.clock.advance(300);
  return { staged, said: said.find(({ group }) => group === 'demo-ecs'), calls };
}

const imagesOf = (staged: Stage) => membersOf(staged).map(({ imageId }) => imageId);

const times = (count: number, imageId: string) => Array.from({ length: count }, () => imageId);

/** The first of those that are detached. */
function detached(staged: Stage): Instance {
  const isMember = new Set(membersOf(staged));
  const found = launchedFrom(staged.world, OLD).find((each) => isAlive(each) && !isMember.has(each));
  if (found === undefined) throw new Error('none is detached');
  return found;
}

function takeTags(tags: Map<string, unknown>): void {
  for (const key of [...tags.keys()]) if (ours.test(key)) tags.delete(key);
}

const ourTags = (tags: ReadonlyMap<string, unknown>) => [...tags.keys()].filter((key) => ours.test(key));

const statusesOf = (instances: readonly Instance[]) =>
  instances.filter(isAlive).map(({ containerInstance }) => containerInstance?.status);

describe.each([...FORWARD, 'as it goes back'] as const)('%s, the group is deleted', (moment) => {
  test('that is said each time, with the detached instances, which serve until terminated by hand', async () => {
    const { staged, said, calls } = await interfere(moment, ({ world }) =>
      world.owner.deleteGroup('demo-ecs'),
    );
    const blocked = {
      state: 'blocked',
      reason:
        'there is no Auto Scaling group of this name, but i-00000000000000001, i-00000000000000002 still have our tags; drain and terminate them by hand',
    };
    expect(said).toMatchObject(blocked);
    expect(only(await staged.invoke())).toMatchObject(blocked);
    expect(writes(staged.account.calls.log.slice(calls))).toEqual([]);
    const left = launchedFrom(staged.world, OLD).filter(isAlive);
    expect(statusesOf(left)).toEqual([moment === 'as it drains' ? 'DRAINING' : 'ACTIVE', 'ACTIVE']);
    staged.invariants.assertHeld();
    for (const instance of left) terminateInstance(staged.world.state, instance, 'owner');
    expect(groupsOf(await staged.invoke({ action: 'continue' }))).toEqual([]);
  });
});

/** Its owner makes the group launch another type, through the reference that they chose. */
function changeLaunchSpec(staged: Stage, from: 'his' | 'ours'): void {
  const { state } = staged.world;
  const group = groupOf(staged);
  const { launchSpec: spec } = group;
  if (spec.kind === 'launch-configuration') {
    const name = from === 'his' ? 'demo-ecs-launch-configuration' : spec.name;
    const copied = state.launchConfigurations.get(name)?.description;
    if (copied === undefined) throw new Error(`no launch configuration ${name}`);
    const theirs = { ...copied, LaunchConfigurationName: 'theirs', InstanceType: 'm5.xlarge' };
    addLaunchConfiguration(state, theirs, 'owner');
    group.launchSpec = { ...spec, name: 'theirs' };
    state.emit({ kind: 'group-written', group, cause: 'owner' });
    return;
  }
  const { template, version } = spec;
  const copied = template.versions.get(from === 'his' ? 1 : template.lastNumber);
  const data = { ...copied?.data, InstanceType: 'm5.xlarge' as const };
  const { number } = addVersion(state, template, data, 'theirs', 'owner');
  if (version === '$Default') template.defaultVersion = number;
  if (version === '1' || version === '2') group.launchSpec = { ...spec, version: String(number) };
  state.emit({ kind: 'group-written', group, cause: 'owner' });
}

/** What the group launches now. */
function launches(staged: Stage) {
  const { launchSpec: spec } = groupOf(staged);
  const { state } = staged.world;
  const [imageId] = launchesOf(state, spec).map((launch) => launch?.imageId);
  if (spec.kind === 'launch-configuration') {
    const { InstanceType: type } = state.launchConfigurations.get(spec.name)?.description ?? {};
    return { imageId, type, isTheirs: spec.name === 'theirs' };
  }
  const version = resolveVersion(spec.template, spec.version);
  return { imageId, type: version?.data.InstanceType, isTheirs: version?.description === 'theirs' };
}

describe.each(REFERENCES)('its owner changes what the group launches, by %s', (reference) => {
  test.each(FORWARD)(
    '%s: the image is written into that, and instances with the image stay',
    async (moment) => {
      const { staged, said } = await interfere(moment, (at) => changeLaunchSpec(at, 'his'), { reference });
      expect(said?.state).toBe('completed');
      expect(launches(staged)).toEqual({ imageId: NEW, type: 'm5.xlarge', isTheirs: false });
      expect(imagesOf(staged)).toEqual(times(4, NEW));
      const types = membersOf(staged).map(({ instanceType }) => instanceType);
      expect(types).toEqual(['m5.large', 'm5.large', 'm5.xlarge', 'm5.xlarge']);
      staged.invariants.checkFinished();
      // One for what it launched before, and one for what it launches now.
      expect(staged.invariants.violations.map(({ what }) => what)).toEqual([
        expect.stringMatching(/for ami-0+2 was made 2 times$/),
      ]);
    },
  );

  test.each(BACK)('%s: the group keeps that, and loses what failed', async (moment) => {
    const { staged, said } = await interfere(moment, (at) => changeLaunchSpec(at, 'his'), { reference });
    expect(said?.state).toBe('rolled-back');
    expect(launches(staged)).toEqual({ imageId: OLD, type: 'm5.xlarge', isTheirs: true });
    expect(imagesOf(staged)).toEqual(times(4, OLD));
    staged.invariants.assertFinished();
  });
});

test.each(FORWARD)(
  '%s, somebody deletes the version that the roll made: the same roll makes another one',
  async (moment) => {
    const { staged, said } = await interfere(moment, takeVersion, { reference: '1' });
    expect(said?.state).toBe('completed');
    expect(launches(staged).imageId).toBe(NEW);
    expect(imagesOf(staged)).toEqual(times(4, NEW));
    staged.invariants.assertFinished();
  },
);

/** The group gets its old version back by hand, and ours goes. */
function takeVersion(staged: Stage): void {
  const { state } = staged.world;
  const group = groupOf(staged);
  const { launchSpec: spec } = group;
  if (spec.kind !== 'launch-template') throw new Error('no launch template');
  const { template } = spec;
  group.launchSpec = { ...spec, version: '1' };
  state.emit({ kind: 'group-written', group, cause: 'owner' });
  const version = resolveVersion(template, '2');
  if (version === undefined) throw new Error('no version of ours');
  template.versions.delete(version.number);
  state.emit({ kind: 'template-written', template, version, change: 'deleted', cause: 'owner' });
}

// Otherwise failed instances would be replaced with the same image, again and again.
describe.each(['launch configuration', '$Latest'] as const)(
  'its owner adopts the failing launch spec, by %s',
  (reference) => {
    test('during a rollback: the roll stops and says so, and launches no more of it', async () => {
      const { staged, said } = await interfere('as it goes back', (at) => changeLaunchSpec(at, 'ours'), {
        reference,
        provider: true,
      });
      expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(NEW) });
      expect(launchedFrom(staged.world, NEW).length).toBeLessThanOrEqual(4);
    });

    test('while old ones return in its place: the end reports what the group launches', async () => {
      const { said } = await interfere('as it goes back', (at) => changeLaunchSpec(at, 'ours'), {
        reference,
      });
      expect(said?.reason).toContain(`4 members run ${OLD}; it still launches ${NEW}`);
    });
  },
);

describe('a detached instance is attached again', () => {
  const reattach = (staged: Stage) => staged.world.owner.attachInstance('demo-ecs', detached(staged).id);

  test.each(FORWARD)('%s: it is replaced like the others, in a group of one more', async (moment) => {
    const { staged, said } = await interfere(moment, reattach);
    expect(said?.state).toBe('completed');
    expect(imagesOf(staged)).toEqual(times(5, NEW));
    staged.invariants.assertFinished();
  });

  test('during a rollback: it stays, in a group of one more', async () => {
    const { staged, said } = await interfere('as it goes back', reattach);
    expect(said?.state).toBe('rolled-back');
    expect(imagesOf(staged)).toEqual(times(5, OLD));
    expect(membersOf(staged).map(({ id }) => id)).toContain('i-00000000000000001');
    staged.invariants.assertFinished();
  });
});

describe('a member that stays is marked as one that goes', () => {
  const MARKED = markTags('demo', { group: 'demo-ecs', detachStartedAt: new Date('2026-11-21') });

  test.each([
    ...FORWARD.map((moment) => [moment, NEW, 'completed'] as const),
    ...BACK.map((moment) => [moment, OLD, 'rolled-back'] as const),
  ])('%s: it loses the tags', async (moment, imageId, ending) => {
    let tagged: Instance | undefined;
    const { staged, said } = await interfere(moment, (at) => {
      tagged = membersOf(at).findLast((each) => each.imageId === imageId);
      if (tagged === undefined) return;
      for (const [key, value] of Object.entries(sealedMark(tagged, MARKED))) tagged.tags.set(key, value);
    });
    expect(said?.state).toBe(ending);
    expect(membersOf(staged)).toContain(tagged);
    expect(imagesOf(staged)).toEqual(times(4, imageId));
    staged.invariants.assertFinished();
  });
});

describe('an instance is terminated by hand', () => {
  const byHand = (find: (staged: Stage) => Instance | undefined) => (staged: Stage) => {
    const instance = find(staged);
    if (instance === undefined) throw new Error('there is none');
    terminateInstance(staged.world.state, instance, 'owner');
  };

  test.each([
    ...FORWARD.map((moment) => [moment, NEW, 'completed'] as const),
    ['as it goes back', OLD, 'rolled-back'] as const,
  ])('%s, a detached one: the others go on', async (moment, imageId, ending) => {
    const { staged, said } = await interfere(moment, byHand(detached));
    expect(said?.state).toBe(ending);
    expect(imagesOf(staged)).toEqual(times(4, imageId));
    staged.invariants.assertFinished();
  });

  test.each(BACK)('%s, a failed one: the group launches an old one in its place', async (moment) => {
    const { staged, said } = await interfere(
      moment,
      byHand(({ world }) => launchedFrom(world, NEW).find(isAlive)),
    );
    expect(said?.state).toBe('rolled-back');
    expect(imagesOf(staged)).toEqual(times(4, OLD));
    staged.invariants.assertFinished();
  });
});

describe('the tags are removed from a detached instance, which then belongs to nobody', () => {
  test.each([
    ['as it waits for replacements', 'completed', 'ACTIVE'],
    ['as it drains', 'completed', 'DRAINING'],
    ['as it goes back', 'rolled-back', 'ACTIVE'],
  ] as const)(
    '%s: the roll is %s without it, it is left %s, and reported',
    async (moment, ending, status) => {
      let untagged: Instance | undefined;
      const { staged, said } = await interfere(moment, (at) => {
        untagged = detached(at);
        takeTags(untagged.tags);
      });
      expect(said?.state).toBe(ending);
      expect(imagesOf(staged)).toEqual(times(4, ending === 'completed' ? NEW : OLD));
      expect(untagged).toMatchObject({ state: 'running', containerInstance: { status } });
      expect(groupsOf(await staged.invoke())).toContainEqual(
        expect.objectContaining({
          group: '*',
          state: 'skipped',
          reason: 'i-00000000000000001 is in no Auto Scaling group, and is left alone',
        }),
      );
    },
  );
});

describe('all our tags are removed from the group', () => {
  const untag = (staged: Stage) => takeTags(groupOf(staged).tags);

  test.each(FORWARD)("%s: the roll is found by its instances' tags, and ended", async (moment) => {
    const { staged, said } = await interfere(moment, untag);
    expect(said?.state).toBe('completed');
    expect(imagesOf(staged)).toEqual(times(4, NEW));
    expect(launchedFrom(staged.world, OLD).filter(isAlive)).toEqual([]);
    expect(ourTags(groupOf(staged).tags)).toEqual([]);
    // The invocation that suspended them knows; one that begins later could not.
    expect([...groupOf(staged).suspendedProcesses]).toEqual([]);
    staged.invariants.assertHeld();
  });

  test('during a rollback: its target is lost, and it stops with the old ones in service', async () => {
    const { staged, said } = await interfere('as it goes back', untag);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/^after 240 s, replacements are not ready: i-0+5 .* not registered/),
    });
    const old = launchedFrom(staged.world, OLD);
    expect(statusesOf(old)).toEqual(times(4, 'ACTIVE'));
    expect(launchedFrom(staged.world, NEW)).toHaveLength(2);
    staged.invariants.assertHeld();
  });
});

describe('the cluster is deleted', () => {
  test.each([...FORWARD, 'as it goes back'] as const)(
    '%s: every invocation fails and names it, and nothing more is done',
    async (moment) => {
      const { staged, said, calls } = await interfere(moment, ({ world }) =>
        world.owner.deleteCluster('demo'),
      );
      const failed = {
        state: 'failed',
        reason: 'cluster demo does not exist in this account and Region; fix its name or create it',
      };
      expect(said).toMatchObject(failed);
      expect(only(await staged.invoke())).toMatchObject({ group: '*', ...failed });
      expect(writes(staged.account.calls.log.slice(calls))).toEqual([]);
      expect([...staged.world.state.instances.values()].filter(isAlive)).toHaveLength(6);
      staged.invariants.assertHeld();
    },
  );
});

describe('the image is withdrawn', () => {
  const withdraw =
    (imageId: string) =>
    ({ world }: Stage) =>
      world.owner.deregisterImage(imageId);

  test.each([...FORWARD, ...BACK])('%s, the new one: the roll goes back', async (moment) => {
    const { staged, said } = await interfere(moment, withdraw(NEW));
    expect(said?.state).toBe('rolled-back');
    expect(imagesOf(staged)).toEqual(times(4, OLD));
    staged.invariants.assertFinished();
    expect(only(await staged.invoke())).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/^image ami-0+2, which parameter .* holds, does not exist/),
    });
  });

  test.each(FORWARD)('%s, the old one: the roll goes on', async (moment) => {
    const { staged, said } = await interfere(moment, withdraw(OLD));
    expect(said?.state).toBe('completed');
    expect(imagesOf(staged)).toEqual(times(4, NEW));
    staged.invariants.assertFinished();
  });

  test.each(['disabled', 'deregistered'] as const)(
    '%s, and the roll aborted: it ends what drains',
    async (state) => {
      const staged = standardStage({ group: { maxSize: 12 } }, { lambdaSeconds: 200 });
      const { world, clock, invoke, endings } = staged;
      once(world, isDrain, () => clock.schedule(20, () => world.setImageState(NEW, state)));
      await invoke();
      await invoke({ action: 'abort' });
      await staged.finish(40);
      expect(endings).toEqual(['aborted']);
      expect(statusesOf([...world.state.instances.values()])).not.toContain('DRAINING');
      expect(ourTags(groupOf(staged).tags)).toEqual([GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause]);
    },
  );

  test('during a rollback, the old one: what serves keeps serving until the image is there again', async () => {
    const { staged, said } = await interfere('as it goes back', withdraw(OLD));
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        /^the group would launch ami-0+1, which failed or is no longer available; /,
      ),
    });
    expect(statusesOf(launchedFrom(staged.world, OLD))).toEqual(times(4, 'ACTIVE'));
    staged.invariants.assertHeld();
    const image = staged.world.state.images.get(OLD);
    if (image) image.state = 'available';
    await staged.finish(40);
    expect(staged.endings).toEqual(['rolled-back']);
    expect(imagesOf(staged)).toEqual(times(4, OLD));
    staged.invariants.assertFinished();
  });
});
