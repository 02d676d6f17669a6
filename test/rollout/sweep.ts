import { sampled } from '../sample/sampled.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

/** The result of a sweep. */
export interface Sweep {
  /** Calls of the roll that nobody disturbs. */
  readonly calls: number;
  /** How often it may be killed at these; of a sample not all are tried. */
  readonly kills: number;
}

/**
 * At which of its calls a roll is killed. Nothing happens between two reads, so writes tell most. Some tests
 * kill only at every fifth call, and only once, before or after its effect.
 */
export type Calls = 'all' | 'writes' | 'some';

/** Kills a roll at its calls, before and after their effect, resumes it, and lets `check` look at the end. */
export async function killEverywhere(
  options: StageOptions,
  check: (stage: Stage) => void,
  which: Calls = 'all',
): Promise<Sweep> {
  const undisturbed = stage(options);
  await undisturbed.invoke();
  const { log } = undisturbed.account.calls;
  check(undisturbed);
  const calls = log.flatMap(({ operation }, index) =>
    which === 'all' || !/^(Describe|Generate|Get|List)/.test(operation) ? [index + 1] : [],
  );
  // What is refused, as what is there already, has no effect to be killed after.
  const isRefused = (call: number) => log[call - 1]?.error !== undefined;
  const kills = calls.flatMap((call, index) =>
    killsAt(index, which)
      .filter((kill) => kill !== killAfter || !isRefused(call))
      .map((kill) => ({ call, kill })),
  );
  for (const { call, kill } of sampled(kills, 8, ({ kill }) => kill)) {
    const killed = stage(options);
    const outcome = await killed.invoke({ action: 'roll' }, [kill(call)]);
    if (outcome.kind !== 'killed') throw new Error(`call ${call} was not reached`);
    await killed.finish();
    // Killed before anything was written, a roll has not begun: the schedule begins it.
    await killed.invoke();
    await killed.finish();
    try {
      check(killed);
    } catch (error) {
      throw new Error(`${kill.name}(${call}): ${String(error)}\n${killed.log.join('\n')}`, {
        cause: error,
      });
    }
  }
  return { calls: calls.length, kills: kills.length };
}

function killsAt(index: number, which: Calls) {
  if (which !== 'some') return [killBefore, killAfter];
  if (index % SOME !== 0) return [];
  return [index % 2 === 0 ? killBefore : killAfter];
}

const SOME = 5;

/** A world in which little time is spent waiting, so that most calls of a roll are those that matter. */
export const BRISK: Pick<StageOptions, 'environment' | 'delays' | 'shortcut' | 'lambdaSeconds'> = {
  environment: { POLL_SECONDS: '45', STABLE_SECONDS: '20' },
  delays: {
    deregistrationSeconds: 5,
    healthCheckSeconds: 3,
    agentSeconds: 5,
    bootSeconds: 5,
    detachSeconds: 50,
    zoneLookSeconds: 15,
  },
  // So that a roll is one invocation, which can be killed at each of its calls.
  lambdaSeconds: 10_000,
  shortcut: true,
};
