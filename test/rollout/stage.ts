import { createAws } from '../../lambda/aws/clients.ts';
import { DEFAULT_STATE_KEY, ORDERS_TIMEOUT_MINUTES } from '../../lambda/contract.ts';
import { describeAction } from '../../lambda/core/actions/actions.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { describeDecision } from '../../lambda/core/text/decision.ts';
import { parseEvent } from '../../lambda/event.ts';
import type { Journal } from '../../lambda/invocation.ts';
import { discoverBegun, findBegun } from '../../lambda/look/discover.ts';
import { rollOut } from '../../lambda/look-act-loop.ts';
import { type OrderResult, orderOf, writeOrder } from '../../lambda/orders/write-order.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import { TABLE } from '../../lambda/settings/table.ts';
import { allClients, loadRare } from '../aws/all-clients.ts';
import { type Expectations, type Invariants, watchInvariants } from '../invariants/invariants.ts';
import { IS_WHOLE } from '../sample/sampled.ts';
import {
  type AccountOptions,
  type SimulatedAccount,
  simulateAccount,
} from '../simulated-aws/account/account.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { retryOnClock } from '../simulated-aws/account/client-options.ts';
import { retrying } from '../simulated-aws/account/retrying.ts';
import type { Session } from '../simulated-aws/account/session.ts';
import { shortcut } from '../simulated-aws/account/shortcut.ts';
import { type VirtualClock, virtualClock } from '../simulated-aws/clock/clock.ts';
import { type ScenarioOptions, standardScenario } from '../simulated-aws/world/scenario.ts';
import type { WorldOptions } from '../simulated-aws/world/state.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';

await loadRare();

const START = Date.parse('2026-11-21T00:00:00Z');
const LAMBDA_SECONDS = 15 * 60;
const ORDERS_SECONDS = ORDERS_TIMEOUT_MINUTES * 60;
const CONTINUE_SECONDS = 5 * 60;

const FUNCTION_ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:ecs-ami-deploy';

/**
 * The cluster of `standardScenario`. A trial makes each roll longer: tests about trials, or about the
 * defaults, set CANARY to the function's default.
 */
const ENVIRONMENT = { CLUSTERS: 'demo', CANARY: '0' };

/** In place of the stage's own settings: these apply if none are given. */
export const TRUE_DEFAULTS = { CANARY: TABLE.canary.default } as const;

/** States of a group whose roll began and is over. */
const ENDINGS: ReadonlySet<string> = new Set(['completed', 'aborted', 'rolled-back']);

export interface StageOptions {
  /** Lets others act on it, such as people who answer what they are asked. */
  readonly attend?: (stage: Stage) => void;
  readonly environment?: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly delays?: WorldOptions['delays'];
  readonly expectations?: Expectations;
  readonly account?: Partial<Omit<AccountOptions, 'clock' | 'operations'>>;
  /** How long an invocation may take. Default: Lambda's 15 minutes. */
  readonly lambdaSeconds?: number;
  /**
   * Leaves out the bytes between clients and account, when there are thousands of rolls. Default: only in a
   * sample.
   */
  readonly shortcut?: boolean;
  /** With `shortcut`: calls are made again all the same, as the SDK makes them. */
  readonly retries?: boolean;
  /** With `shortcut`: each call waits for its turn. Invocations count from 0. */
  readonly turn?: (invocation: number) => Promise<void>;
  /** Puts into the world what the test is about, before anything is watched. */
  readonly furnish: (world: World) => void;
}

/** What became of an invocation of the function for orders. */
export type OrderOutcome =
  | { readonly kind: 'answered'; readonly groups: readonly OrderResult[] }
  | { readonly kind: 'killed' };

export type Outcome =
  | { readonly kind: 'answered'; readonly groups: readonly GroupResult[] }
  | { readonly kind: 'killed' };

