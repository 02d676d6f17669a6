import type { Action, Decision } from './actions/decision.ts';
import { waitForEnding } from './drain/ending.ts';
import { waitForRecovery } from './drain/recovery.ts';
import { waitForReadiness } from './drain/wait.ts';
import { stepsToPrune } from './launch-spec/own-launch-specs.ts';
import { imagesOfRoll } from './launch-spec/previous.ts';
import type { Assessment, RollAssessment } from './model/assessment.ts';
import { giveBackSizes } from './replace/give-back.ts';
import { stepsToReject } from './rollback/rejection.ts';
import { giveBackMinSize } from './sizes/min-size.ts';
import { describeImage, subject } from './text/describe.ts';

/** What the members run that count, and which are left alone, as a sentence. */
export function membersRun({
  group: { instances },
  launch: { sources },
  classified: { skipped, current },
}: Assessment): string {
  const targets = new Map(sources.map(({ target }) => [target.imageId, target]));
  const named = [...targets.values()].map(describeImage).join(' or ');
  const ids = new Set(current.map(({ instance }) => instance.instanceId));
  const others = instances.some((each) => !targets.has(each.imageId) && ids.has(each.instanceId));
  const left = skipped.map(({ member }) => member.instanceId);
  const leftAlone = left.length > 0 ? `; ${subject(left, 'is', 'are')} left alone, as the owner has it` : '';
  return `${current.length} members run ${named}${others ? ', or a newer image' : ''}${leftAlone}`;
}

function endingOf(assessment: RollAssessment): string {
  const { roll, launch, classified } = assessment;
  const { course } = roll;
  if (course.kind === 'forward') return membersRun(assessment);
  const what = course.kind === 'abort' ? 'aborted' : 'rolled back';
  const running = [...classified.current, ...classified.drifted].map(({ instance }) => instance.imageId);
  const given = imagesOfRoll(roll);
  const launches = launch.sources.flatMap(({ imageId }) => (given.includes(imageId) ? [imageId] : []));
  const still = launches.length > 0 ? `; it goes on launching ${[...new Set(launches)].join(' and ')}` : '';
  const images = [...new Set(running)].join(' and ');
  return `the roll was ${what} (${course.because}); ${running.length} members run ${images}${still}`;
}

/** Once nothing is left to replace and the group is whole, what we no longer need goes, and our tags last of all. */
export function finish(
  assessment: RollAssessment,
  outcome: Extract<Decision, { kind: 'finish' }>['ending'] = 'completed',
): Decision {
  const { group, roll, launch, observation, settings, classified } = assessment;
  const leaving = classified.detaching.map(({ instanceId }) => instanceId);
  if (leaving.length > 0) return { kind: 'wait', reason: `${subject(leaving, 'is', 'are')} being detached` };
  const waiting =
    waitForRecovery(group, observation) ??
    waitForEnding(assessment) ??
    waitForReadiness(assessment) ??
    giveBackSizes(assessment) ??
    giveBackMinSize(group, roll, observation.now);
  if (waiting !== undefined) return waiting;
  const { name } = group;
  // What was rejected before is superseded by what has proved itself.
  const isProved = outcome === 'completed' && group.rejection !== undefined;
  const { course } = roll;
  const clearing: Action[] = [
    // Whoever wrote the course on the tags by hand has not written that.
    ...(course.kind === 'forward' ? [] : stepsToReject(group, roll, course)),
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
