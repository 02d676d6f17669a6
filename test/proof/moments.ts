import type { Stage } from '../rollout/stage.ts';
import { hasUnnotedSize } from './unnoted-sizes.ts';
import { LONGEST_CALL_SECONDS, type Weather } from './weather.ts';

/** What is about to strike a roll. */
interface Coming {
  readonly weather: Weather;
  /** All of the roll. */
  readonly weathers: ReadonlySet<Weather>;
  /** When somebody last changed sizes, including by setting a member aside or putting it back. */
  readonly sizedAtMs: number | undefined;
}

/**
 * Moments in which nobody strikes: nothing AWS returns would tell a roll what was done then from what it did
 * itself.
 */
export function isInTheDark(storm: Stage, { weather, weathers, sizedAtMs }: Coming): boolean {
  const isResumed = weathers.has('overlapping invocations') && isResumedUnseen(storm, weather);
  return isResumed || isSettingSizes(storm) || isUnnoted(storm, weather, sizedAtMs);
}

/** The operations that record or set sizes. */
const SETTING_SIZES: ReadonlySet<string> = new Set([
  'AttachInstances',
  'CreateOrUpdateTags',
  'DetachInstances',
  'TerminateInstanceInAutoScalingGroup',
  'UpdateAutoScalingGroup',
]);

/**
 * A call that records or sets sizes is in progress. What somebody else sets at that moment is overwritten,
 * because AWS has no conditional write, and nobody can see it afterwards.
 */
export function isSettingSizes({ account, clock }: Stage): boolean {
  const recent = account.calls.log.filter(({ time }) => clock.now() - time < LONGEST_CALL_SECONDS * 1000);
  return recent.some(
    ({ operation, tookEffect, error }) => SETTING_SIZES.has(operation) && !tookEffect && error === undefined,
  );
}

/** Each invocation looks again within this time, however slow its calls are. */
const LONGEST_LOOK_SECONDS = 120;

/**
 * One of several concurrent invocations has resumed a process, and another that had suspended it may not have
 * looked since. If somebody suspends it now, that one finds what it believes it has suspended itself, as far
 * as AWS shows, without a record of it.
 */
function isResumedUnseen({ account, clock }: Stage, weather: Weather): boolean {
  if (weather !== 'interference') return false;
  return account.calls.log.some(
    ({ operation, time }) =>
      operation === 'ResumeProcesses' && clock.now() - time < LONGEST_LOOK_SECONDS * 1000,
  );
}

/**
 * An instance has been deregistered and is about to be terminated: at that moment only its plain marks
 * identify it, and IAM goes by them too.
 */
export function hangsByMarks({ account, clock }: Stage): boolean {
  return account.calls.log.some(
    ({ operation, time }) =>
      operation === 'DeregisterContainerInstance' && clock.now() - time < LONGEST_CALL_SECONDS * 1000,
  );
}

/** Putting a member into Standby, or attaching one again, also sets a size. */
const SIZES: ReadonlySet<Weather> = new Set(['scaling', 'scheduled actions', 'interference']);

/** The sizes of all groups, to be compared. */
export function sizesIn({ state }: Stage['world']): string {
  return JSON.stringify(
    [...state.groups.values()].map(({ desiredCapacity, maxSize }) => [desiredCapacity, maxSize]),
  );
}

/**
 * Anyone who sets sizes waits until the roll has seen the last change: two changes between two looks that
 * cancel each other out are invisible.
 */
function isUnnoted({ world, account }: Stage, weather: Weather, sizedAtMs = 0): boolean {
  if (!SIZES.has(weather)) return false;
  const isSeen = account.calls.log.some(
    ({ operation, tookEffect, time }) =>
      operation === 'DescribeAutoScalingGroups' && tookEffect && time > sizedAtMs,
  );
  return (sizedAtMs > 0 && !isSeen) || [...world.state.groups.values()].some(hasUnnotedSize);
}
