import type { Action, Decision } from '../actions/decision.ts';
import { waitForEnding } from '../drain/ending.ts';
import { waitForRecovery } from '../drain/health-recovery.ts';
import { blockedByRefresh, holdsRefresh } from '../group/refresh.ts';
import { spareMembers } from '../group/spare.ts';
import { awaitUnknown } from '../group/unknown.ts';
import { waitForReadiness } from '../group/wait-for-readiness.ts';
import { imagesOf } from '../launch-spec/give-images.ts';
import { stepsToPrune } from '../launch-spec/own-launch-specs.ts';
import { imagesOfRoll } from '../launch-spec/previous.ts';
import { stepsToReject } from '../launch-spec/rejected-images.ts';
import type { Assessment, RollAssessment } from '../model/assessment.ts';
import type { RestReason } from '../reasons/reason.ts';
import { giveBackMinSize } from '../sizes/min-size.ts';
import { evenZones } from './even-zones.ts';
import { giveBackSizes } from './give-back-sizes.ts';

/** The images of the members that count, and the members left alone. */
export function runningImages({
  group: { instances },
  launch: { sources },
  classified: { skipped, current },
  observation,
}: Assessment): RestReason {
  const images = imagesOf(sources);
  const targets = new Set(images.map(({ imageId }) => imageId));
  const ids = new Set(current.map(({ instance }) => instance.instanceId));
  const others = instances.filter((each) => !targets.has(each.imageId) && ids.has(each.instanceId));
  const areNewer = others.every(({ imageId }) => {
    const createdAt = observation.images.get(imageId)?.createdAt;
    return createdAt !== undefined && sources.every(({ target }) => createdAt > target.createdAt);
  });
  const leftAlone = skipped.map(({ member }) => member.instanceId);
  const run = { count: current.length, images, leftAlone };
  return {
    code: 'members-run',
    run: others.length === 0 ? run : { ...run, others: areNewer ? 'newer' : 'older' },
  };
}

function endingOf(assessment: RollAssessment): RestReason {
  const { group, launch, classified } = assessment;
  const { course, onlyAnnounced } = group.roll;
  if (course.kind === 'forward') return runningImages(assessment);
  const running = [...classified.current, ...classified.drifted].map(({ instance }) => instance.imageId);
  const given = imagesOfRoll(group.roll);
  const launches = launch.sources.flatMap(({ imageId }) => (given.includes(imageId) ? [imageId] : []));
  return {
    code: 'roll-over',
    course: onlyAnnounced ? 'skip' : course.kind,
    because: course.because,
    members: running.length,
    images: [...new Set(running)],
    launches: [...new Set(launches)],
  };
}

/**
 * The new image has proved itself, so an earlier rejection no longer matters. But a roll may replace members
 * for their age alone: that proves nothing about a newer image.
 */
function provesAnother({ group: { rejection, roll }, launch, observation }: RollAssessment): boolean {
  if (rejection === undefined) return false;
  const { previous, imageIds } = roll;
  const rejected = rejection.imageIds.map((imageId) => observation.images.get(imageId));
  const isNewest = launch.sources.every(({ target }) =>
    rejected.every((image) => image !== undefined && image.createdAt < target.createdAt),
  );
  return previous.length > 0 || isNewest || rejection.imageIds.some((imageId) => imageIds.includes(imageId));
}

/**
 * Once nothing is left to replace and the group is whole, removes what we no longer need, our tags last of
 * all.
 */
export function finish(
  assessment: RollAssessment,
  outcome: Extract<Decision, { kind: 'finish' }>['ending'] = 'completed',
): Decision {
  const { group, launch, observation, settings, classified } = assessment;
  const leaving = classified.detaching.map(({ instanceId }) => instanceId);
  if (leaving.length > 0) return { kind: 'wait', reason: { code: 'being-detached', instanceIds: leaving } };
  const ending = waitForEnding(assessment);
  const waiting =
    awaitUnknown(group) ??
    waitForRecovery(group, observation) ??
    // What it waits for may be replacements that fail, which only a rollback ends.
    (ending?.kind === 'blocked' ? waitForReadiness(assessment) : undefined) ??
    ending ??
    ((spareMembers(assessment) ?? 0) > 0 ? giveBackSizes(assessment) : undefined) ??
    waitForReadiness(assessment) ??
    evenZones(assessment) ??
    giveBackSizes(assessment) ??
    giveBackMinSize(group, observation.now) ??
    (holdsRefresh(group) ? blockedByRefresh(group) : undefined);
  if (waiting !== undefined) return waiting;
  const { name } = group;
  const isProved = outcome === 'completed' && provesAnother(assessment);
  const { course } = group.roll;
  const clearing: Action[] = [
    ...(course.kind === 'forward' ? [] : stepsToReject(group, group.roll, course)),
    ...(isProved ? [{ kind: 'clear-rejection', group: name } as const] : []),
    { kind: 'clear-roll', group: name },
  ];
  return {
    kind: 'finish',
    ending: outcome,
    reason: endingOf(assessment),
    actions: [
      ...stepsToPrune(launch.sources, group.details?.ownLaunchSpecs ?? [], settings.keepLaunchSpecs),
      ...clearing,
    ],
  };
}
