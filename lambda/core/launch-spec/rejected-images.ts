import type { Action, Decision } from '../actions/decision.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Group } from '../model/group.ts';
import type { Launch } from '../model/launch.ts';
import type { Course, Roll } from '../model/roll.ts';
import type { Warning } from '../reasons/warnings.ts';
import { imagesOfRoll } from './previous.ts';

export type GivenUp = Exclude<Course, { kind: 'forward' }>;

/** Records the images that the group must not be rolled onto again, unless they are recorded already. */
export function stepsToReject(
  group: Pick<Group, 'name' | 'rejection'>,
  roll: Roll,
  course: GivenUp,
): Action[] {
  const given = roll.onlyAnnounced ? roll.imageIds : imagesOfRoll(roll);
  const noted = group.rejection?.imageIds ?? [];
  const code = course.kind === 'abort' ? 'aborted' : 'rolled-back';
  const isNoted = given.every((imageId) => noted.includes(imageId));
  if (isNoted && (given.length === 0 || group.rejection?.because.code === code)) return [];
  const imageIds = [...new Set([...given, ...noted])];
  const because = { code, because: course.because } as const;
  return [{ kind: 'record-rejection', group: group.name, rejection: { imageIds, because } }];
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
  const { rejection, roll } = group;
  if (rejection === undefined) return [];
  const launches = launch.sources.map(({ imageId }) => imageId);
  const isBack = roll === undefined || roll.course.kind === 'rollback';
  // A group whose roll was aborted goes on with its image.
  if (!isBack || launches.some((imageId) => rejection.imageIds.includes(imageId))) return [];
  // Those of earlier rolls come last, and were rejected for reasons of their own.
  const latest = roll === undefined ? rejection.imageIds.slice(0, launches.length) : imagesOfRoll(roll);
  const ids = [...classified.current, ...classified.skipped]
    .filter(({ instance }) => latest.includes(instance.imageId))
    .map(({ instance }) => instance.instanceId);
  if (ids.length === 0) return [];
  return [{ code: 'rejected-image-runs', instanceIds: ids, because: rejection.because }];
}
