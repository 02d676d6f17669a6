import { describe, expect, test } from 'vitest';
import { type Interceptor, Killed } from '../simulated-aws/account/call.ts';
import { setStatus } from '../simulated-aws/world/ecs/container-instances.ts';
import { isDrain, keepInvoking, once, told } from './happenings.ts';
import { groupsOf } from './outcomes.ts';
import { type Stage, type StageOptions, standardStage, TRUE_DEFAULTS } from './stage.ts';

const FIRST = 'i-00000000000000001';
const SECOND = 'i-00000000000000002';
const TARGET = 'ami-00000000000000002';

const STRATEGIES = [
  { name: 'detached', environment: { ...TRUE_DEFAULTS } },
  { name: 'replaced without a surge', environment: { MAX_SURGE: '0' }, expectations: { maxSurge: 0 } },
] as const;

/**
 * Four instances, some of whose agents registered again long before the roll, with their tasks alive or not.
 */
const staged = (furnish: StageOptions['furnish'], options: Omit<StageOptions, 'furnish'> = {}) =>
  standardStage({}, { ...options, furnish });

/** What is still registered of instances that are gone. */
function ghosts({ world }: Stage): string[] {
  const all = [...world.state.clusters.values()].flatMap((each) => [...each.containerInstances.values()]);
  return all.flatMap(({ status, instance }) =>
    status !== 'INACTIVE' && instance.state === 'terminated' ? [instance.id] : [],
  );
}

async function rolled(staging: Stage) {
  await staging.invoke();
  await staging.finish();
  staging.clock.advance(120);
  staging.invariants.assertFinished();
}

describe.each(STRATEGIES)('members that are $name', ({ name: _, ...options }) => {
  test.each(['alive', 'lost'] as const)(
    'one whose agent has registered again, its former tasks %s, drains in all its registrations',
    async (tasks) => {
      const staging = staged((world) => world.faults.wipeAgent(FIRST, tasks), options);
      staging.clock.advance(300);
      await rolled(staging);
    },
  );

  test('one with an abandoned registration that somebody drains waits for its turn', async () => {
    const staging = staged((world) => world.faults.wipeAgent(FIRST, 'lost'), options);
    staging.clock.advance(300);
    const [cluster] = staging.world.state.clusters.values();
    const left = [...(cluster?.containerInstances.values() ?? [])].find(
      ({ instance, agentConnected }) => instance.id === FIRST && !agentConnected,
    );
    if (left === undefined) throw new Error('nothing was left behind');
    setStatus(staging.world.state, left, 'DRAINING', 'owner');
    await rolled(staging);
  });

  test('one whose agent registers again in the middle of its drain drains on', async () => {
    const staging = staged(() => undefined, options);
    once(staging.world, isDrain, () => {
      for (const id of [FIRST, SECOND]) staging.world.faults.wipeAgent(id, 'alive');
    });
    await rolled(staging);
  });

  test.each(['twice', 'twice-the-first-alive'] as const)(
    'replacements that register %s are ready',
    async (registration) => {
      const staging = staged((world) => world.faults.setRegistration(TARGET, registration), options);
      await rolled(staging);
    },
  );

  test('a late trunk interface is waited for', async () => {
    const staging = staged((world) => world.faults.setRegistration(TARGET, 'trunked'), options);
    await rolled(staging);
  });

  test.each([
    ['trunk-fails', 'taken'],
    ['trunk-fails', 'refused'],
    ['trunk-hangs', 'taken'],
    ['trunk-hangs', 'refused'],
  ] as const)('replacements of which the %s, deregistering them %s, go again', async (kind, reading) => {
    const staging = staged((world) => world.faults.setRegistration(TARGET, kind), {
      ...options,
      expectations: { ...('expectations' in options && options.expectations), endings: ['rolled-back'] },
    });
    staging.world.state.readings.deregistersUnready = reading === 'taken';
    const [last] = await keepInvoking(staging, 150);
    expect(last?.state).toMatch(/rolled-back|skipped/);
    expect(told(staging, /is REGIST\w+ in the cluster/).length).toBeGreaterThan(0);
    staging.invariants.assertFinished();
  });

  test('a trunk interface that EC2 refuses is no fault of the image: the roll goes on once that is mended', async () => {
    const refused = new Set<string>();
    const staging = staged((world) => {
      world.faults.setRegistration(TARGET, 'trunk-fails');
      world.subscribe((event) => {
        if (event.kind !== 'container-instance-changed') return;
        const { containerInstance: one } = event;
        if (one.status !== 'REGISTRATION_FAILED') return;
        refused.add(one.instance.id);
        one.statusReason =
          "Unexpected EC2 error while attempting to Create Network Interface in subnet 'subnet-1': …";
      });
    }, options);
    expect(await keepInvoking(staging, 60)).toMatchObject([{ state: 'blocked' }]);
    staging.invariants.assertHeld();
    staging.world.faults.setRegistration(TARGET, 'trunked');
    for (const id of refused) staging.world.faults.killInstance(id);
    await keepInvoking(staging, 60);
    expect(staging.endings).toEqual(['completed']);
  });
});

test.each([
  ['takes it', []],
  ['refuses it', [FIRST]],
] as const)(
  'a former registration with stopping tasks is deregistered when ECS %s, and never waited for',
  async (reading, left) => {
    const staging = staged((world) => {
      // Its task would be told to stop after all others.
      world.owner.deleteService('log-router');
      world.faults.wipeAgent(FIRST, 'alive');
    });
    staging.world.state.readings.deregistersStopping = reading === 'takes it';
    staging.clock.advance(300);
    await rolled(staging);
    expect(ghosts(staging)).toEqual(left);
  },
);

test('an instance with a former registration that ECS keeps ends, even if the roll was killed just before', async () => {
  const staging = staged((world) => {
    world.owner.deleteService('log-router');
    world.faults.wipeAgent(FIRST, 'alive');
  });
  staging.world.state.readings.deregistersStopping = false;
  staging.clock.advance(300);
  const killed: Interceptor = {
    before({ operation, input }) {
      if (operation === 'TerminateInstances' && JSON.stringify(input).includes(FIRST))
        throw new Killed(`killed before the end of ${FIRST}`);
    },
  };
  expect(await staging.invoke({ action: 'roll' }, [killed])).toMatchObject({ kind: 'killed' });
  await staging.finish();
  staging.invariants.assertFinished();
});

test('a standalone task of a former registration is named, and the drain is undone for now', async () => {
  const staging = staged((world) => {
    world.addStandaloneTask('demo', { family: 'report', instanceId: FIRST });
    world.faults.wipeAgent(FIRST, 'lost');
  });
  staging.clock.advance(300);
  const [result] = await keepInvoking(staging, 90);
  expect(result).toMatchObject({ state: 'blocked' });
  expect(groupsOf(await staging.invoke({ action: 'status' }))).toMatchObject([
    { reason: expect.stringMatching(/family:report/) },
  ]);
  staging.invariants.assertHeld();
});
