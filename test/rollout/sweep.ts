import { killAfter, killBefore } from '../simulated-aws/faults.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

/** What a sweep comes to. */
export interface Sweep {
  /** Calls of the roll that nobody disturbs. */
  readonly calls: number;
  /** Rolls that were killed and resumed. */
  readonly rolls: number;
}

/** Kills a roll at every one of its calls, before and after its effect, resumes it, and lets `check` look at the end. */
export async function killEverywhere(options: StageOptions, check: (stage: Stage) => void): Promise<Sweep> {
  const undisturbed = stage(options);
  await undisturbed.invoke();
  const calls = undisturbed.account.calls.log.length;
  check(undisturbed);
  for (let call = 1; call <= calls; call++) {
    for (const kill of [killBefore, killAfter]) {
      const killed = stage(options);
      const outcome = await killed.invoke({ action: 'roll' }, [kill(call)]);
      if (outcome.kind !== 'killed') throw new Error(`call ${call} was not reached`);
      await killed.finish();
      // Killed before anything was written, a roll has not begun: the next schedule begins it.
      await killed.invoke();
      try {
        check(killed);
      } catch (error) {
        throw new Error(`${kill.name}(${call}): ${String(error)}\n${killed.log.join('\n')}`, {
          cause: error,
        });
      }
    }
  }
  return { calls, rolls: 2 * calls };
}

/** A world in which little time is spent waiting, so that most calls of a roll are those that matter. */
export const BRISK: Pick<StageOptions, 'environment' | 'delays' | 'shortcut'> = {
  environment: { POLL_SECONDS: '45', STABLE_SECONDS: '20' },
  delays: {
    deregistrationSeconds: 5,
    healthCheckSeconds: 3,
    agentSeconds: 5,
    bootSeconds: 5,
    detachSeconds: 50,
  },
  shortcut: true,
};
