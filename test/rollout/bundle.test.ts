import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_STATE_KEY } from '../../lambda/contract.ts';
import { type Invocation, invokeFunction, logged, type Outcome } from '../bundle/invoke.ts';
import { killHalfway } from '../demo/kill.ts';
import { environmentAt } from '../demo/settings.ts';
import { BUNDLE_FILE } from '../demo/stage.ts';
import { type Invariants, watchInvariants } from '../invariants/invariants.ts';
import { type SimulatedAccount, simulateAccount } from '../simulated-aws/account/account.ts';
import { spedUpClock } from '../simulated-aws/clock/clock.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';

const SPEED = 250;

/** As Amazon sends it: https://docs.aws.amazon.com/lambda/latest/dg/with-sns.html */
const NOTIFICATION = {
  Records: [
    {
      EventSource: 'aws:sns',
      EventVersion: '1.0',
      EventSubscriptionArn: 'arn:aws:sns:eu-central-1:177427601217:ecs-optimized-amazon-ami-update:1',
      Sns: {
        Type: 'Notification',
        MessageId: '95df01b4-ee98-5cb9-9903-4c221d41eb5e',
        TopicArn: 'arn:aws:sns:eu-central-1:177427601217:ecs-optimized-amazon-ami-update',
        Subject: 'ECS Optimized AMI Update',
        Message: '{"ECSAgent":{"ReleaseVersion":"1.99.0"},"ImageId":"ami-0123456789abcdef0"}',
        Timestamp: '2026-11-21T12:00:00.000Z',
        MessageAttributes: {},
      },
    },
  ],
};

