import type { Stage } from '../rollout/stage.ts';
import { hasUnnotedSize } from './unnoted-sizes.ts';
import { LONGEST_CALL_SECONDS, type Weather } from './weather.ts';

/** What is about to strike a roll. */
interface Coming {
  readonly weather: Weather;
  /** All of the roll. */
  readonly weathers: ReadonlySet<Weather>;
  /** When somebody has changed sizes the last time, be it by what he put aside or back. */
  readonly sizedAtMs: number | undefined;
}

/**
 * Moments in which nobody strikes: by nothing that AWS tells could a roll know what was done then from what
 * it did itself.
 */
export function isInTheDark(storm: Stage, { weather, weathers, sizedAtMs }: Coming): boolean {
  const isResumed = weathers.has('overlapping invocations') && isResumedUnseen(storm, weather);
  return isResumed || isSettingSizes(storm) || isUnnoted(storm, weather, sizedAtMs);
}

/** By these sizes are noted, and set. */
const SETTING_SIZES: ReadonlySet<string> = new Set(['CreateOrUpdateTags', 'UpdateAutoScalingGroup']);

/**
 * A call that notes or sets sizes is under way. What somebody else sets in that moment is written over, as
 * AWS has no write on condition, and nobody can see it afterwards.
 */
function isSettingSizes({ account, clock }: Stage): boolean {
  const recent = account.calls.log.filter(({ time }) => clock.now() - time < LONGEST_CALL_SECONDS * 1000);
  return recent.some(
    ({ operation, tookEffect, error }) => SETTING_SIZES.has(operation) && !tookEffect && error === undefined,
  );
}

/** Within that each invocation looks again, however slow its calls are. */
const LONGEST_LOOK_SECONDS = 120;

/**
 * One of several invocations at once has resumed a process, and another that had suspended it may not have
 * looked since. If somebody suspends it now, that one finds what it has suspended itself, as far as AWS
 * tells, and no note of it any more.
 */
function isResumedUnseen({ account, clock }: Stage, weather: Weather): boolean {
  if (weather !== 'interference') return false;
  return account.calls.log.some(
    ({ operation, time }) =>
      operation === 'ResumeProcesses' && clock.now() - time < LONGEST_LOOK_SECONDS * 1000,
  );
}

/**
 * An instance has been deregistered, and is about to be ended: for that moment nothing but its plain marks
 * tells of it, and IAM goes by them, too.
 */
export function hangsByMarks({ account, clock }: Stage): boolean {
  return account.calls.log.some(
    ({ operation, time }) =>
      operation === 'DeregisterContainerInstance' && clock.now() - time < LONGEST_CALL_SECONDS * 1000,
  );
}

/** Who puts a member into Standby, or attaches one again, sets a size by that, too. */
const SIZES: ReadonlySet<Weather> = new Set(['scaling', 'scheduled actions', 'interference']);

/** The sizes of all groups, to be compared. */
export function sizesIn({ state }: Stage['world']): string {
  return JSON.stringify(
    [...state.groups.values()].map(({ desiredCapacity, maxSize }) => [desiredCapacity, maxSize]),
  );
}

/**
 * Whoever sets sizes waits until the roll has seen what he, or another, has set before: of two changes
 * between two looks that come to the same size in the end nobody sees either.
 */
function isUnnoted({ world, account }: Stage, weather: Weather, sizedAtMs = 0): boolean {
  if (!SIZES.has(weather)) return false;
  const isSeen = account.calls.log.some(
    ({ operation, tookEffect, time }) =>
      operation === 'DescribeAutoScalingGroups' && tookEffect && time > sizedAtMs,
  );
  return (sizedAtMs > 0 && !isSeen) || [...world.state.groups.values()].some(hasUnnotedSize);
}