/** A simulated account in virtual time, watched by the invariants, in which the function is invoked. */
export interface Stage {
  readonly clock: VirtualClock;
  readonly world: World;
  readonly account: SimulatedAccount;
  readonly invariants: Invariants;
  /** What the invocations logged, a line each. */
  readonly log: readonly string[];
  /** What the rolls of groups have ended in so far, such as `completed`. */
  readonly endings: readonly string[];
  /** Whether an invocation is at work: it neither waits for its next look nor has ended. */
  isLooking(): boolean;
  /** Puts a line of the test's own into the log. */
  tell(where: string, text: string): void;
  /** One invocation, from its event to its answer or death; the world's time goes on meanwhile. */
  invoke(event?: object, interceptors?: readonly Interceptor[]): Promise<Outcome>;
  /** One invocation of the function for orders, concurrent with anything else in progress. */
  order(event: object, interceptors?: readonly Interceptor[]): Promise<OrderOutcome>;
  /** Several invocations at once, each begun so many seconds after the one before it. */
  invokeTogether(
    events: readonly object[],
    apartSeconds?: number,
    /** For each invocation its own. */
    interceptors?: readonly (readonly Interceptor[])[],
  ): Promise<Outcome[]>;
  /** Invokes with `continue` every five minutes, as the deployment does, until no group is in progress. */
  finish(most?: number): Promise<readonly GroupResult[]>;
  /** Invokes, and finishes: all is as it should be then. Answers what was said the last time. */
  roll(...invocation: Parameters<Stage['invoke']>): Promise<readonly GroupResult[]>;
}

/**
 * The first client of a process reads its configuration from files, in real time, from which virtual time
 * would run away. Later ones find it read.
 */
async function readConfiguration(): Promise<void> {
  const clock = virtualClock(START);
  const world = createWorld({ clock, seed: 1, hmacKeyAlias: DEFAULT_STATE_KEY });
  const account = simulateAccount({ clock, operations: world.operations });
  await discoverBegun(createAws(account.clientOptions), ['demo']);
}
await readConfiguration();

