import { afterEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../bundle/invoke.ts';
import { environmentAt } from '../demo/settings.ts';
import { BUNDLE_FILE } from '../demo/stage.ts';
import { serveOurs } from '../serve/ours.ts';
import { reportAt, type ServeProcess } from '../simulated-aws/serve/process.ts';

const SPEED = 100;
const JOBS = ['--standalone-tasks', '2', '--standalone-seconds', '900'];

/** Rolls by the built function, invoked until the roll is over, as the rule would every five minutes. */
async function roll(endpoint: string): Promise<void> {
  for (const action of ['roll', ...Array<string>(10).fill('continue')]) {
    const { outcome } = invokeFunction({
      bundle: BUNDLE_FILE,
      endpoint,
      environment: environmentAt(SPEED),
      event: { action },
      remainingMillis: 90_000,
    });
    if (JSON.stringify(await outcome).includes('"state":"completed"')) return;
  }
  throw new Error('the roll does not end');
}

describe('the built function, judged by what `npm run serve` serves', () => {
  let served: ServeProcess | undefined;
  afterEach(() => served?.end());

  it.each([
    ['as anybody is', 4, ['--instances', '4']],
    ['by its own customs', 3, ['--instances', '3', '--roller', 'ours', '--launch-spec', 'mixed-instances']],
    [
      'behind a load balancer, beside tasks of no service, in trouble',
      // Three, and one that evens the zones out at the end.
      4,
      ['--instances', '3', '--target-groups', '1', ...JOBS, '--server-errors', '3', '--lost-answers', '1'],
    ],
  ])('breaks nothing, %s', async (_, instancesReplaced, line) => {
    served = await serveOurs('--speed', String(SPEED), ...line);
    await roll(served.url);
    const report = await reportAt(served.url);
    expect(report).toMatchObject({
      changed: true,
      held: true,
      violations: [],
      unfinished: [],
      bugs: [],
      instancesReplaced,
    });
    const { status, text } = await served.end();
    served = undefined;
    expect(text).toContain('nothing broken in');
    expect(status).toBe(0);
  });
});
