import type { SizePair, SizesFault, Step, StepCode, SuspendableProcess } from '../model/step.ts';
import { describeImages, describeReasons, listIds, subject } from './describe.ts';
import { allFaults, listFaults } from './faults.ts';
import { describeRest, HOOK_STEPS } from './hold-ups.ts';
import { describeMadeBefore, describeRefused } from './obstacles.ts';

/** What we do, as a sentence without its subject. */
export const STEPS: { readonly [Code in StepCode]: (step: Step<Code>) => string } = {
  'cluster-tag-spoilt': () =>
    'names the cluster of the roll again, as somebody has changed or removed that tag',
  'start-tag-lost': () => 'notes this moment as the beginning of the roll, as somebody has removed that tag',
  'roll-begins': ({ madeBefore, refused, ...aim }) => {
    const others = [
      ...madeBefore.map(describeMadeBefore),
      ...(refused.length > 0 ? [describeRefused(refused)] : []),
    ];
    return [describeAim(aim), ...others].join('; ');
  },
  'roll-announced': ({ until, ...aim }) =>
    `announces that it will ${describeAim(aim)}, from ${until.toISOString()} on`,
  'notice-withdrawn': () => 'takes the notice of a roll back, as there is nothing to roll any more',
  'images-given': ({ images }) => `lets the group launch ${describeImages(images, ', ')}`,
  'launch-spec-given-back': () => 'gives the group back what it launched from before',
  'trial-begins': ({ instanceIds, seconds }) => `tries out ${listIds(instanceIds)} for ${seconds} s`,
  'trial-begins-anew': ({ faults }) =>
    `begins the trial anew: ${faults.length === 0 ? 'what was tried out is gone' : allFaults(faults)}`,
  'trial-passed': ({ instanceIds, isIdle }) =>
    `${subject(instanceIds, 'has', 'have')} passed the trial${isIdle ? ', though no task has been placed there yet' : ''}`,
  'hook-asked': ({ stage, hook }) => `asks ${hook} before ${HOOK_STEPS[stage]}`,
  'hook-asked-anew': () => 'forgets that a hook held or refused, as somebody asks: it is asked anew',
  'question-answered': ({ question, answer }) =>
    `notes that somebody has ${answer === 'go' ? 'approved' : 'refused'} what it asked as ${question}`,
  'size-notes-void': ({ faults }) =>
    `ignores what the tags say about sizes, as it can't be ours: ${faults.map(describeSizesFault).join('; ')}`,
  'size-changes': ({ from, to }) => `changes the group's size from ${ofAtMost(from)} to ${ofAtMost(to)}`,
  'size-noted': (sizes) => `notes that the group's size is ${ofAtMost(sizes)}`,
  'size-set-by-others': ({ sizes, ours }) =>
    `notes that somebody has set the group to ${ofAtMost(sizes)}, of which ${ours.desiredCapacity} and ${ours.maxSize} are ours`,
  'group-enlarged': ({ by }) => `makes the group larger by ${by}, as its members must serve until others do`,
  'capacity-kept': ({ desiredCapacity }) =>
    `leaves the desired capacity at ${desiredCapacity}, as the group can't shrink by what was ours`,
  'max-size-raised': ({ by }) => `raises the maximum size by ${by}, so that the old instances can come back`,
  'max-size-kept': ({ maxSize }) => `leaves the maximum size at ${maxSize}, as the group needs it by now`,
  'max-size-given-back': ({ maxSize }) => `gives the maximum size back: ${maxSize}`,
  'min-size-raised': ({ minSize }) =>
    `keeps the minimum size at ${minSize} while it rolls, so that ECS's managed scaling ends no empty members`,
  'min-size-not-ours': ({ minSize }) => `notes that the minimum size is ${minSize}, none of it ours`,
  'min-size-rest-begins': describeRest,
  'min-size-given-back': ({ minSize }) => `gives the minimum size back: ${minSize}`,
  'processes-suspended': ({ processes }) =>
    `suspends ${processes.map((name) => `${name}, which ${HARM[name]}`).join('; and ')}`,
  'processes-resumed': ({ processes }) => `resumes ${processes.join(' and ')}`,
  'processes-forgotten': ({ processes }) =>
    `resumes ${processes.join(' and ')}, which no tag records any more`,
  'members-chosen': ({ count, of, outdated }) =>
    `will replace ${count} of ${of} members (${describeReasons(outdated)})`,
  'warm-chosen': ({ count, of, outdated }) =>
    `will replace ${count} of ${of} instances of the warm pool (${describeReasons(outdated)})`,
  'warm-ended': ({ count, of }) => `ends ${count} of ${of} instances of the warm pool`,
  'members-detached': ({ count, of, outdated }) => {
    const why = outdated === undefined ? '' : ` (${describeReasons(outdated)})`;
    return `detaches ${count} of ${of} members${why}`;
  },
  'marked-again': ({ count, of }) =>
    `marks ${count} of ${of} members again, which drain and have lost their mark`,
  'zones-kept': ({ staying, instead }) => {
    const first = instead.length === 0 ? '' : `, and replaces ${listIds(instead)} first`;
    return `lets ${listIds(staying)} serve on for now, without which a zone would have no healthy target${first}`;
  },
  'surplus-leaves': ({ surplus, way, instanceIds }) =>
    `the group is larger than it was by ${surplus}: ${WAYS[way]} ${listIds(instanceIds)}`,
  'failed-leave': ({ way, instanceIds }) =>
    `${WAYS[way]} ${listIds(instanceIds)}, as old ones serve in their place`,
  'failed-chosen': ({ instanceIds }) => `will replace ${listIds(instanceIds)}, which failed`,
  'old-attached': ({ instanceIds }) => `attaches ${listIds(instanceIds)} again`,
  unmarked: () => 'removes our tags from instances that stay',
  'turns-taken': ({ ending, beginning, chosen }) => {
    const parts = [
      ...(ending.length > 0 ? [`ends ${listIds(ending)}`] : []),
      ...(beginning.length > 0 ? [`drains ${listIds(beginning)}`] : []),
      ...(chosen.length > 0 ? [`chooses ${listIds(chosen)} as the next to drain`] : []),
    ];
    return parts.length > 0 ? parts.join(', ') : 'notes since when instances drain';
  },
  'drain-given-up': ({ instanceId, afterSeconds, faults }) => {
    const after = afterSeconds === undefined ? '' : ` after ${afterSeconds} s`;
    return `gives up draining ${instanceId}${after}, sets it back ACTIVE and leaves it running: ${listFaults(faults)}`;
  },
  'drain-undone': ({ instanceIds, because }) => `sets ${listIds(instanceIds)} back${UNDONE[because]}`,
  'drain-spared': ({ instanceIds, faults }) =>
    `does not drain ${listIds(instanceIds)}: ${listFaults(faults)}`,
  'drain-retried': ({ instanceIds }) => `tries again to drain ${listIds(instanceIds)}, as somebody asks`,
  'health-restored': ({ instanceIds }) =>
    `sets ${listIds(instanceIds)} Healthy again, which the group found Unhealthy during a drain that was undone`,
  pauses: () => 'pauses the group, as somebody asks',
  resumes: () => 'lets the group go on, as somebody asks',
  aborts: () => 'aborts the roll, as somebody asks',
  skips: () => 'calls the announced roll off, as somebody asks',
  'rolls-back': () => 'rolls back, as somebody asks',
  'order-resumed': ({ order }) => `lets the ${order} go on, as somebody asks`,
  'order-dated': () => 'notes when somebody asked for it by hand',
};

