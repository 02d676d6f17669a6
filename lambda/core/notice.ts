import type { Action, Decision } from './actions/decision.ts';
import { driftedIn } from './group/assess.ts';
import { imagesOf } from './launch-spec/give-images.ts';
import type { Assessment } from './model/assessment.ts';
import type { Ordered } from './model/group.ts';
import type { Request } from './model/request.ts';
import type { Notice } from './model/roll.ts';
import type { Aim } from './reasons/steps.ts';

/**
 * Tells what a roll would do where `MODE=plan` lets nothing begin by itself. What would block the roll is
 * told before, as it would be to somebody who asks for it.
 *
 * @returns undefined if the roll may begin, or has begun
 */
export function planOnly(assessment: Assessment, { asked = false }: Request): Decision | undefined {
  const { hasBegun, settings } = assessment;
  if (hasBegun || asked || settings.mode === 'roll') return undefined;
  return { kind: 'planned', reason: { code: 'plan-only', ...aimOf(assessment) } };
}

/**
 * Announces a roll that nobody has asked for, `announceMinutes` before it begins; and anew if it would be
 * onto other images than announced.
 *
 * @returns undefined if the roll needs no notice, or has one
 */
export function giveNotice(assessment: Assessment, { asked = false }: Request): Decision | undefined {
  const { group, settings, observation, hasBegun } = assessment;
  if (hasBegun || asked || settings.announceMinutes === 0) return undefined;
  const aim = aimOf(assessment);
  const imageIds = aim.images.map(({ imageId }) => imageId);
  if (group.notice !== undefined && isFor(group.notice, imageIds)) return undefined;
  const givenAt = observation.now;
  const until = new Date(givenAt.getTime() + settings.announceMinutes * 60_000);
  return {
    kind: 'act',
    reason: { code: 'roll-announced', ...aim, until },
    actions: [{ kind: 'record-notice', group: group.name, notice: { imageIds, givenAt, until } }],
  };
}

/**
 * Waits for the end of the notice. The invocation needn't: the next that continues rolls finds the notice.
 *
 * @returns undefined if it is over, or somebody asks for the roll
 */
export function awaitNotice(assessment: Assessment, { asked = false }: Request): Decision | undefined {
  const { group, observation, settings, hasBegun } = assessment;
  const { notice } = group;
  if (hasBegun || asked || notice === undefined || settings.announceMinutes === 0) return undefined;
  if (notice.until <= observation.now) return undefined;
  return { kind: 'planned', reason: { code: 'announced', ...aimOf(assessment), until: notice.until } };
}

/** Takes a notice back that nothing comes of any more. */
export function withdrawNotice({ name, notice }: Ordered): Decision | undefined {
  if (notice === undefined) return undefined;
  return {
    kind: 'act',
    reason: { code: 'notice-withdrawn' },
    actions: [{ kind: 'clear-roll', group: name }],
  };
}

/**
 * Takes a notice back because somebody says so. The roll is over before it began, as if it had been aborted,
 * so its images aren't tried again.
 */
export function skipAnnounced({ name, pausedSince }: Ordered, notice: Notice, since: Date): Decision {
  const course = { kind: 'abort', since, because: { code: 'asked' } } as const;
  const resume: readonly Action[] = pausedSince === undefined ? [] : [{ kind: 'resume', group: name }];
  return {
    kind: 'act',
    reason: { code: 'skips' },
    actions: [{ kind: 'record-course', group: name, course, notice }, ...resume],
  };
}

function aimOf(assessment: Assessment): Aim {
  return { images: imagesOf(assessment.launch.sources), outdated: driftedIn(assessment) };
}

function isFor({ imageIds }: Notice, wanted: readonly string[]): boolean {
  return imageIds.length === wanted.length && wanted.every((imageId) => imageIds.includes(imageId));
}
