import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BESIDE_ENVIRONMENT, DEFAULT_STATE_KEY } from '../lambda/contract.ts';
import { widget } from '../lambda/widget-handler.ts';
import { mocked } from './aws/mocked.ts';
import { rolePolicies } from './infra/role-policies.ts';
import { type SimulatedAccount, simulateAccount } from './simulated-aws/account/account.ts';
import { virtualClock } from './simulated-aws/clock/clock.ts';
import { enforce } from './simulated-aws/iam/permissions.ts';
import { resourceFacts } from './simulated-aws/world/resource-facts.ts';
import { standardScenario } from './simulated-aws/world/scenario.ts';
import { createWorld, type World } from './simulated-aws/world/world.ts';

const logs = mocked(CloudWatchLogsClient);

const HOME = { account: '123456789012', region: 'eu-central-1' };
const TABLE = `arn:aws:dynamodb:${HOME.region}:${HOME.account}:table/fleet`;
const POLICIES = rolePolicies(HOME, { clusters: 'demo', dashboard: true, sequenceTableArn: TABLE }, 'widget');

/** Beside a group that is two releases behind; the widget may do what its role may. */
let world: World;
let account: SimulatedAccount;
let close: () => Promise<void>;

beforeEach(async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'));
  world = createWorld({ clock, seed: 1, hmacKeyAlias: DEFAULT_STATE_KEY });
  standardScenario({ world, instances: 2 });
  const permissions = enforce(POLICIES, resourceFacts(world));
  account = simulateAccount({ clock, operations: world.operations, permissions });
  const endpoint = await account.listen();
  close = endpoint.close;
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  // The test runner has one of its own.
  vi.stubEnv('MODE', 'roll');
  vi.stubEnv('CLUSTERS', 'demo');
  vi.stubEnv(BESIDE_ENVIRONMENT.history, 'history');
  vi.stubEnv(BESIDE_ENVIRONMENT.orders, 'arn:orders');
  vi.stubEnv('AWS_REGION', 'eu-central-1');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await close();
});

const BEGUN_AT = Date.parse('2026-11-23T05:00:00Z');
const BEGUN = JSON.stringify({
  source: 'ecs-ami-deploy',
  detail: {
    id: '1',
    kind: 'begun',
    at: '2026-11-23T05:00:00Z',
    cluster: 'web',
    group: 'web-a',
    startedAt: '2026-11-23T05:00:00Z',
    images: { from: ['ami-1'], to: ['ami-2'] },
    counts: { replaced: 0, total: 2 },
    text: 'begins',
  },
});

const DRAINED = JSON.stringify({
  source: 'ecs-ami-deploy',
  detail: {
    id: 'web/web-a/i-0ab/2026-11-23T04:54:00.000Z/drained',
    kind: 'drained',
    at: '2026-11-23T05:00:00Z',
    cluster: 'web',
    group: 'web-a',
    instanceId: 'i-0ab',
    text: 'web/web-a: lets go of i-0ab, as nothing is left on it',
  },
});

const CONTEXT = { invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:widget' };

describe('the widget', () => {
  test('draws what the history tells, page by page, in the theme of the dashboard', async () => {
    logs
      .on(FilterLogEventsCommand)
      .resolvesOnce({ events: [], nextToken: 'more' })
      .resolves({
        events: [
          { message: BEGUN, ingestionTime: BEGUN_AT },
          { message: DRAINED, ingestionTime: BEGUN_AT },
        ],
      });
    const text = await widget({ widgetContext: { theme: 'dark', accountId: '111122223333' } }, CONTEXT);
    expect(text).toContain('<h2>web / web-a</h2>');
    expect(text).toContain('--paper:#161d26');
    expect(text).toContain('web-a, outside rolls: 1 drained');
    const asked = logs.commandCalls(FilterLogEventsCommand).map(({ args: [{ input }] }) => input);
    expect(asked.slice(0, 2)).toMatchObject([
      { logGroupName: 'history', startTime: expect.any(Number) },
      { logGroupName: 'history', nextToken: 'more' },
    ]);
    const fortnight = 14 * 86_400_000;
    const earliest = Math.min(...asked.map(({ startTime = 0 }) => startTime));
    expect(Math.abs(Date.now() - fortnight - earliest)).toBeLessThan(60_000);
  });

  test('shows the groups and says so where the history is too long to be read', async () => {
    logs
      .on(FilterLogEventsCommand)
      .resolves({ events: [{ message: BEGUN, ingestionTime: BEGUN_AT }], nextToken: 'more' });
    const text = await widget({}, CONTEXT);
    expect(text).toContain('<h3>demo-ecs</h3>');
    expect(text).toContain('The history is longer than is read here: what it told before ');
  });

  test('shows how each group stands, with its images, by a role that only reads', async () => {
    logs.on(FilterLogEventsCommand).resolves({ events: [] });
    const text = await widget({}, CONTEXT);
    expect(text).toContain('<h3>demo-ecs</h3>');
    expect(text).toMatch(/2 instances on ami-\w+ \(al2023-ami-ecs\S+, \d+ days old, 1 release behind\)/);
    expect(text).toContain('The history has no roll');
    const { log } = account.calls;
    expect(log.length).toBeGreaterThan(5);
    expect(log.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(log.filter(({ operation }) => !/^(Describe|Get|List)/.test(operation))).toEqual([]);
  });

  test('says what the sequence of a member does not let it do yet', async () => {
    logs.on(FilterLogEventsCommand).resolves({ events: [] });
    vi.stubEnv('SEQUENCE_TABLE', world.addTable('fleet').arn);
    expect(process.env.SEQUENCE_TABLE).toBe(TABLE);
    vi.stubEnv('SEQUENCE_STACK', 'web');
    const text = await widget({}, CONTEXT);
    expect(text).toContain('its sequence does not let it roll onto al2023-ami-ecs');
    expect(account.calls.log.filter(({ operation }) => !/^(Describe|Get|List)/.test(operation))).toEqual([]);
  });

  test('draws the history although AWS does not say how the groups stand', async () => {
    vi.stubEnv('CLUSTERS', 'other');
    logs.on(FilterLogEventsCommand).resolves({ events: [{ message: BEGUN, ingestionTime: BEGUN_AT }] });
    const text = await widget({}, CONTEXT);
    expect(text).toContain('<h2>web / web-a</h2>');
    vi.stubEnv('CLUSTERS', '');
    expect(await widget({}, CONTEXT)).toMatch(/How the groups stand can&#39;t be read: .*CLUSTERS/);
  });

  test('shows the groups where no history is kept', async () => {
    vi.stubEnv(BESIDE_ENVIRONMENT.history, undefined);
    expect(await widget({}, CONTEXT)).toContain('<h3>demo-ecs</h3>');
    expect(logs.calls()).toHaveLength(0);
  });

  test('describes itself in Markdown, and asks nobody', async () => {
    expect(await widget({ describe: true }, CONTEXT)).toMatch(/^## Rolls/);
    expect(logs.calls()).toHaveLength(0);
  });

  test('says what is missing of its environment', async () => {
    vi.stubEnv(BESIDE_ENVIRONMENT.orders, '');
    await expect(widget({}, CONTEXT)).rejects.toThrow('ORDERS_FUNCTION');
  });
});
