import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { type SequenceTable, sequenceTable } from '../../lambda/aws/sequence-table.ts';
import { BUNDLE, FUNCTION_TAG, PARTITIONS, SEQUENCE_ENVIRONMENT } from '../../lambda/contract.ts';
import { allowanceItem, statusItem } from '../../lambda/sequence/items.ts';
import { orderIn, stateItem } from '../../lambda/sequence/memory-items.ts';
import { Fleet, LINE, releaseOf, sequenceOf, stageOf } from '../core/sequence/fleet.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { spedUpClock } from '../simulated-aws/clock/clock.ts';
import type { AnsweringFunction } from '../simulated-aws/world/lambda/functions.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import { type Ran, run } from './run.ts';

const [STAGING, PRODUCTION] = ['111111111111', '222222222222'] as const;
const NEW = releaseOf(2);
const WEB = `${STAGING}#eu-west-1#web`;

/** Two stages; in the first one stack can't begin, and the other may fail. */
function fleetOf({ fails = [] as readonly string[] } = {}): Fleet {
  const stages = [
    stageOf('staging', STAGING, {
      members: [{ account: STAGING, stacks: ['api', 'web'] }],
      soakHours: 48,
    }),
    stageOf('production', PRODUCTION, { beforeStage: 'approval' }),
  ];
  const fleet = new Fleet(sequenceOf(stages));
  fleet.add(STAGING, 'api', { fails: new Set(fails) });
  fleet.add(STAGING, 'web', { hindered: 'waits for its window' });
  fleet.add(STAGING, 'other');
  fleet.add(PRODUCTION, 'a');
  fleet.publish(NEW);
  return fleet;
}

/** A simulated AWS with a sequence in it, whose fleet has just been looked at for so many hours. */
async function deploySequence(fleet: Fleet, hours: number) {
  const clock = spedUpClock(1);
  const world = createWorld({ clock, seed: 1 });
  const denied = new Set<string>();
  const account = simulateAccount({
    clock,
    operations: world.operations,
    interceptors: [
      {
        before({ operation }) {
          if (denied.has(operation))
            throw new AwsError(
              'AccessDeniedException',
              `User: arn:aws:iam::${STAGING}:user/ann is not authorized to perform: dynamodb:${operation} on resource: ${arn} because no identity-based policy allows the dynamodb:${operation} action`,
            );
        },
      },
    ],
  });
  const { arn } = world.addTable('sequence');
  const made: AnsweringFunction = {
    arn: `arn:aws:lambda:${world.state.region}:${world.state.account}:function:Stages-Sequence`,
    events: [],
    answers: [],
    answer: () => null,
    handler: BUNDLE.sequence,
    environment: {
      [SEQUENCE_ENVIRONMENT.sequence]: JSON.stringify(fleet.sequence),
      [SEQUENCE_ENVIRONMENT.table]: arn,
    },
    tags: { 'aws:cloudformation:stack-name': 'Stages', [FUNCTION_TAG]: 'sequence' },
  };
  world.state.functions.set(made.arn, made);
  const table = sequenceTable(createAws(account.session().clientOptions), arn);
  fleet.now = new Date(Date.now() - hours * 3_600_000);
  fleet.run(hours);
  await write(table, fleet);
  const { url, close } = await account.listen();
  return {
    functions: world.state.functions,
    made,
    denied,
    close,
    table,
    command: (...line: string[]): Promise<Ran> => run(['--endpoint', url, 'sequence', ...line]),
    async orders() {
      const { items } = await table.query(PARTITIONS.sequence);
      return items.filter(({ sk }) => sk.startsWith('order#')).map(orderIn);
    },
  };
}

async function write(table: SequenceTable, { state, statuses, allowances, members }: Fleet): Promise<void> {
  await table.write(stateItem(state, 1));
  for (const status of statuses.values()) await table.write(statusItem(status));
  for (const { name } of members) {
    const allowance = allowances.get([name.account, name.region, name.stack].join('#'));
    if (allowance) await table.write(allowanceItem(name, allowance));
  }
}

type Deployed = Awaited<ReturnType<typeof deploySequence>>;
let deployed: Deployed;
afterEach(() => deployed.close());

