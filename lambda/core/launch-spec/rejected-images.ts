import type { Action, Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { Launch } from '../model/launch.ts';
import type { Course, Rejection, Roll } from '../model/roll.ts';
import type { Warning } from '../reasons/warnings.ts';
import { imagesOfRoll } from './previous.ts';

export type GivenUp = Exclude<Course, { kind: 'forward' }>;

/**
 * Records the images that the group must not be rolled onto again, unless they are recorded already. It is
 * done as the roll ends: recorded with the order to end it, which may come as another invocation has just
 * ended it, it would reject what the group runs.
 */
export function stepsToReject(
  group: Pick<Group, 'name' | 'rejection'>,
  roll: Roll,
  course: GivenUp,
): Action[] {
  const { imageIds: given, because } = rejectionBy(roll, course);
  const noted = group.rejection?.imageIds ?? [];
  const isNoted = given.every((imageId) => noted.includes(imageId));
  if (isNoted && (given.length === 0 || group.rejection?.because.code === because.code)) return [];
  const imageIds = [...new Set([...given, ...noted])];
  return [{ kind: 'record-rejection', group: group.name, rejection: { imageIds, because } }];
}

function rejectionBy(roll: Roll, { kind, because }: GivenUp): Rejection {
  return {
    imageIds: roll.onlyAnnounced ? roll.imageIds : imagesOfRoll(roll),
    because: { code: kind === 'abort' ? 'aborted' : 'rolled-back', because },
  };
}

/** Skips a group if the newest image has failed in it before, or a roll onto it was aborted. */
export function leaveRejected({ rejection }: Group, { sources }: Launch): Decision | undefined {
  const rejected = [...new Set(sources.flatMap((source) => source.rejected ?? []))];
  if (rejected.length === 0) return undefined;
  return {
    kind: 'skipped',
    reason: {
      code: 'image-rejected',
      imageIds: rejected,
      ...(rejection && { because: rejection.because }),
    },
  };
}

/**
 * Warns of members that still run a rejected image after a rollback, because their owner excluded or attached
 * them. Nothing replaces them until a newer image comes.
 */
export function warnOfRejected({ group, launch, classified }: Assessment): readonly Warning[] {
  const rejection = rejectionIn(group);
  const launches = launch.sources.map(({ imageId }) => imageId);
  // A group whose roll was aborted goes on with its image.
  if (rejection === undefined || launches.some((imageId) => rejection.imageIds.includes(imageId))) return [];
  // Those of earlier rolls come last, and were rejected for reasons of their own.
  const latest = rejection.imageIds.slice(0, launches.length);
  const ids = [...classified.current, ...classified.skipped]
    .filter(({ instance }) => latest.includes(instance.imageId))
    .map(({ instance }) => instance.instanceId);
  if (ids.length === 0) return [];
  return [{ code: 'rejected-image-runs', instanceIds: ids, because: rejection.because }];
}

/** What a rollback is going to reject counts already. */
function rejectionIn({ roll, rejection }: Group): Rejection | undefined {
  if (roll === undefined) return rejection;
  return roll.course.kind === 'rollback' ? rejectionBy(roll, roll.course) : undefined;
}
