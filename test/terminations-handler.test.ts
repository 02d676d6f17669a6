import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { interruption, terminations } from '../lambda/terminations-handler.ts';
import { emfOf, valuesIn } from './metrics/emf.ts';
import { addDrainHook } from './rollout/terminations.ts';
import { simulateAccount } from './simulated-aws/account/account.ts';
import { type VirtualClock, virtualClock } from './simulated-aws/clock/clock.ts';
import { standardScenario } from './simulated-aws/world/scenario.ts';
import { createWorld, type World } from './simulated-aws/world/world.ts';

// Lines of the log would stand among the metrics.
vi.hoisted(() => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
});

const GROUP = 'demo-ecs';
const CONTEXT = { getRemainingTimeInMillis: () => 900_000 } as Context;

let world: World;
let clock: VirtualClock;
let close: () => Promise<void>;

/** The functions keep their clients, so that there is one account for all tests; its time ends with now. */
beforeAll(async () => {
  clock = virtualClock(Date.now() - 600_000);
  world = createWorld({ clock, seed: 1 });
  standardScenario({
    world,
    instances: 3,
    launchSpec: 'mixed-instances',
    group: { distribution: { OnDemandPercentageAboveBaseCapacity: 0 } },
  });
  addDrainHook(world, GROUP);
  const account = simulateAccount({ clock, operations: world.operations });
  const endpoint = await account.listen();
  close = endpoint.close;
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('MODE', 'roll');
  vi.stubEnv('CLUSTERS', 'demo');
  vi.stubEnv('EVENT_BUS', 'default');
  vi.stubEnv('TERMINATION_GROUPS', GROUP);
  vi.stubEnv('TERMINATION_TIMEOUT_MINUTES', '5');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await close();
});

const members = () => [...(world.state.groups.get(GROUP)?.members.values() ?? [])];

describe('the function that drains what Auto Scaling ends', () => {
  it('looks at its groups whatever an event says, and tells metrics and the event bus what became of it', async () => {
    const told: string[] = [];
    world.state.eventBuses.get('default')?.targets.push(({ detailType, detail }) => {
      told.push(`${detailType} ${JSON.parse(detail).text}`);
    });
    world.owner.setSizes(GROUP, { desiredCapacity: 2 });
    clock.advance(100);
    expect(members().map(({ lifecycleState }) => lifecycleState)).toContain('Terminating:Wait');
    const lines = await emfOf(() => terminations({ detail: { EC2InstanceId: 'i-0' } }, CONTEXT));
    expect(lines.map((line) => Object.keys(valuesIn(line)))).toEqual([
      ['TimedOutTerminations', 'TerminationSeconds'],
    ]);
    expect(told).toMatchObject([
      expect.stringMatching(
        /^Termination timed out demo\/demo-ecs: lets go of i-0+1, as its time is over, with /,
      ),
    ]);
    clock.advance(120);
    expect(members()).toHaveLength(2);
  });

  it('refuses to work without groups', async () => {
    vi.stubEnv('TERMINATION_GROUPS', '');
    await expect(terminations({}, CONTEXT)).rejects.toThrow();
    vi.stubEnv('TERMINATION_GROUPS', GROUP);
  });
});

describe('the function that drains what Spot reclaims', () => {
  const warning = (id: unknown) => ({ detail: { 'instance-id': id, 'instance-action': 'terminate' } });

  it('drains the Spot Instance that the warning is about, and nothing else', async () => {
    const [{ instance } = { instance: undefined }, other] = members();
    await interruption(warning(instance?.id), CONTEXT);
    expect(instance?.containerInstance?.status).toBe('DRAINING');
    expect(other?.instance.containerInstance?.status).toBe('ACTIVE');
  });

  it('refuses what is no id', async () => {
    await expect(interruption(warning("i-1'] or ec2InstanceId exists"), CONTEXT)).rejects.toThrow();
    await expect(interruption({}, CONTEXT)).rejects.toThrow();
  });
});
