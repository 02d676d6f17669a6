import type { Service } from '../model/cluster.ts';
import type { Forecast, Openings, Range, WindowWaits } from '../model/forecast.ts';
import type { ClusterDetails } from '../model/observation.ts';
import type { Settings } from '../model/settings.ts';
import { groupOfService } from '../model/task-group.ts';

/** A stretch of a roll that takes time. */
export type ForecastStretch =
  | { readonly kind: 'launch'; readonly extra: number }
  | { readonly kind: 'trial'; readonly extra: number }
  /** `instances` drain and end. */
  | { readonly kind: 'drain'; readonly extra: number; readonly instances: number };

/**
 * As docs/bench/results.json measured whole rolls of 4 to 250 instances: the least and the most of its
 * clusters.
 */
const READY_SECONDS: Range = { least: 150, most: 200 };
/** Until others serve in place of an instance's tasks, before that has been so for `STABLE_SECONDS`. */
const DRAIN_SECONDS: Range = { least: 1, most: 65 };
/**
 * AWS's defaults of how long a load balancer lets requests run out, and how long a container has to stop.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/load-balancer-connection-draining.html
 */
const GOODBYE_SECONDS = 300 + 30;
/** As many drains one after the other as `DRAIN_CONCURRENCY=auto` takes, however many instances there are. */
const AUTO_ROUNDS: Range = { least: 5, most: 7 };
/** Launches take a while before they cost anything, and idle instances end first. */
const SHARE: Range = { least: 0.6, most: 1 };

const HOUR_SECONDS = 3600;

/**
 * How long a roll takes that goes well, and what its extra instances come to.
 *
 * @param leaveSeconds how long tasks may take from when they are told to stop: see `longestGoodbye`
 * @param opens when something new may begin; at any time if it is absent
 */
export function forecast(
  stretches: readonly ForecastStretch[],
  settings: Pick<Settings, 'bakeSeconds' | 'stableSeconds' | 'drainConcurrency'>,
  leaveSeconds = 0,
  opens?: Openings,
): Forecast {
  const whole = joined(stretches);
  const inBest = whole.map((stretch) => costOf(stretch, settings, 'least', 0));
  const atWorst = whole.map((stretch) => costOf(stretch, settings, 'most', leaveSeconds));
  const seconds = { least: sum(inBest, 'seconds'), most: sum(atWorst, 'seconds') };
  const isAuto = settings.drainConcurrency === 'auto';
  const auto = isAuto
    ? undefined
    : forecast(stretches, { ...settings, drainConcurrency: 'auto' }, leaveSeconds).seconds;
  const waits = opens && waitForWindows(whole, settings, opens);
  return {
    seconds,
    ...(waits && { waits }),
    ...(auto && 1.5 * auto.most <= seconds.most && { autoSeconds: auto }),
    instanceHours: { least: sum(inBest, 'hours'), most: sum(atWorst, 'hours') },
  };
}

/**
 * How long the tasks of services take to leave an instance: as long as they took lately, or else, behind a
 * load balancer, as long as AWS lets them by default. Daemons leave one after the others have.
 */
export function longestGoodbye({ services = [], stopSeconds }: ClusterDetails = {}): number {
  const longest = (some: readonly Service[]) =>
    Math.max(
      0,
      ...some.map(({ name, sources = [] }) => {
        const unknown = sources.length > 0 ? GOODBYE_SECONDS : 0;
        return stopSeconds?.get(groupOfService(name)) ?? unknown;
      }),
    );
  const daemons = services.filter(({ daemon, sources }) => daemon && sources);
  return longest(services.filter(({ daemon }) => !daemon)) + longest(daemons);
}

/** Drains that follow one another are one stretch. */
function joined(stretches: readonly ForecastStretch[]): ForecastStretch[] {
  const whole: ForecastStretch[] = [];
  for (const stretch of stretches) {
    const last = whole.at(-1);
    if (stretch.kind === 'drain' && last?.kind === 'drain')
      whole.splice(-1, 1, { ...last, instances: last.instances + stretch.instances });
    else whole.push(stretch);
  }
  return whole;
}

/**
 * What a surge comes to that is larger than what one window is long enough to drain.
 *
 * @returns undefined if none of it waits
 */
function waitForWindows(
  stretches: readonly ForecastStretch[],
  settings: Pick<Settings, 'bakeSeconds' | 'stableSeconds' | 'drainConcurrency'>,
  { seconds, everySeconds }: Openings,
): WindowWaits | undefined {
  let left = seconds;
  let windows = 0;
  let waiting = 0;
  for (const step of stretches.flatMap((stretch) => stepsOf(stretch, settings))) {
    if (left <= 0 && step.waiting !== undefined) {
      waiting += Math.max(0, step.waiting);
      windows++;
      left = seconds;
    }
    left -= step.seconds;
  }
  const instanceHours = (waiting * (everySeconds - seconds)) / HOUR_SECONDS;
  return instanceHours === 0 ? undefined : { windowSeconds: seconds, windows, instanceHours };
}

/** What a stretch begins one after the other. */
interface ForecastStep {
  readonly seconds: number;
  /** Extra instances there are while it waits for a window; undefined if it waits for none. */
  readonly waiting: number | undefined;
}

function stepsOf(
  stretch: ForecastStretch,
  {
    bakeSeconds,
    stableSeconds,
    drainConcurrency,
  }: Pick<Settings, 'bakeSeconds' | 'stableSeconds' | 'drainConcurrency'>,
): ForecastStep[] {
  // Nothing is launched yet that would cost anything.
  if (stretch.kind === 'launch') return [{ seconds: READY_SECONDS.most, waiting: 0 }];
  if (stretch.kind === 'trial') return [{ seconds: bakeSeconds, waiting: undefined }];
  const { extra, instances } = stretch;
  const atOnce = drainConcurrency === 'auto' ? Math.ceil(instances / AUTO_ROUNDS.most) : drainConcurrency;
  return Array.from({ length: Math.ceil(instances / atOnce) }, (_, round) => ({
    seconds: stableSeconds + DRAIN_SECONDS.most,
    waiting: extra - round * atOnce,
  }));
}

interface Cost {
  readonly seconds: number;
  readonly hours: number;
}

function costOf(
  stretch: ForecastStretch,
  {
    bakeSeconds,
    stableSeconds,
    drainConcurrency,
  }: Pick<Settings, 'bakeSeconds' | 'stableSeconds' | 'drainConcurrency'>,
  bound: keyof Range,
  leaveSeconds: number,
): Cost {
  const cost = (seconds: number, extra: number): Cost => ({
    seconds,
    hours: (Math.max(0, extra) * seconds * SHARE[bound]) / HOUR_SECONDS,
  });
  if (stretch.kind === 'launch') return cost(READY_SECONDS[bound], stretch.extra);
  if (stretch.kind === 'trial') return cost(bakeSeconds, stretch.extra);
  const { extra, instances } = stretch;
  const rounds =
    drainConcurrency === 'auto'
      ? Math.min(instances, AUTO_ROUNDS[bound])
      : Math.ceil(instances / drainConcurrency);
  // They move one after the other, so that half of them are there on average, and then for their goodbyes.
  // These run beside the next drains, so that only the last one's is waited for.
  const moving = cost(rounds * (stableSeconds + DRAIN_SECONDS[bound]), extra - instances / 2);
  const goodbye = cost(leaveSeconds, extra);
  return { seconds: moving.seconds + goodbye.seconds, hours: moving.hours + goodbye.hours };
}

function sum(costs: readonly Cost[], what: keyof Cost): number {
  return costs.reduce((total, each) => total + each[what], 0);
}