export function stage(options: StageOptions): Stage {
  const clock = virtualClock(START);
  const world = createWorld({
    clock,
    seed: options.seed ?? 1,
    delays: options.delays,
    hmacKeyAlias: DEFAULT_STATE_KEY,
  });
  options.furnish(world);
  const account = simulateAccount({
    clock,
    operations: world.operations,
    seed: options.seed,
    ...options.account,
  });
  const invariants = watchInvariants(world, { ...strategyIn(options), ...options.expectations });
  const log: string[] = [];
  const endings: string[] = [];
  const looking = new Set<object>();
  let invocations = 0;
  const tell: Stage['tell'] = (where, text) => {
    const time = new Date(clock.now()).toISOString().slice(11, 19);
    log.push(`${time} ${where}: ${text}`);
  };

  function begin(interceptors: readonly Interceptor[], seconds: number) {
    const session = account.session({ interceptors, afterKill: 'hangs' });
    const retryStrategy = retryOnClock(clock, 8);
    const settings = parseSettings({ ...ENVIRONMENT, ...options.environment });
    const aws = createAws({ ...session.clientOptions, retryStrategy }, {}, settings);
    const byShortcut = options.shortcut ?? !IS_WHOLE;
    const isRetried = options.retries ?? options.shortcut === undefined;
    const reach = isRetried ? retrying(session, retryStrategy) : session;
    if (byShortcut) shortcut(allClients(aws), inTurn(reach, invocations++, options));
    const begun = clock.now();
    let hasEnded = false;
    looking.add(session);
    const sleep = async (seconds: number) => {
      looking.delete(session);
      await clock.sleep(seconds);
      if (!hasEnded) looking.add(session);
    };
    const end = () => {
      hasEnded = true;
      looking.delete(session);
    };
    return {
      aws,
      settings,
      clock: { now: () => new Date(clock.now()), sleep },
      end,
      remainingSeconds: () => seconds - (clock.now() - begun) / 1000,
      killed: session.whenKilled.then(() => ({ kind: 'killed' }) as const),
    };
  }

  async function ordering(event: object, interceptors: readonly Interceptor[]): Promise<OrderOutcome> {
    const { killed, end, ...invocation } = begin(interceptors, ORDERS_SECONDS);
    const taken = writeOrder(invocation, orderOf(event, invocation.settings.clusters, FUNCTION_ARN));
    const answered = taken.then((groups): OrderOutcome => ({ kind: 'answered', groups }));
    return Promise.race([answered, killed]).finally(end);
  }

  async function invocation(event: object, interceptors: readonly Interceptor[]): Promise<Outcome> {
    const { killed, end, ...begun } = begin(interceptors, options.lambdaSeconds ?? LAMBDA_SECONDS);
    const command = parseEvent(event, begun.settings.clusters, FUNCTION_ARN);
    const roll = findBegun(begun.aws, command).then((rolls) =>
      rolls === undefined ? [] : rollOut({ ...begun, journal: journalTo(tell) }, command, rolls),
    );
    const answered = roll.then((groups): Outcome => ({ kind: 'answered', groups }));
    const outcome = await Promise.race([answered, killed]).finally(end);
    if (outcome.kind === 'answered') {
      invariants.invocationEnded(outcome.groups);
      for (const { state } of outcome.groups) if (ENDINGS.has(state)) endings.push(state);
    }
    return outcome;
  }

  const invoke: Stage['invoke'] = (event = { action: 'roll' }, interceptors = []) =>
    clock.drive(invocation(event, interceptors));

  const made: Stage = {
    clock,
    world,
    account,
    invariants,
    log,
    endings,
    isLooking: () => looking.size > 0,
    tell,
    invoke,
    order: (event, interceptors = []) => clock.drive(ordering(event, interceptors)),
    invokeTogether(events, apartSeconds = 0, interceptors = []) {
      const begun = events.map(async (event, index) => {
        await clock.sleep(index * apartSeconds);
        return invocation(event, interceptors[index] ?? []);
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
    async roll(...invocation) {
      await invoke(...invocation);
      const said = await made.finish();
      invariants.assertFinished();
      return said;
    },
  };
  options.attend?.(made);
  return made;
}

export type StageScenario = Partial<Omit<ScenarioOptions, 'world'>>;

/** A stage with the cluster of `standardScenario`, and then what `furnish` puts into it. */
export function standardStage(
  scenario: StageScenario | ((world: World) => StageScenario) = {},
  { furnish, ...options }: Partial<StageOptions> = {},
): Stage {
  return stage({
    shortcut: true,
    furnish(world) {
      standardScenario({ world, ...(typeof scenario === 'function' ? scenario(world) : scenario) });
      furnish?.(world);
    },
    ...options,
  });
}

/** How members are replaced, as far as settings alone decide. */
function strategyIn({ environment: { MAX_SURGE, TERMINATE_HOOKS } = {} }: StageOptions): Expectations {
  return {
    ...(MAX_SURGE === '0' && { maxSurge: 0 }),
    ...(TERMINATE_HOOKS === 'run' && { endsMembers: true }),
  };
}

function inTurn(reach: Reach, invocation: number, { turn }: StageOptions): Reach {
  if (turn === undefined) return reach;
  return {
    async perform(...call) {
      await turn(invocation);
      return reach.perform(...call);
    },
  };
}

type Reach = Pick<Session, 'perform'>;

function journalTo(tell: Stage['tell']): Journal {
  return {
    decided: (_, { assessment, decision }) =>
      tell(assessment.group.name, `${decision.kind}: ${describeDecision(decision)}`),
    acting: (_, group, action) => tell(group, `  ${describeAction(action)}`),
    overtaken: (_, group, error) => tell(group, `overtaken: ${error.message}`),
    untold: (_, group, error) => tell(group, `untold: ${String(error)}`),
    failed: (_, group, error) => tell(group, `failed: ${String(error)}`),
  };
}
