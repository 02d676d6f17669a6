import type { GroupDecision } from '../core/group-decision.ts';
import type { Image } from '../core/model/launch.ts';
import { earlier, secondsBetween } from '../core/model/time.ts';
import { countOf } from '../core/model/untrusted.ts';
import type { GroupResult } from '../core/result.ts';
import type { Metric } from '../metric-names.ts';
import type { PhaseSeconds } from './phases.ts';

const DAY_SECONDS = 86_400;

export type Figures = Readonly<Partial<Record<Metric, number>>>;

/** What an invocation has learnt of a group besides its result. */
export interface Learnt {
  readonly now: Date;
  /** Seconds since its roll began, if one is open. */
  readonly rollAge?: number;
  readonly phaseSeconds: PhaseSeconds;
  /** Since when there have been the images that its members run. */
  readonly imageDates: ReadonlyMap<string, Date>;
  readonly releasesBehind?: number;
}

/** A group's metrics at the end of an invocation; without those that can't be told, or that count nothing. */
export function figuresOf(result: GroupResult, learnt: Learnt): Figures {
  const { state, instances, running, untrusted = [], requestedByTag, heldBackDays } = result;
  const { rollAge, phaseSeconds, releasesBehind } = learnt;
  const isAtRest = state === 'blocked' || state === 'paused';
  return told({
    imageAge: imageAgeOf(result, learnt),
    releasesBehind,
    outdatedMembers: running && instances.drifted + instances.detached,
    heldBack: heldBackDays,
    rollAge,
    ...phaseSeconds,
    replacedMembers: state === 'completed' ? instances.replaced : undefined,
    rollbacks: oneIf(state === 'rolled-back'),
    // A roll that has begun has an age, and with it an alarm of its own.
    blockedGroups: oneIf(isAtRest && rollAge === undefined),
    untrustedTags: countOf(untrusted) || undefined,
    requestsByTag: oneIf(requestedByTag === true),
  });
}

/** The age of the oldest image that members run. */
function imageAgeOf({ running = [] }: GroupResult, { imageDates, now }: Learnt): number | undefined {
  const dates = running.flatMap(({ imageId }) => imageDates.get(imageId) ?? []);
  if (dates.length === 0) return undefined;
  return Math.max(0, ...dates.map((date) => secondsBetween(date, now) / DAY_SECONDS));
}

/**
 * When the images were made that the group's members run. What EC2 no longer shows, for instance because its
 * owner has made it private, is at least as old as the first of these members.
 */
export function imageDatesOf({
  assessment: { group, observation },
}: Pick<GroupDecision, 'assessment'>): ReadonlyMap<string, Date> {
  const dates = new Map<string, Date>();
  for (const { imageId, launchedAt } of group.instances) {
    const known = dates.get(imageId);
    const image = observation.images.get(imageId);
    dates.set(imageId, madeAt(image) ?? (known ? earlier(known, launchedAt) : launchedAt));
  }
  for (const image of targetsOf(group)) {
    const at = madeAt(image);
    if (at !== undefined) dates.set(image.imageId, at);
  }
  return dates;
}

/** The images that the group is, or would be, rolled onto. */
export function targetsOf({
  launch,
  offered,
}: Pick<GroupDecision['assessment']['group'], 'launch' | 'offered'>): Image[] {
  const known = 'obstacle' in launch ? offered : launch;
  return known?.sources.map(({ target }) => target) ?? [];
}

function madeAt(image: Image | undefined): Date | undefined {
  return image === undefined || Number.isNaN(image.createdAt.getTime()) ? undefined : image.createdAt;
}

function oneIf(isSo: boolean): 1 | undefined {
  return isSo ? 1 : undefined;
}

function told(figures: Readonly<Partial<Record<Metric, number | undefined>>>): Figures {
  const known = Object.entries(figures).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([metric, value]) => [metric, rounded(value)]));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
