import { CreateClusterCommand } from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { STEPS } from './make/steps.ts';
import { NAME } from './names.ts';
import { BrokenOff, clean, runSmoke } from './runner.ts';
import { type SimulatedAccount, simulatedAccount } from './simulated.ts';
import type { Check, Step } from './smoke.ts';

/** All that a run makes and that costs something, or stands in the way of the next. */
function leftIn({ stage }: SimulatedAccount) {
  const { state } = stage.world;
  const isAlive = (one: { readonly state: string }) => !['shutting-down', 'terminated'].includes(one.state);
  return [
    ...state.groups.keys(),
    ...state.capacityProviders.keys(),
    ...[...state.clusters.values()].filter(({ status }) => status === 'ACTIVE').map(({ name }) => name),
    ...[...state.launchTemplates.values()].map(({ name }) => name),
    ...state.storage.volumes.keys(),
    ...state.storage.snapshots.keys(),
    ...[...state.instances.values()].filter(isAlive).map(({ id }) => id),
    ...[...state.taskDefinitions].flatMap(([name, { status }]) => (status === 'ACTIVE' ? [name] : [])),
    ...state.instanceProfiles.keys(),
  ];
}

const breaking = (step: Step): Step => ({
  ...step,
  async make(smoke) {
    await step.make(smoke);
    throw new Error(`broken after the ${step.name}`);
  },
});

describe('a run that breaks', () => {
  test.each(STEPS.map(({ name }, index) => [name, index] as const))(
    'after the %s removes all that it made',
    async (name, broken) => {
      const account = simulatedAccount();
      const { smoke, drive } = account;
      const steps = STEPS.map((step, index) => (index === broken ? breaking(step) : step));
      const outcome = await drive(runSmoke(smoke, { steps, checks: [], cleaner: smoke }));
      expect(outcome.error).toEqual(new Error(`broken after the ${name}`));
      expect(outcome.leftovers).toEqual([]);
      expect(leftIn(account)).toEqual([]);
    },
  );

  test('as somebody stops it in the middle of a check, tries nothing more and removes all', async () => {
    const account = simulatedAccount();
    const { smoke, drive } = account;
    const tried: string[] = [];
    const check = (name: string, error?: Error): Check => ({
      name,
      minutes: 0,
      async run() {
        tried.push(name);
        if (error) throw error;
        return [];
      },
    });
    const checks = [
      check('first', new Error('broken')),
      check('second', new BrokenOff('stopped')),
      check('third'),
    ];
    const { findings, error } = await drive(runSmoke(smoke, { checks, cleaner: smoke }));
    expect(tried).toEqual(['first', 'second']);
    expect(findings).toEqual([{ what: 'first', passed: false, observed: 'broken' }]);
    expect(error).toBeInstanceOf(BrokenOff);
    expect(leftIn(account)).toEqual([]);
  });
});

describe('the removal', () => {
  test('finds what an earlier process has left, and the second time nothing', async () => {
    const account = simulatedAccount();
    const { smoke, drive } = account;
    for (const { make } of STEPS) await drive(make(smoke));
    expect(leftIn(account)).not.toEqual([]);
    expect(await drive(clean(smoke))).toEqual([]);
    expect(leftIn(account)).toEqual([]);
    const told: string[] = [];
    expect(await drive(clean({ ...smoke, say: (line) => told.push(line) }))).toEqual([]);
    expect(told).toEqual([]);
  });

  test('leaves alone, and tells, what has the name but not the tag', async () => {
    const { smoke, drive, stage } = simulatedAccount();
    await drive(smoke.aws.ecs.send(new CreateClusterCommand({ clusterName: NAME })));
    expect(await drive(clean(smoke))).toEqual([
      { step: 'cluster', why: `The cluster ${NAME} lacks the tag ecs-ami-deploy-smoke` },
    ]);
    expect(stage.world.state.clusters.get(NAME)?.status).toBe('ACTIVE');
  });
});
