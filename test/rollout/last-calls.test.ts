import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';

/** Half of the minute that is kept free before Lambda's limit is for the call in hand. */
const LAST_CALL_SECONDS = 30;

test.each([10])(
  'with %i seconds a call, no action begins in the last half minute of an invocation',
  async (latencySeconds) => {
    let count = 0;
    for (let lambdaSeconds = 120; lambdaSeconds <= 420; lambdaSeconds += 20) {
      const begun = await actionsWithin(lambdaSeconds, latencySeconds);
      count += begun.length;
      expect(begun.filter((seconds) => seconds > lambdaSeconds - LAST_CALL_SECONDS)).toEqual([]);
    }
    expect(count).toBeGreaterThan(0);
  },
);

/** The seconds at which one invocation has begun its actions. */
async function actionsWithin(lambdaSeconds: number, latencySeconds: number): Promise<number[]> {
  const { invoke, log } = stage({
    account: { latencySeconds },
    lambdaSeconds,
    furnish: (world) => standardScenario({ world, services: 1, launchSpec: 'launch-configuration' }),
  });
  await invoke();
  // The stage begins at midnight, and logs an action after two spaces.
  return log.filter((line) => / demo-ecs: {3}/.test(line)).map(secondsOf);
}

function secondsOf(line: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = line.slice(0, 8).split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}
