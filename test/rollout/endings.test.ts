import { describe, expect, test } from 'vitest';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import type { WorldEvent } from '../simulated-aws/world/events.ts';
import { READINGS } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { keepInvoking, once } from './happenings.ts';
import { writes } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

interface Staging extends Pick<StageOptions, 'environment' | 'expectations'> {
  readonly instances?: number;
  readonly prepare?: (world: World) => void;
}

function staged({ instances = 4, prepare, ...options }: Staging = {}): Stage {
  return standardStage(
    { instances },
    {
      environment: { MAX_SURGE: '0' },
      expectations: { maxSurge: 0 },
      ...options,
      ...(prepare && { furnish: prepare }),
    },
  );
}

const provide = (world: World) => {
  world.addCapacityProvider({ name: 'demo', cluster: 'demo', group: 'demo-ecs' });
};

async function roll(staging: Stage): Promise<GroupResult | undefined> {
  const outcome = await staging.invoke();
  const [group] = outcome.kind === 'answered' ? outcome.groups : [];
  if (group?.state === 'completed') return group;
  return (await staging.finish())[0];
}

describe('a termination by the group, under managed draining', () => {
  test.each(READINGS.unknownHosts)('is not held, if unknown hosts are %s', async (unknownHosts) => {
    const staging = staged({
      prepare: (world) => {
        provide(world);
        world.state.readings.unknownHosts = unknownHosts;
      },
    });
    const begun = staging.clock.now();
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
    expect(staging.clock.now() - begun).toBeLessThan(1_200_000);
    staging.invariants.assertFinished();
  });

  test('names the hook that does not let go, since when, and what to do', async () => {
    const staging = staged({ prepare: provide, instances: 2 });
    staging.world.subscribe((event) => {
      if (event.kind !== 'member-changed' || event.member.lifecycleState !== 'Terminating:Wait') return;
      staging.world.faults.dropAgent(event.member.instance.id);
    });
    await staging.invoke();
    staging.clock.advance(300);
    await staging.invoke({ action: 'continue' });
    expect(staging.log.at(-1)).toMatch(
      /blocked: after 900 s, i-0+1 is Terminating:Wait, ending since 2026.*; hook ecs-managed-draining-termination-hook does not let go/,
    );
    staging.invariants.assertHeld();
  });
});

describe("the owner's terminate hooks", () => {
  const hooked = (seconds: number, defaultResult: 'CONTINUE' | 'ABANDON') => (world: World) =>
    world.owner.addLifecycleHook('demo-ecs', { transition: 'terminating', seconds, defaultResult });

  test('may take their time', async () => {
    const staging = staged({ instances: 2, prepare: hooked(1500, 'CONTINUE') });
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 2 } });
    expect(staging.log.join('\n')).not.toMatch('blocked:');
    staging.invariants.assertFinished();
  });

  test('can retain an instance: nothing more begins until somebody has looked at it', async () => {
    const staging = staged({ instances: 2, prepare: hooked(60, 'ABANDON') });
    staging.world.owner.retainAbandoned('demo-ecs');
    await staging.invoke();
    expect(staging.log.at(-1)).toMatch(/blocked: i-0+1 is drained and Terminating:Retained/);
    const retained = staging.world.state.instances.get('i-00000000000000001');
    expect(retained?.state).toBe('running');
  });

  test('can retain an instance that its owner then detaches with our tags, and which is not ended', async () => {
    const staging = staged({ instances: 2, prepare: hooked(60, 'ABANDON') });
    const { owner, state } = staging.world;
    owner.retainAbandoned('demo-ecs');
    let kept = '';
    staging.world.subscribe((event) => {
      if (event.kind !== 'member-changed' || event.member.lifecycleState !== 'Terminating:Retained') return;
      kept = event.member.instance.id;
      owner.detachInstance(kept);
    });
    const said = await keepInvoking(staging, 20);
    expect(said).toMatchObject([{ state: 'blocked', code: 'detachment-unproven' }]);
    expect(state.instances.get(kept)?.state).toBe('running');
    // As the runbook says.
    for (const key of Object.values(INSTANCE_TAGS)) state.instances.get(kept)?.tags.delete(key);
    owner.setSizes('demo-ecs', {});
    await keepInvoking(staging, 10);
    expect(state.instances.get(kept)?.state).toBe('running');
  });

  test('can retain an instance for good: detached without our tags, it is no longer ours', async () => {
    const staging = staged({ instances: 2, prepare: hooked(60, 'ABANDON') });
    const { owner, state } = staging.world;
    owner.retainAbandoned('demo-ecs');
    const old = [...state.instances.values()];
    staging.world.subscribe((event) => {
      if (event.kind !== 'member-changed' || event.member.lifecycleState !== 'Terminating:Retained') return;
      const { id, tags } = event.member.instance;
      for (const key of Object.values(INSTANCE_TAGS)) tags.delete(key);
      owner.detachInstance(id);
    });
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 2 } });
    expect(old.map((instance) => instance.state)).toEqual(['running', 'running']);
    expect(staging.log.join('\n')).not.toMatch(/terminate i-\d+$/m);
  });
});

