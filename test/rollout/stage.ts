import { createAws } from '../../lambda/aws/clients.ts';
import { parseSettings } from '../../lambda/config.ts';
import { describeAction } from '../../lambda/core/describe.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { discoverBegun } from '../../lambda/discover.ts';
import { parseEvent } from '../../lambda/event.ts';
import { type Journal, rollOut } from '../../lambda/rollout.ts';
import { type AccountOptions, type SimulatedAccount, simulateAccount } from '../simulated-aws/account.ts';
import type { Interceptor } from '../simulated-aws/call.ts';
import { retryOnClock } from '../simulated-aws/client-options.ts';
import { type VirtualClock, virtualClock } from '../simulated-aws/clock.ts';
import { type Expectations, type Invariants, watchInvariants } from '../simulated-aws/invariants.ts';
import { shortcut } from '../simulated-aws/shortcut.ts';
import type { WorldOptions } from '../simulated-aws/world/state.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const LAMBDA_SECONDS = 15 * 60;
const CONTINUE_SECONDS = 5 * 60;

const FUNCTION_ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:ecs-ami-deploy';

/** The cluster of `standardScenario`. */
const ENVIRONMENT = { CLUSTERS: 'demo' };

export interface StageOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly delays?: WorldOptions['delays'];
  readonly expectations?: Expectations;
  readonly account?: Partial<Omit<AccountOptions, 'clock' | 'operations'>>;
  /** How long an invocation may take. Default: Lambda's 15 minutes. */
  readonly lambdaSeconds?: number;
  /** Leaves out the bytes between clients and account, where there are thousands of rolls. */
  readonly shortcut?: boolean;
  /** Puts into the world what the test is about, before anything is watched. */
  readonly furnish: (world: World) => void;
}

export type Outcome =
  | { readonly kind: 'answered'; readonly groups: readonly GroupResult[] }
  | { readonly kind: 'killed' };

/** A simulated account in virtual time, watched by the invariants, in which the function is invoked. */
export interface Stage {
  readonly clock: VirtualClock;
  readonly world: World;
  readonly account: SimulatedAccount;
  readonly invariants: Invariants;
  /** What the invocations told, a line each. */
  readonly log: readonly string[];
  /** One invocation, from its event to its answer or death; the world's time goes on meanwhile. */
  invoke(event?: object, interceptors?: readonly Interceptor[]): Promise<Outcome>;
  /** Several invocations at once, each begun so many seconds after the one before it. */
  invokeTogether(events: readonly object[], apartSeconds?: number): Promise<Outcome[]>;
  /** Invokes with `continue` every five minutes, as the deployment does, until no group is in progress. */
  finish(most?: number): Promise<readonly GroupResult[]>;
}

/**
 * The first client of a process reads its configuration from files, in real time, from which virtual time would run away.
 * Later ones find it read.
 */
async function readConfiguration(): Promise<void> {
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed: 1 });
  const account = simulateAccount({ clock, operations: world.operations });
  await discoverBegun(createAws(account.clientOptions), ['demo']);
}
await readConfiguration();

export function stage(options: StageOptions): Stage {
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed: options.seed ?? 1, delays: options.delays });
  options.furnish(world);
  const account = simulateAccount({
    clock,
    operations: world.operations,
    seed: options.seed,
    ...options.account,
  });
  const invariants = watchInvariants(world, options.expectations);
  const log: string[] = [];

  async function invocation(event: object, interceptors: readonly Interceptor[]): Promise<Outcome> {
    const session = account.session({ interceptors, afterKill: 'hangs' });
    const aws = createAws({ ...session.clientOptions, retryStrategy: retryOnClock(clock, 8) });
    if (options.shortcut) shortcut(Object.values(aws), session);
    const settings = parseSettings({ ...ENVIRONMENT, ...options.environment });
    const begun = clock.now();
    const rollout = rollOut(
      {
        aws,
        settings,
        clock: { now: () => new Date(clock.now()), sleep: clock.sleep },
        journal: journalTo(log, clock),
        remainingSeconds: () => (options.lambdaSeconds ?? LAMBDA_SECONDS) - (clock.now() - begun) / 1000,
      },
      parseEvent(event, settings.clusters, FUNCTION_ARN),
    );
    const answered = rollout.then((groups): Outcome => ({ kind: 'answered', groups }));
    const killed = session.whenKilled.then((): Outcome => ({ kind: 'killed' }));
    const outcome = await Promise.race([answered, killed]);
    if (outcome.kind === 'answered') invariants.invocationEnded(outcome.groups);
    return outcome;
  }

  const invoke: Stage['invoke'] = (event = { action: 'roll' }, interceptors = []) =>
    clock.drive(invocation(event, interceptors));

  return {
    clock,
    world,
    account,
    invariants,
    log,
    invoke,
    invokeTogether(events, apartSeconds = 0) {
      const begun = events.map(async (event, index) => {
        await clock.sleep(index * apartSeconds);
        return invocation(event, []);
      });
      return clock.drive(Promise.all(begun));
    },
    async finish(most = 20) {
      for (let count = 0; count < most; count++) {
        const outcome = await invoke({ action: 'continue' });
        if (outcome.kind === 'killed') throw new Error('nobody was to be killed');
        const { groups } = outcome;
        if (groups.every(({ state }) => state !== 'in-progress' && state !== 'blocked')) return groups;
        clock.advance(CONTINUE_SECONDS);
      }
      throw new Error(`the roll does not end:\n${log.slice(-10).join('\n')}`);
    },
  };
}

function journalTo(log: string[], clock: VirtualClock): Journal {
  const tell = (where: string, text: string) => {
    const time = new Date(clock.now()).toISOString().slice(11, 19);
    log.push(`${time} ${where}: ${text}`);
  };
  return {
    decided: (_, { group, decision }) => tell(group.name, `${decision.kind}: ${decision.reason}`),
    acting: (_, group, action) => tell(group, `  ${describeAction(action)}`),
    overtaken: (_, group, error) => tell(group, `overtaken: ${error.message}`),
    failed: (_, group, error) => tell(group, `failed: ${String(error)}`),
  };
}
