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
  await undisturbed.finish();
  check(undisturbed);
  const calls = undisturbed.account.calls.log.filter((call) => call.session === 'session 2').length;
  let rolls = 0;
  for (let call = 1; call <= calls; call++) {
    for (const kill of [killBefore, killAfter]) {
      const killed = stage(options);
      const outcome = await killed.invoke({ action: 'roll' }, [kill(call)]);
      if (outcome.kind !== 'killed') throw new Error(`call ${call} was not reached`);
      // Killed before anything was written, a roll has not begun: it is the next schedule that begins it.
      await killed.finish();
      await killed.invoke();
      try {
        check(killed);
      } catch (error) {
        throw new Error(`${kill.name}(${call}): ${String(error)}\n${killed.log.join('\n')}`, {
          cause: error,
        });
      }
      rolls++;
    }
  }
  return { calls, rolls };
}
