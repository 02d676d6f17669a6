import { stackOutputs } from '../found.ts';
import type { Check } from '../smoke.ts';
import { secondsUntil, TookTooLong } from '../wait.ts';

const PATIENCE = { what: 'the history', seconds: 300, everySeconds: 15 };

/** EventBridge writes to a log group by that group's own policy: no page shows one for a rule. */
export const historyCheck: Check = {
  name: 'the history',
  minutes: 1,
  async run(smoke) {
    const { historyName } = await stackOutputs(smoke);
    const begun = smoke.clock.now();
    let lines: readonly string[] = [];
    try {
      await secondsUntil(smoke, PATIENCE, async () => {
        lines = await smoke.logs.lines(historyName, begun);
        return lines.some((line) => /"kind":\s*"completed"/.test(line));
      });
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      return [{ what: WHAT, passed: false, observed: `${lines.length} of its events in 5 min` }];
    }
    return [{ what: WHAT, passed: true, observed: `${lines.length} events` }];
  },
};

const WHAT = "the roll's events come to the history, to its end";
