import type { AccountOptions } from '../simulated-aws/account/account.ts';
import { AWS_DEFAULTS, type Delays } from '../simulated-aws/world/delays.ts';
import { type Draw, drawFrom } from './random.ts';

/** All that may befall a roll. */
export const WEATHERS = [
  'throttling',
  'server errors',
  'lost answers',
  'lag',
  'slow calls',
  'agents that flap',
  'launches that fail',
  'images that fail',
  'instances that die',
  'spot interruptions',
  'scaling',
  'scheduled actions',
  'deployments',
  'interference',
  'alarms',
  'orders',
  'changed settings',
  'kills',
  'overlapping invocations',
  'jobs',
  'slow leaving',
  'tasks held back',
  'forged tags',
  'other readings',
  'deployments of all strategies',
  'delays as AWS sets them',
  'launches before terminations',
] as const;
export type Weather = (typeof WEATHERS)[number];

/** How often each is part of a mixture. */
const SHARE = 0.3;

/** Drawn by themselves: a seed keeps what it has drawn before there were these. */
const DRAWN_APART: Partial<Readonly<Record<Weather, Exclude<keyof Draws, 'draw'>>>> = {
  jobs: 'apart',
  'slow leaving': 'apart',
  'tasks held back': 'apart',
  'forged tags': 'forging',
  'other readings': 'ofServices',
  'deployments of all strategies': 'ofServices',
  'delays as AWS sets them': 'ofDelays',
  'launches before terminations': 'ofDelays',
};

/** Where each weather is drawn from. */
export interface Draws {
  readonly draw: Draw;
  readonly apart: Draw;
  readonly forging: Draw;
  readonly ofServices: Draw;
  readonly ofDelays: Draw;
}

export function mixture(draws: Draws): Weather[] {
  return WEATHERS.filter((weather) => draws[DRAWN_APART[weather] ?? 'draw'].chance(SHARE));
}

/** What of the weather is in how long things take. */
export function delaysIn(weathers: ReadonlySet<Weather>): Partial<Delays> {
  return {
    ...(weathers.has('slow leaving') && SLOW_LEAVING),
    // Whoever rolls meets several goodbyes at once by these.
    ...(weathers.has('delays as AWS sets them') && AWS_DEFAULTS),
    // ECS looks at zones again and again in the middle of a roll, not just once it is over.
    ...(weathers.has('other readings') && { zoneLookSeconds: 5 }),
    // AWS documents that tasks which have run are not held back. It has to work either way.
    ...(weathers.has('tasks held back') && { crashBackoffSeconds: 10 }),
  };
}

const SLOW_LEAVING = {
  detachSeconds: 240,
  deregistrationSeconds: 90,
  shutdownSeconds: 240,
  taskStopSeconds: 30,
} as const;

/** Simulated seconds for which a read may be behind, at most. */
const LONGEST_LAG_SECONDS = 10;

/** EC2's "few minutes", as a multiple. */
const EC2_LAG = 24;

/**
 * Of several concurrent invocations, which the deployment's reserved concurrency rules out, each checks once
 * more, right before it sets sizes, whether another has. If that check lags by more than the others take,
 * nobody can know.
 */
export const LONGEST_LAG_OF_SEVERAL_SECONDS = 1;

/** Simulated seconds that a slow call may leave between what was seen and what is done about it. */
export const LONGEST_CALL_SECONDS = 10;

/** From here on a call counts as one. */
const SLOW_SECONDS = 1;

type Account = Pick<AccountOptions, 'throttling' | 'faults' | 'lag' | 'latencySeconds'>;

/** What of the weather is in the account itself, for as long as the roll lasts. */
export function accountIn(
  weathers: ReadonlySet<Weather>,
  draw: Draw,
  count: (weather: Weather) => void,
): Account {
  const has = (weather: Weather) => weathers.has(weather);
  // Drawn for every call: what else is drawn must not depend on how many there are.
  const calls = drawFrom(draw.whole(1, 1e9));
  const [everyNth, serverErrors, lostAnswers] = [
    draw.whole(5, 40),
    draw.between(0.01, 0.06),
    draw.between(0.01, 0.06),
  ];
  const lag = {
    seconds: draw.between(1, LONGEST_LAG_SECONDS),
    share: draw.between(0.2, 1),
    seed: draw.whole(1, 1e9),
  };
  const longestLagSeconds = has('overlapping invocations')
    ? LONGEST_LAG_OF_SEVERAL_SECONDS
    : LONGEST_LAG_SECONDS;
  return {
    ...(has('throttling') && { throttling: { buckets: true, everyNth } }),
    faults: {
      ...(has('server errors') && { serverErrors }),
      ...(has('lost answers') && { lostAnswers }),
    },
    ...(has('lag') && {
      lag: {
        ...lag,
        seconds: Math.min(lag.seconds, longestLagSeconds),
        // Of several at once, as of the others.
        ...(!has('overlapping invocations') && { secondsOfEc2: lag.seconds * EC2_LAG }),
        onBehind: () => count('lag'),
      },
    }),
    latencySeconds: has('slow calls') ? () => latencySeconds(calls, () => count('slow calls')) : 0,
  };
}

/** What has come about shows no later than this, but for EC2. */
export function seenAfterSeconds(weathers: ReadonlySet<Weather>): number {
  return weathers.has('lag') ? LONGEST_LAG_SECONDS : 0;
}

/** Most calls take little, few very long. */
function latencySeconds(draw: Draw, onSlow: () => void): number {
  const seconds = draw.number() ** 4 * LONGEST_CALL_SECONDS;
  if (seconds > SLOW_SECONDS) onSlow();
  return seconds;
}
