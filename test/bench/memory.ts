import { FUNCTION_MEMORY_MEGABYTES } from '../../infra/functions.ts';
import { DEFAULT_STATE_KEY } from '../../lambda/contract.ts';
import { invokeFunction } from '../bundle/invoke.ts';
import { environmentAt, remainingMillisAt } from '../demo/settings.ts';
import { BUNDLE_FILE } from '../demo/stage.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { spedUpClock } from '../simulated-aws/clock/clock.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import { type BenchCluster, furnish } from './clusters.ts';
import { FIELD_DELAYS } from './field-delays.ts';

/** One invocation takes a minute and a half of real time then. */
const SPEED = 10;

const REPORT_PEAK = new URL('report-peak.mjs', import.meta.url);

/** As Lambda's start script limits Node: a tenth of its memory is for young objects, in two halves. */
const YOUNG_MEGABYTES = Math.floor(FUNCTION_MEMORY_MEGABYTES / 10);
const NODE_OPTIONS = [
  `--import=${REPORT_PEAK}`,
  `--max-semi-space-size=${Math.floor(YOUNG_MEGABYTES / 2)}`,
  `--max-old-space-size=${FUNCTION_MEMORY_MEGABYTES - YOUNG_MEGABYTES}`,
].join(' ');

/** What one invocation of the built function takes as it begins to roll a cluster over HTTP. */
export interface Taken {
  readonly cluster: string;
  /** The largest resident size, Node and all. */
  readonly megabytes: number;
  /** Of processor time, from the start of Node to its end. */
  readonly processorSeconds: number;
}

/** @throws Error when it ends without an answer, as it does where `npm run build` hasn't been run */
export async function measureInvocation(cluster: BenchCluster): Promise<Taken> {
  const clock = spedUpClock(SPEED);
  const world = createWorld({ clock, seed: 1, delays: FIELD_DELAYS, hmacKeyAlias: DEFAULT_STATE_KEY });
  furnish(world, cluster, false);
  const { url, close } = await simulateAccount({ clock, operations: world.operations }).listen();
  const { outcome } = invokeFunction({
    bundle: BUNDLE_FILE,
    endpoint: url,
    environment: { ...environmentAt(SPEED), NODE_OPTIONS },
    event: { action: 'roll' },
    remainingMillis: remainingMillisAt(SPEED),
  });
  const { lines, ...ending } = await outcome;
  await close();
  const [, kilobytes, microseconds] = lines.flatMap((line) => /^took (\d+) (\d+)$/.exec(line) ?? []);
  if (kilobytes === undefined || !('ok' in ending && ending.ok)) throw new Error(JSON.stringify(ending));
  return {
    cluster: cluster.name,
    megabytes: Math.round(Number(kilobytes) / 1024),
    processorSeconds: Math.round(Number(microseconds) / 1e5) / 10,
  };
}