describe.each([
  ['termination protection', 'setTerminationProtection'],
  ['stop protection', 'setStopProtection'],
] as const)('%s', (_, set) => {
  const SURGE = { environment: { MAX_SURGE: '4' }, expectations: { maxSurge: 4 } } as const;
  const FIRST = 'i-00000000000000001';
  const protect = (staging: Stage, isProtected: boolean, id = FIRST) =>
    staging.world.owner[set](id, isProtected);
  const statusOf = (staging: Stage, id = FIRST) =>
    staging.world.state.instances.get(id)?.containerInstance?.status;

  test('is reported before anything changes', async () => {
    const staging = staged(SURGE);
    protect(staging, true);
    await staging.invoke();
    expect(staging.log.at(-1)).toMatch(
      /blocked: i-0+1 is protected from termination: .* modify-instance-attribute/,
    );
    expect(writes(staging.account.calls.log)).toEqual([]);
  });

  test('does not keep a group from terminating its members', async () => {
    const staging = staged();
    for (const id of staging.world.state.instances.keys()) protect(staging, true, id);
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
    staging.invariants.assertFinished();
  });

  /** In the middle of a roll, when the instance does this. */
  async function protectedWhen(status: 'ACTIVE' | 'DRAINING') {
    const staging = staged(SURGE);
    const isDue = (event: WorldEvent) =>
      status === 'ACTIVE'
        ? event.kind === 'member-detaching' && event.instance.id === FIRST
        : event.kind === 'container-instance-changed' &&
          event.containerInstance.instance.id === FIRST &&
          event.containerInstance.status === 'DRAINING';
    once(staging.world, isDue, () => protect(staging, true));
    await staging.invoke();
    expect(staging.log.at(-1)).toMatch(/blocked: i-0+1 is detached and protected from termination/);
    const alive = [...staging.world.state.instances.values()].filter(({ state }) => state === 'running');
    expect(alive).toHaveLength(5);
    return staging;
  }

  test('that is set in the middle keeps only that instance, which serves until it is removed', async () => {
    const staging = await protectedWhen('ACTIVE');
    expect(statusOf(staging)).toBe('ACTIVE');
    staging.clock.advance(3600);
    protect(staging, false);
    expect(await staging.finish()).toMatchObject([{ state: 'completed', instances: { replaced: 4 } }]);
    staging.invariants.assertFinished();
  });

  test('that is removed while others drain no longer holds the roll up', async () => {
    const staging = staged(SURGE);
    staging.world.subscribe((event) => {
      if (event.kind === 'member-detaching' && event.instance.id === FIRST) protect(staging, true);
      if (event.kind === 'instance-terminating') protect(staging, false);
    });
    expect(await staging.invoke()).toMatchObject({ groups: [{ state: 'completed' }] });
    expect(staging.world.state.instances.get(FIRST)?.state).toBe('terminated');
    staging.invariants.assertFinished();
  });

  test('that is set while an instance drains shows in the refusal, and is named too', async () => {
    const staging = await protectedWhen('DRAINING');
    protect(staging, false);
    expect(await staging.finish()).toMatchObject([{ state: 'completed', instances: { replaced: 4 } }]);
    staging.invariants.assertFinished();
  });
});

describe('with TERMINATE_HOOKS=run', () => {
  const run = (rest: Partial<Staging> = {}): Staging => ({
    environment: { TERMINATE_HOOKS: 'run' },
    expectations: { maxSurge: 4 },
    ...rest,
    prepare(world) {
      world.owner.setSizes('demo-ecs', { maxSize: 8 });
      world.owner.addLifecycleHook('demo-ecs', { name: 'logs', transition: 'terminating', seconds: 60 });
      rest.prepare?.(world);
    },
  });

  /** The instances for which the hook has run, and those that ended. */
  function endings({ world }: Stage) {
    const hooked = new Set<string>();
    const ended = new Set<string>();
    world.subscribe((event) => {
      if (event.kind === 'instance-terminating') ended.add(event.instance.id);
      if (event.kind === 'member-changed' && event.member.lifecycleState === 'Terminating:Wait')
        hooked.add(event.member.instance.id);
    });
    return { hooked, ended };
  }

  test.each<[string, Partial<Staging>]>([
    ['as it is', {}],
    ['with a trial first', { environment: { TERMINATE_HOOKS: 'run', CANARY: '1' } }],
    ['of a capacity provider', { prepare: provide }],
    [
      'of which one is protected from termination and from scale-in',
      {
        prepare: (world) => {
          world.owner.setTerminationProtection('i-00000000000000001', true);
          world.owner.protectFromScaleIn('i-00000000000000002');
        },
      },
    ],
  ])('the hooks run for each instance of a group %s', async (_, options) => {
    const staging = staged(run(options));
    const { hooked, ended } = endings(staging);
    expect(await roll(staging)).toMatchObject({ state: 'completed', instances: { replaced: 4 } });
    expect(ended.size).toBe(4);
    expect(hooked).toEqual(ended);
    staging.invariants.assertFinished();
  });

  test('a rollback runs them for failed instances, and restores the sizes', async () => {
    const staging = staged(run({ expectations: { maxSurge: 4, endings: ['rolled-back'] } }));
    const { hooked, ended } = endings(staging);
    for (const image of staging.world.state.images.values())
      if (image.createdAtMs > Date.parse('2026-11-01')) staging.world.faults.spoilImage(image.id);
    await staging.invoke();
    await staging.finish();
    expect(staging.endings).toEqual(['rolled-back']);
    staging.clock.advance(120);
    expect(hooked).toEqual(ended);
    const group = staging.world.state.groups.get('demo-ecs');
    expect([group?.desiredCapacity, group?.maxSize, group?.members.size]).toEqual([4, 8, 4]);
    staging.invariants.assertHeld();
  });

  test('is suggested when hooks would be skipped', async () => {
    const staging = staged(run({ environment: { CANARY: '0' } }));
    const outcome = await staging.invoke({ action: 'plan' });
    expect(outcome).toMatchObject({
      groups: [
        { warnings: [expect.stringMatching(/^terminate hook logs does not run .* TERMINATE_HOOKS=run/)] },
      ],
    });
  });
});