/** An account over HTTP, with a cluster of two instances to roll. */
interface Account {
  readonly url: string;
  readonly world: World;
  readonly account: SimulatedAccount;
  readonly invariants: Invariants;
  invoke(event: unknown, environment?: Record<string, string>): Invocation;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function openAccount(instances = 2): Promise<Account> {
  const clock = spedUpClock(SPEED);
  const world = createWorld({ clock, seed: 1, hmacKeyAlias: DEFAULT_STATE_KEY });
  standardScenario({ world, instances, version: '$Latest' });
  const account = simulateAccount({ clock, operations: world.operations });
  const invariants = watchInvariants(world);
  const { url, close } = await account.listen();
  open.push(close);
  return {
    url,
    world,
    account,
    invariants,
    invoke: (event, environment = {}) =>
      invokeFunction({
        bundle: BUNDLE_FILE,
        endpoint: url,
        environment: { ...environmentAt(SPEED), ...environment },
        event,
        remainingMillis: 90_000,
      }),
  };
}

const answered = (...groups: object[]) => ({ ok: true, result: { groups } });

/**
 * Goes on until the roll is over: on a slow machine it may be blocked for a while, as its limits are real
 * time.
 */
async function goOn({ invoke }: Account, environment: Record<string, string> = {}): Promise<Outcome> {
  for (let count = 0; count < 10; count++) {
    const outcome = await invoke({ action: 'continue' }, environment).outcome;
    if (/"state":"(completed|up-to-date)"/.test(JSON.stringify(outcome))) return outcome;
  }
  throw new Error('the roll does not end');
}

describe('the built bundle, as its own process over HTTP', () => {
  it('completes a roll when it is invoked again after a kill', async () => {
    const stage = await openAccount(3);
    killHalfway(stage.world, 3, () => first.kill());
    const first = stage.invoke({ action: 'roll' });
    expect(await first.outcome).toMatchObject({ killed: true });
    expect(stage.invariants.metrics().instancesReplaced).toBeLessThan(3);

    expect(await goOn(stage)).toMatchObject(
      answered({
        cluster: 'demo',
        group: 'demo-ecs',
        state: 'completed',
        instances: { drifted: 0, detached: 0, replaced: 3, total: 3 },
      }),
    );
    stage.invariants.assertFinished();
    expect(stage.invariants.metrics()).toMatchObject({ instancesReplaced: 3 });
    expect(stage.account.bugs).toEqual([]);
  });

  it('rolls onto what its sequence allows, once that does', async () => {
    const stage = await openAccount(1);
    const { arn } = stage.world.addTable('fleet');
    const { account, region } = stage.world.state;
    const member = { SEQUENCE_TABLE: arn, SEQUENCE_STACK: 'web' };
    const stages = [{ name: 'only', members: [{ account, regions: [region] }] }];
    const decide = () =>
      invokeFunction({
        bundle: join(dirname(BUNDLE_FILE), 'sequence.js'),
        exported: 'sequence',
        endpoint: stage.url,
        environment: { SEQUENCE: JSON.stringify({ stages }), SEQUENCE_TABLE: arn },
        event: {},
        remainingMillis: 60_000,
      }).outcome;
    const waits = await stage.invoke({ action: 'continue' }, member).outcome;
    expect(waits).toMatchObject(
      answered({ state: 'up-to-date', warnings: [expect.stringMatching(/sequence/)] }),
    );
    const decided = await decide();
    expect(decided).toMatchObject({ ok: true });
    expect(logged(decided.lines).map(({ message }) => message)).toContain('StageBegan');
    expect(decided.lines.join()).toContain('"LateMembers"');
    const rolls = await stage.invoke({ action: 'continue' }, member).outcome;
    expect(rolls).toMatchObject(answered({ state: expect.stringMatching(/^(completed|in-progress)$/) }));
    await goOn(stage, member);
    await stage.invoke({ action: 'continue' }, member).outcome;
    expect(logged((await decide()).lines).map(({ message }) => message)).toContain('StageCompleted');
    expect(stage.account.bugs).toEqual([]);
  });

  it('rolls on a notification, whichever image it is about', async () => {
    const stage = await openAccount(1);
    const { lines } = await stage.invoke(NOTIFICATION).outcome;
    const [invoked] = logged(lines);
    expect(invoked).toMatchObject({
      message: 'invoked',
      action: 'roll',
      mentionedImageIds: ['ami-0123456789abcdef0'],
    });
    expect(stage.account.calls.counts).toMatchObject({ 'autoscaling.DetachInstances': 1 });
    expect(stage.account.calls.log.filter(({ input }) => JSON.stringify(input).includes('ami-0123'))).toEqual(
      [],
    );
    expect(stage.account.bugs).toEqual([]);
  });

  it('plans step by step, reports the status, and changes nothing', async () => {
    const { invoke, account } = await openAccount();
    const [planned, status] = await Promise.all([
      invoke({ action: 'plan' }).outcome,
      invoke({ action: 'status' }).outcome,
    ]);
    const counts = { drifted: 2, detached: 0, replaced: 0, total: 2 };
    const group = { cluster: 'demo', group: 'demo-ecs', state: 'planned', instances: counts };
    expect(status).toMatchObject(answered(group));
    expect(planned).toMatchObject(
      answered({
        ...group,
        steps: expect.arrayContaining([
          expect.stringMatching(/^tag group demo-ecs: roll onto ami-/),
          expect.stringMatching(/^detach i-\w+ from group demo-ecs/),
          expect.stringMatching(/^when i-\w+ is drained, try the first batch out for/),
          expect.stringMatching(/^drain, deregister and terminate i-\w+, 1 at a time/),
        ]),
      }),
    );
    expect(
      Object.keys(account.calls.counts).filter((key) => !/\.(Describe|Generate|List|Get)/.test(key)),
    ).toEqual([]);
    expect(account.bugs).toEqual([]);
  });

  it('tells metrics of each group where the deployment wants them, and none otherwise', async () => {
    const { invoke, account } = await openAccount();
    const linesWith = async (environment: Record<string, string>) =>
      (await invoke({ action: 'status' }, environment).outcome).lines.filter((line) => line.includes('_aws'));
    const [wanted, unwanted] = await Promise.all([linesWith({ METRICS: 'function' }), linesWith({})]);
    expect(unwanted).toEqual([]);
    expect(wanted.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        service: 'ecs-ami-deploy',
        cluster: 'demo',
        group: 'demo-ecs',
        ImageAgeDays: expect.any(Number),
        OutdatedMembers: 2,
      }),
    ]);
    expect(account.bugs).toEqual([]);
  });

  it('rejects events and settings by name, before the first call', async () => {
    const { invoke, account } = await openAccount();
    const [event, settings] = await Promise.all([
      invoke({ action: 'rol', clusters: ['other'], forse: true }).outcome,
      invoke({ action: 'roll' }, { CLUSTERS: '', POLL_SECONDS: 'often' }).outcome,
    ]);
    expect(event).toMatchObject({ ok: false, error: { name: 'EventError' } });
    expect(JSON.stringify(event)).toMatch(/rol.*other.*forse/);
    expect(settings).toMatchObject({ ok: false, error: { name: 'ConfigurationError' } });
    expect(JSON.stringify(settings)).toMatch(/CLUSTERS is missing.*POLL_SECONDS was/);
    expect(account.calls.log).toEqual([]);
  });

  it('fails when a cluster is missing, and names it', async () => {
    const { invoke } = await openAccount();
    const outcome = await invoke({ action: 'roll' }, { CLUSTERS: 'nowhere' }).outcome;
    expect(outcome).toMatchObject({
      ok: false,
      error: { name: 'RolloutFailed', message: expect.stringContaining('nowhere') },
    });
  });
});