describe('a stage that waits', () => {
  beforeEach(async () => {
    deployed = await deploySequence(fleetOf(), 3);
  });

  it('is shown with its release, who is late and why, and until when it is waited for', async () => {
    const { status, out, notes } = await deployed.command('status');
    expect(notes).toBe('');
    expect(out).toMatch(/^2 stages, 3 stacks: 1 rolling, 1 idle$/m);
    expect(out).toMatch(/^STAGE +STATE +RELEASE +STACKS$/m);
    expect(out).toMatch(new RegExp(`^${LINE}\n  staging +rolling +${NEW} +1 of 2 done, 1 hindered$`, 'm'));
    expect(out).toMatch(/^ {2}production +idle +- +1 stack$/m);
    expect(out).toMatch(
      new RegExp(
        `^staging, ${LINE}: rolling ${NEW}\n  waits until 20\\S+ \\S+Z for ${WEB} waits for its window$`,
        'm',
      ),
    );
    expect(status).toBe(2);
    expect((await deployed.command('status', '--wide')).out).toMatch(
      new RegExp(`^  ${WEB} +hindered +${releaseOf(1)} +20\\S+ \\S+Z +waits for its window$`, 'm'),
    );
  });

  it('is told to programs', async () => {
    const { out, status } = await deployed.command('status', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(out)).toEqual({
      function: 'Stages-Sequence',
      at: expect.stringMatching(/Z$/),
      lines: [
        {
          line: LINE,
          releases: [releaseOf(1), NEW].map((name) => ({ name, since: expect.stringMatching(/Z$/) })),
          stages: [
            {
              stage: 'staging',
              release: NEW,
              phase: 'rolling',
              waitsFor: `${WEB} waits for its window`,
              since: expect.stringMatching(/Z$/),
              until: expect.stringMatching(/Z$/),
              stacks: [
                {
                  account: STAGING,
                  region: 'eu-west-1',
                  stack: 'api',
                  standing: 'done',
                  runs: { oldest: NEW, newest: NEW },
                  spokeAt: expect.stringMatching(/Z$/),
                },
                expect.objectContaining({
                  stack: 'web',
                  standing: 'hindered',
                  why: 'waits for its window',
                }),
              ],
            },
            expect.objectContaining({ stage: 'production', phase: 'idle', stacks: [expect.anything()] }),
          ],
        },
      ],
      orders: [],
      leftOut: [],
      strangers: [`${STAGING}#eu-west-1#other`],
      unreadable: [],
    });
  });

  it('has a next pass that changes nothing, and says when something comes by itself', async () => {
    const { status, out } = await deployed.command('plan');
    expect(out).toContain('The next pass, within 5 minutes, changes nothing.');
    expect(out).toMatch(/^20\S+ \S+Z, by itself: staging, .*: rolling/m);
    expect(status).toBe(0);
  });

  it('takes an order, whose writer it names, and shows it until it is taken', async () => {
    const refused = await deployed.command('leave-out', 'web');
    expect(refused.notes).toContain(`"leave-out ${WEB}: have nobody wait for a stack`);
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(await deployed.orders()).toEqual([]);

    const { status, out, notes } = await deployed.command('leave-out', 'web', '--yes');
    expect(out).toBe(`Noted: leave-out ${WEB}.\n`);
    expect(notes).toContain(`What follows:\n  staging, ${LINE}: soaking ${NEW}`);
    expect(notes).toContain('within 5 minutes');
    expect(status).toBe(0);
    const by = expect.stringMatching(/^arn:aws:sts::\d{12}:assumed-role\//);
    const member = { account: STAGING, region: 'eu-west-1', stack: 'web' };
    const order = { id: expect.any(String), kind: 'leave-out', by, member };
    expect(await deployed.orders()).toMatchObject([order]);

    expect((await deployed.command('status')).out).toContain(`The next pass takes leave-out ${WEB}, of arn:`);
    const planned = await deployed.command('plan', '--json');
    expect(JSON.parse(planned.out)).toMatchObject({
      events: [{ kind: 'StageCompleted', line: LINE, stage: 'staging', release: NEW }],
      allowances: [],
      orders: [{ order: `leave-out ${WEB}` }],
      waits: [{ what: expect.stringContaining(`soaking ${NEW}`) }],
    });
    expect(planned.status).toBe(2);
    expect((await deployed.command('plan')).out).toMatch(
      /pass, within 5 minutes:\n {2}takes leave-out .*\n {2}staging, .*: has completed/,
    );
  });

  it('writes nothing for an order that means nothing', async () => {
    const { status, notes } = await deployed.command('resume', NEW, '--yes');
    expect(notes).toContain(`the halted release was "${NEW}"; there is none`);
    expect(status).toBe(1);
    expect(await deployed.orders()).toEqual([]);
    expect((await deployed.command('halt', '--line', 'arm', '--yes')).notes).toContain('the line was "arm"');
    expect((await deployed.command('skip-soak')).notes).toContain("missing required argument 'stage'");
    expect((await deployed.command('stauts')).notes).toContain('Did you mean status?');
  });

  it('gives a halt to programs', async () => {
    const { status, out } = await deployed.command('halt', '--now', '--yes', '--json');
    expect(JSON.parse(out)).toMatchObject({
      function: 'Stages-Sequence',
      order: { kind: 'halt', isNow: true },
      follows: [expect.stringContaining(`staging, ${LINE}: halted ${NEW}, waits for a newer release`)],
    });
    expect(status).toBe(0);
  });

  it('says which right is missing, and who gives it', async () => {
    deployed.denied.add('PutItem');
    const order = await deployed.command('halt', '--yes');
    expect(order.notes).toMatch(/You may not give the sequence orders: User: .*PutItem.*\n.*grantOrder of/);
    expect(order).toMatchObject({ status: 1, out: '' });
    deployed.denied.add('Query');
    const look = await deployed.command('status');
    expect(look.notes).toMatch(/You may not read the table of the sequence: .*Query.*\n.*grantLook of/);
    expect(look.notes).not.toContain('    at ');
    expect(look.status).toBe(1);
  });
});

it('a halted release is a failure, and what is no item of ours is named', async () => {
  deployed = await deploySequence(fleetOf({ fails: [NEW] }), 3);
  await deployed.table.write({ pk: PARTITIONS.status(STAGING), sk: 'no', version: 1, body: '{' });
  const { status, out } = await deployed.command('status');
  expect(out).toMatch(new RegExp(`^  staging +halted +${NEW} +0 of 2 done, 1 hindered, 1 failed$`, 'm'));
  expect(out).toContain(`  failed: ${STAGING}#eu-west-1#api tasks crash`);
  expect(out).toMatch(new RegExp(`^Halted: ${NEW} of ${LINE}, since 20\\S+ \\S+Z: 1 failed in staging`, 'm'));
  expect(out).toContain(`Ignored, as no stage names them: ${STAGING}#eu-west-1#other`);
  expect(out).toContain(`Ignored, as they are no items of ours: status#${STAGING} no: `);
  expect(status).toBe(1);
});

describe('where it is found', () => {
  beforeEach(async () => {
    deployed = await deploySequence(fleetOf(), 0);
  });

  it('says so before the first pass', async () => {
    const { status, out } = await deployed.command('status');
    expect(out).toContain('The sequence has decided nothing yet');
    expect(status).toBe(0);
  });

  it('is one function of a stack, or the one that is named', async () => {
    const { functions, made } = deployed;
    const other = {
      ...made,
      arn: `${made.arn}-2`,
      tags: { ...made.tags, 'aws:cloudformation:stack-name': 'B' },
    };
    functions.set(other.arn, other);
    expect((await deployed.command('status')).notes).toContain(
      'none of the 2 functions here was asked; choose one, as by --stack ',
    );
    expect((await deployed.command('status', '--stack', 'B')).status).toBe(0);
    expect((await deployed.command('status', '--function', 'Stages-Sequence')).status).toBe(0);
    functions.set(other.arn, { ...other, handler: BUNDLE.handler });
    expect((await deployed.command('status', '--stack', 'B')).notes).toContain(
      'Stages-Sequence-2 decides for no sequence',
    );
    functions.clear();
    expect((await deployed.command('status')).notes).toContain('no sequence is deployed in this Region');
  });

  it('has stages that can be read, and a table', async () => {
    const { functions, made } = deployed;
    functions.set(made.arn, { ...made, environment: {} });
    expect((await deployed.command('status')).notes).toContain('has no SEQUENCE in its environment');
    functions.set(made.arn, { ...made, environment: { SEQUENCE: '{}' } });
    expect((await deployed.command('status')).notes).toContain('has no SEQUENCE or no SEQUENCE_TABLE');
    functions.set(made.arn, { ...made, environment: { ...made.environment, SEQUENCE: '{}' } });
    expect((await deployed.command('status')).notes).toContain('stages was missing');
  });
});
