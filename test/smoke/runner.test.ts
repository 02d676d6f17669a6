import { readFileSync } from 'node:fs';
import { CreateClusterCommand } from '@aws-sdk/client-ecs';
import { describe, expect, test } from 'vitest';
import { STEPS } from './make/steps.ts';
import { NAME, PARAMETERS } from './names.ts';
import { ESTIMATE, removalText } from './report.ts';
import { BrokenOff, clean, lacking, runSmoke } from './runner.ts';
import { type SimulatedAccount, simulatedAccount } from './simulated.ts';
import type { Check, Step } from './smoke.ts';

/** Everything a run makes that costs money, or blocks the next run. */
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

describe('a run that breaks off', () => {
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

  test('because somebody stops it in the middle of a check tries nothing more and removes everything', async () => {
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

describe('the requirements of a run', () => {
  test('are met in the simulated account', async () => {
    const { smoke, drive } = simulatedAccount();
    expect(await drive(lacking(smoke))).toEqual([]);
  });

  test('are named if they are not met, and so is what an earlier run has left', async () => {
    const { smoke, drive, stage } = simulatedAccount();
    await drive(smoke.aws.ecs.send(new CreateClusterCommand({ clusterName: NAME })));
    await drive(smoke.stack.deploy('ami-1'));
    stage.world.setParameter(PARAMETERS.bootstrapVersion, '5');
    const subnetless = { ...smoke.aws.ec2, send: async () => ({ Subnets: [] }) };
    const aws = { ...smoke.aws, ec2: Object.assign(Object.create(smoke.aws.ec2), subnetless) };
    expect(await drive(lacking({ ...smoke, aws }))).toEqual([
      'This account and Region are not bootstrapped for the CDK: npx cdk bootstrap -c clusters=ecs-ami-deploy-smoke',
      'There is a cluster ecs-ami-deploy-smoke already. If an earlier run has left it: npm run smoke -- --clean',
      'There is no default VPC in this Region, and the smoke test makes none: aws ec2 create-default-vpc',
    ]);
    stage.world.setParameter(PARAMETERS.bootstrapVersion, '30');
    const [stack] = await drive(lacking(smoke));
    expect(stack).toBe(
      'There is a stack EcsAmiDeploySmoke already. If an earlier run has left it: npm run smoke -- --clean',
    );
  });

  test('and its time and cost are the same in the plan and the README', () => {
    const text = readFileSync('README.md', 'utf8').replaceAll('\n', ' ');
    const rounded = (one: number) => Math.round(one / 10) * 10;
    expect(text).toContain(`takes about ${rounded(ESTIMATE.minutes)} minutes`);
    expect(text).toContain(`some ${rounded(ESTIMATE.cents)} US cents`);
  });
});

describe('the removal', () => {
  test('says at any time what is still to remove, and at the end what could not be removed', async () => {
    const { smoke, drive } = simulatedAccount();
    const heard: (readonly string[])[] = [];
    const [first, second, third] = STEPS.map(({ name }) => ({ name }) as Step);
    const removes = (step: Step | undefined, why?: string): Step => ({
      ...(step as Step),
      async remove() {
        if (why) throw new Error(why);
        return [];
      },
    });
    const steps = [removes(first), removes(second, 'in use'), removes(third)];
    const leftovers = await drive(clean(smoke, steps, (names) => heard.push(names)));
    expect(heard).toEqual([
      ['stack', 'snapshot', 'launch template'],
      ['stack', 'snapshot'],
      ['snapshot', 'stack'],
    ]);
    expect(removalText(leftovers)).toBe(
      'Something is left, which may cost:\n  - snapshot: in use\n' +
        'To remove everything with the tag ecs-ami-deploy-smoke: npm run smoke -- --clean',
    );
  });

  test('finds what an earlier process has left, and nothing the second time', async () => {
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

  test('leaves alone, and reports, what has the name but not the tag', async () => {
    const { smoke, drive, stage } = simulatedAccount();
    await drive(smoke.aws.ecs.send(new CreateClusterCommand({ clusterName: NAME })));
    const called: string[] = [];
    stage.world.subscribe((event) => {
      if (event.kind === 'called') called.push(event.operation);
    });
    expect(await drive(clean(smoke))).toEqual([
      { step: 'cluster', why: `The cluster ${NAME} lacks the tag ecs-ami-deploy-smoke` },
    ]);
    expect(called).toEqual([]);
    expect(stage.world.state.clusters.get(NAME)?.status).toBe('ACTIVE');
  });
});
