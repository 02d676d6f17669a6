import type { Decision } from './actions/decision.ts';
import { forceOf } from './group/drift.ts';
import { unsteadyServices } from './group/ill-services.ts';
import { firstMarked } from './group/marked.ts';
import { copies, imagesOf } from './launch-spec/give-images.ts';
import { madeBefore } from './launch-spec/made-before.ts';
import { withPrevious } from './launch-spec/previous.ts';
import type { Assessment } from './model/assessment.ts';
import { hasAlias, type LaunchSource } from './model/launch.ts';
import type { Roll } from './model/roll.ts';
import { NO_CHANGES } from './model/roll.ts';
import { refusedImages } from './preflight/refused.ts';

/** As many ids as fit in a sealed value: 10 of 21 characters, with spaces between, take 219 of its 224. */
const MOST_IMAGES = 10;

/**
 * What the group's tags should say. A request to force is recorded by its time, so repeating it changes
 * nothing. The image an alias resolves to isn't recorded: it may move at any time, and launches move with it.
 */
export function recordOf({
  group,
  launch: { sources },
  observation,
  settings: { image },
  outdated,
}: Assessment): Roll {
  const { name, uuid, roll, forceRequestedAt } = group;
  if (roll !== undefined && roll.course.kind !== 'forward') return roll;
  const kept = sources.filter(({ place }) => !hasAlias(place));
  const targets = distinctTargets(kept.length > 0 || roll?.imageIds.length ? kept : sources);
  const fresh: Roll = {
    imageIds: targets,
    startedAt: firstMarked(group) ?? observation.now,
    exact: image.kind === 'id',
    previous: [],
    unsteady: unsteadyServices(observation),
    canary: { kind: 'pending' },
    course: { kind: 'forward' },
    changes: NO_CHANGES,
  };
  const begun = roll ?? fresh;
  const isWhole = begun.imageIds.length > 0 && targets.every((imageId) => begun.imageIds.includes(imageId));
  const forceBefore = forceOf(begun, observation.now) ?? forceRequestedAt;
  const forces = forceBefore?.getTime() !== begun.forceBefore?.getTime();
  const previous = withPrevious({ name, uuid }, begun.previous, outdated);
  const isNoted = previous === roll?.previous;
  if (roll !== undefined && isWhole && isNoted && !forces) return roll;
  const imageIds = [...new Set([...targets, ...begun.imageIds])].slice(0, MOST_IMAGES);
  return { ...begun, imageIds, previous, ...(forceBefore && { forceBefore }) };
}

function distinctTargets(sources: readonly LaunchSource[]): string[] {
  return [...new Set(sources.map(({ target }) => target.imageId))].slice(0, MOST_IMAGES);
}

/** Records what the roll aims at, before anything changes. */
export function record(assessment: Assessment, roll: Roll): Decision {
  const {
    group,
    launch: { sources },
    classified: { drifted, warm },
    outdated: toCopy,
  } = assessment;
  const outdated = [...drifted, ...warm];
  const before = group.roll?.imageIds ?? roll.imageIds;
  const isUntried = roll.imageIds.some((imageId) => !before.includes(imageId));
  const { changes: _, canary: __, course: ___, ...identity } = roll;
  return {
    kind: 'act',
    reason: {
      code: 'roll-begins',
      images: imagesOf(sources),
      outdated,
      madeBefore: madeBefore(group),
      refused: refusedImages(group),
    },
    actions: [
      // Before there is a roll to give up: the account may not be allowed to create one.
      ...copies(group, toCopy),
      {
        kind: 'record-roll',
        group: group.name,
        roll: identity,
        begins: group.roll === undefined,
        ...(isUntried && { anew: true }),
      },
    ],
  };
}
