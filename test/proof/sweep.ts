import { type Stage, stage } from '../rollout/stage.ts';
import { type Interceptor, Killed } from '../simulated-aws/account/call.ts';
import { brokenIn } from './broken.ts';
import { finishRoll } from './ending.ts';
import { lastEnding, type RollOutcome } from './outcome.ts';
import type { Scenario } from './scenarios.ts';

/**
 * Ends the invocation that makes a call, by the call's number in the account, from 1. The first of a scenario
 * that is struck strikes it instead.
 */
export interface Kill {
  readonly when: 'before' | 'after';
  readonly call: number;
}

/** Plays a scenario, killed at these calls, to its end. */
export async function playKilled(scenario: Scenario, kills: readonly Kill[]): Promise<RollOutcome> {
  const { account } = scenario.options;
  const [first, ...others] = kills;
  let struck = 0;
  const strike =
    scenario.strike &&
    (() => {
      struck++;
      scenario.strike?.(staged);
      staged.tell('forged tags', scenario.name);
    });
  const interceptors = [
    ...(account?.interceptors ?? []),
    ...(first === undefined ? [] : [interceptorOf(first, strike)]),
    ...others.map((kill) => interceptorOf(kill)),
  ];
  const staged: Stage = stage({ ...scenario.options, account: { ...account, interceptors } });
  const broken = await brokenIn(staged, async () => {
    await playThrough(scenario, staged);
    scenario.check(staged);
    // Those after the first may come to nothing: what is left may take fewer calls than without a kill.
    if (kills.length > 0 && killed(staged) + struck === 0) throw new Error('the kill was never reached');
  });
  return {
    section: 'sweep',
    name: scenario.name,
    replay: `sweep/${scenario.name}/${kills.map(({ when, call }) => `${when} ${call}`).join(', ')}`,
    weathers: [],
    faults: { kills: killed(staged), ...(struck > 0 && { 'forged tags': struck }) },
    endedIn: lastEnding(staged.endings),
    checked: staged.invariants.checked,
    broken,
    log: staged.log,
  };
}

/** @returns how many calls it makes before it is only finished */
async function playThrough({ play, finish = finishRoll }: Scenario, staged: Stage): Promise<number> {
  await play(staged);
  const calls = staged.account.calls.log.length;
  await finish(staged);
  return calls;
}

/** A moment at which a scenario is killed. */
export interface KillPoint {
  readonly call: number;
  /** Whether a kill before the call finds another account than the kills at earlier calls did. */
  readonly before: boolean;
  /** Whether a kill after it does. */
  readonly after: boolean;
}

/**
 * The calls at which a scenario is killed, before it is only finished: before and after each that writes, and
 * before the first of all that read at one moment. As a read changes nothing, and a killed process forgets
 * all, a kill between two reads of the same millisecond finds what one before the first did. A refused write
 * has no effect to be killed after. Struck, it is after writes alone.
 */
export async function callsOf(scenario: Scenario): Promise<KillPoint[]> {
  const staged = stage(scenario.options);
  const count = await playThrough(scenario, staged);
  const log = staged.account.calls.log.slice(0, count);
  const isStruck = scenario.strike !== undefined;
  const points = log.map(({ operation, error, time }, index): KillPoint => {
    const reads = isRead.test(operation);
    return {
      call: index + 1,
      before: !isStruck && (!reads || log[index - 1]?.time !== time),
      after: !reads && error === undefined,
    };
  });
  return points.filter(({ before, after }) => before || after);
}

const isRead = /^(Describe|Get|List|GenerateMac)/;

const killed = ({ account }: Stage) => account.calls.log.filter(({ error }) => error === 'Killed').length;

function interceptorOf({ when, call: number }: Kill, strike?: () => void): Interceptor {
  return {
    [when](call: { readonly number: number; readonly key: string }) {
      if (call.number !== number) return;
      if (strike === undefined) throw new Killed(`killed ${when} ${call.key}`);
      strike();
    },
  };
}

/** Reads what `--replay` is given: `before 12, after 40`. */
export function parseKills(text: string): Kill[] {
  return [...text.matchAll(/(before|after) (\d+)/g)].map(([, when, call]) => ({
    when: when as Kill['when'],
    call: Number(call),
  }));
}