/** What a roll is for. */
export function describeAim({ images, outdated }: Pick<Step<'roll-begins'>, 'images' | 'outdated'>): string {
  const why = outdated.length > 0 ? `: ${outdated.length} to replace (${describeReasons(outdated)})` : '';
  return `roll onto ${describeImages(images, ', ')}${why}`;
}

const WAYS = { ended: 'ends', detached: 'detaches' } as const;

const UNDONE = {
  'given-up': '',
  protected: ', which may not be terminated',
  stays: ' ACTIVE',
} as const;

/** What each process would do. */
const HARM: Readonly<Record<SuspendableProcess, string>> = {
  AZRebalance: 'would end members undrained to even out the zones',
  InstanceRefresh: 'would replace the same members',
  AlarmNotification: 'would scale the group in undrained, as it is larger than it needs to be for a while',
  Launch: 'would launch members in place of the old ones that come back',
  ReplaceUnhealthy: 'would end a member that drains, as it no longer passes its health check',
};

function ofAtMost({ desiredCapacity, maxSize }: SizePair): string {
  return `${desiredCapacity} of at most ${maxSize}`;
}

function describeSizesFault(fault: SizesFault): string {
  switch (fault.kind) {
    case 'too-many':
      return `${fault.desiredCapacity} of the desired capacity, where ${fault.mayBe} may be ours`;
    case 'negative':
      return `sizes of ${fault.over.desiredCapacity} and ${fault.over.maxSize} without ours`;
    case 'change':
      return `a change from ${ofAtMost(fault.from)} to ${ofAtMost(fault.to)}, where ${fault.mayAdd} may be added`;
    case 'min-size':
      return `a minimum size of ${fault.owner}, lowered to ${fault.least}`;
  }
}
