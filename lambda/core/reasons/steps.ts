import { describeRest } from './draining.ts';
import { allFaults, type Fault, listFaults } from './faults.ts';
import { HOOK_STEPS, type HookStage } from './held.ts';
import { type KindOf, type ReasonOf, say } from './reason-of.ts';
import {
  describeImages,
  describeReasons,
  listIds,
  type NamedImage,
  type NamedInstances,
  subject,
} from './words.ts';

/** Why something is done to a group now: what we do, as a sentence without its subject. */
export const STEPS = {
  // Of the roll as a whole.
  'cluster-tag-spoilt': () =>
    'names the cluster of the roll again, as somebody has changed or removed that tag',
  'roll-begins': (it: Aim & { madeBefore: readonly MadeBefore[]; refused: readonly string[] }) => {
    const others = [
      ...it.madeBefore.map(describeMadeBefore),
      ...(it.refused.length > 0 ? [describeRefused(it.refused)] : []),
    ];
    return [describeAim(it), ...others].join('; ');
  },
  'roll-announced': (it: Aim & { until: Date }) =>
    `announces that it will ${describeAim(it)}, from ${it.until.toISOString()} on`,
  'notice-withdrawn': () => 'takes the notice of a roll back, as there is nothing to roll any more',
  'images-given': (it: { images: readonly NamedImage[] }) =>
    `lets the group launch ${describeImages(it.images, ', ')}`,
  'launch-spec-given-back': () => 'gives the group back what it launched from before',
  'trial-begins': (it: NamedInstances & { seconds: number }) =>
    `tries out ${listIds(it.instanceIds)} for ${it.seconds} s`,
  'trial-begins-anew': (it: {
    /** Empty if what was tried out is gone. */
    faults: readonly Fault[];
  }) =>
    `begins the trial anew: ${it.faults.length === 0 ? 'what was tried out is gone' : allFaults(it.faults)}`,
  'trial-passed': (it: NamedInstances & { isIdle: boolean }) =>
    `${subject(it.instanceIds, 'has', 'have')} passed the trial${it.isIdle ? ', though no task has been placed there yet' : ''}`,
  'hook-asked': (it: { stage: HookStage; hook: string }) => `asks ${it.hook} before ${HOOK_STEPS[it.stage]}`,
  'hook-asked-anew': () => 'forgets that a hook held or refused, as somebody asks: it is asked anew',
  'question-answered': (it: { question: string; answer: 'go' | 'refuse' }) =>
    `notes that somebody has ${it.answer === 'go' ? 'approved' : 'refused'} what it asked as ${it.question}`,

  // Of the group's sizes and processes.
  'size-notes-void': (it: { faults: readonly SizesFault[] }) =>
    `ignores what the tags say about sizes, as it can't be ours: ${it.faults.map((fault) => say(SIZES_FAULTS, fault.kind, fault)).join('; ')}`,
  'size-changes': (it: { from: Sizes; to: Sizes }) =>
    `changes the group's size from ${ofAtMost(it.from)} to ${ofAtMost(it.to)}`,
  'size-noted': (sizes: Sizes) => `notes that the group's size is ${ofAtMost(sizes)}`,
  'size-set-by-others': (it: { sizes: Sizes; ours: Sizes }) =>
    `notes that somebody has set the group to ${ofAtMost(it.sizes)}, of which ${it.ours.desiredCapacity} and ${it.ours.maxSize} are ours`,
  'group-enlarged': (it: { by: number }) =>
    `makes the group larger by ${it.by}, as its members must serve until others do`,
  'zones-evened': (it: { by: number }) =>
    `makes the group larger by ${it.by}, as its zones are uneven: its surplus drains, and Auto Scaling ends nobody for it`,
  'on-demand-launched': (it: { by: number }) =>
    `makes the group larger by ${it.by}, as it has Spot Instances in place of On-Demand ones: its surplus drains, Spot Instances first`,
  'capacity-kept': (it: { desiredCapacity: number }) =>
    `leaves the desired capacity at ${it.desiredCapacity}, as the group can't shrink by what was ours`,
  'max-size-raised': (it: { by: number }) =>
    `raises the maximum size by ${it.by}, so that the old instances can come back`,
  'max-size-kept': (it: { maxSize: number }) =>
    `leaves the maximum size at ${it.maxSize}, as the group needs it by now`,
  'max-size-given-back': (it: { maxSize: number }) => `gives the maximum size back: ${it.maxSize}`,
  'min-size-raised': (it: { minSize: number }) =>
    `keeps the minimum size at ${it.minSize} while it rolls, so that no scaling policy ends members`,
  'min-size-not-ours': (it: { minSize: number }) =>
    `notes that the minimum size is ${it.minSize}, none of it ours`,
  'min-size-rest-begins': describeRest,
  'min-size-given-back': (it: { minSize: number }) => `gives the minimum size back: ${it.minSize}`,
  'processes-suspended': (it: { processes: readonly SuspendableProcess[] }) =>
    `suspends ${it.processes.map((name) => `${name}, which ${HARM[name]}`).join('; and ')}`,
  'processes-resumed': (it: { processes: readonly string[] }) => `resumes ${it.processes.join(' and ')}`,
  'processes-forgotten': (it: { processes: readonly string[] }) =>
    `resumes ${it.processes.join(' and ')}, which no tag records any more`,

  // Which choose members and make them leave.
  'members-chosen': (it: OfMembers & { outdated: readonly Outdated[] }) =>
    `will replace ${it.count} of ${it.of} members (${describeReasons(it.outdated)})`,
  'warm-chosen': (it: OfMembers & { outdated: readonly Outdated[] }) =>
    `will replace ${it.count} of ${it.of} instances of the warm pool (${describeReasons(it.outdated)})`,
  'warm-ended': (it: OfMembers) => `ends ${it.count} of ${it.of} instances of the warm pool`,
  'members-detached': (
    it: OfMembers & {
      /** Absent if they were chosen before. */
      outdated?: readonly Outdated[];
    },
  ) => {
    const why = it.outdated === undefined ? '' : ` (${describeReasons(it.outdated)})`;
    return `detaches ${it.count} of ${it.of} members${why}`;
  },
  'marked-again': (it: OfMembers) =>
    `marks ${it.count} of ${it.of} members again, which drain and have lost their mark`,
  /** The last to serve in their zone, and who leaves in their place. */
  'zones-kept': (it: { staying: readonly string[]; instead: readonly string[] }) => {
    const first = it.instead.length === 0 ? '' : `, and replaces ${listIds(it.instead)} first`;
    return `lets ${listIds(it.staying)} serve on for now, without which a zone would have no healthy target${first}`;
  },
  'surplus-leaves': (it: NamedInstances & Way & { surplus: number }) =>
    `the group is larger than it was by ${it.surplus}: ${WAYS[it.way]} ${listIds(it.instanceIds)}`,
  'failed-leave': (it: NamedInstances & Way) =>
    `${WAYS[it.way]} ${listIds(it.instanceIds)}, as old ones serve in their place`,
  'failed-chosen': (it: NamedInstances) => `will replace ${listIds(it.instanceIds)}, which failed`,
  'old-attached': (it: NamedInstances) => `attaches ${listIds(it.instanceIds)} again`,
  unmarked: () => 'removes our tags from instances that stay',

  // Which drain and end instances.
  'turns-taken': (it: {
    ending: readonly string[];
    beginning: readonly string[];
    chosen: readonly string[];
  }) => {
    const parts = [
      ...(it.ending.length > 0 ? [`ends ${listIds(it.ending)}`] : []),
      ...(it.beginning.length > 0 ? [`drains ${listIds(it.beginning)}`] : []),
      ...(it.chosen.length > 0 ? [`chooses ${listIds(it.chosen)} as the next to drain`] : []),
    ];
    return parts.length > 0 ? parts.join(', ') : 'notes since when instances drain';
  },
  'drain-given-up': (it: {
    instanceId: string;
    /** Absent if its time isn't over yet. */
    afterSeconds?: number;
    faults: readonly Fault[];
  }) => {
    const after = it.afterSeconds === undefined ? '' : ` after ${it.afterSeconds} s`;
    return `gives up draining ${it.instanceId}${after}, sets it back ACTIVE and leaves it running: ${listFaults(it.faults)}`;
  },
  'drain-undone': (
    it: NamedInstances & {
      /** Why the drain is undone: given up, protected from termination, or no longer to be replaced. */
      because: keyof typeof UNDONE;
    },
  ) => `sets ${listIds(it.instanceIds)} back${UNDONE[it.because]}`,
  'drain-spared': (it: NamedInstances & { faults: readonly Fault[] }) =>
    `does not drain ${listIds(it.instanceIds)}: ${listFaults(it.faults)}`,
  'drain-retried': (it: NamedInstances) =>
    `tries again to drain ${listIds(it.instanceIds)}, as somebody asks`,
  'health-restored': (it: NamedInstances) =>
    `sets ${listIds(it.instanceIds)} Healthy again, which the group found Unhealthy during a drain that was undone`,

  // Which somebody ordered.
  pauses: () => 'pauses the group, as somebody asks; what it has begun it finishes first',
  resumes: () => 'lets the group go on, as somebody asks',
  aborts: () => 'aborts the roll, as somebody asks',
  'rolls-back': () => 'rolls back, as somebody asks',
  skips: () => 'skips the announced roll, as somebody asks',
  'order-resumed': (it: { order: 'abort' | 'rollback' }) => `lets the ${it.order} go on, as somebody asks`,
  'order-dated': () => 'notes when somebody asked for it by hand',
};

export type StepCode = keyof typeof STEPS;
export type Step<Code extends StepCode = StepCode> = ReasonOf<typeof STEPS, Code>;

export interface Outdated {
  readonly reasons: readonly string[];
}

/** The images of a roll, and why each member is to be replaced. */
export interface Aim {
  readonly images: readonly NamedImage[];
  readonly outdated: readonly Outdated[];
}

/** What a roll is for. */
export function describeAim({ images, outdated }: Aim): string {
  const why = outdated.length > 0 ? `: ${outdated.length} to replace (${describeReasons(outdated)})` : '';
  return `roll onto ${describeImages(images, ', ')}${why}`;
}

/** A template version that an earlier roll made. */
export interface MadeBefore {
  readonly templateId: string;
  readonly version: number;
  readonly imageId: string;
}

/** A template version of an earlier roll that the group doesn't launch. */
export function describeMadeBefore({ templateId, version, imageId }: MadeBefore): string {
  return (
    `version ${version} of ${templateId} was made for ${imageId} before, but the group does not launch it: if somebody ` +
    'has set it back, it is rolled again each time; if it was rolled back, the tag that kept it from the image is gone'
  );
}

/** Images recorded for a roll but ignored, as one sentence. */
export function describeRefused(imageIds: readonly string[]): string {
  return (
    `${imageIds.join(' and ')} ${imageIds.length === 1 ? 'is' : 'are'} recorded for this roll, but not what IMAGE chooses ` +
    'there now, by name, owner and age; another is chosen'
  );
}

interface OfMembers {
  readonly count: number;
  readonly of: number;
}

/** Whether the group ends them itself, or we detach them. */
interface Way {
  readonly way: keyof typeof WAYS;
}

const WAYS = { ended: 'ends', detached: 'detaches' } as const;

const UNDONE = {
  'given-up': '',
  protected: ', which may not be terminated',
  stays: ' ACTIVE',
} as const;

/** Processes of a group that would interfere with a roll, and what each would do. */
const HARM = {
  AZRebalance: 'would end members undrained to even out the zones',
  InstanceRefresh: 'would replace the same members',
  AlarmNotification: 'would scale the group in undrained, as it is larger than it needs to be for a while',
  Launch: 'would launch members in place of the old ones that come back',
  ReplaceUnhealthy: 'would end a member that drains, as it no longer passes its health check',
};

export type SuspendableProcess = keyof typeof HARM;

export interface Sizes {
  readonly desiredCapacity: number;
  readonly maxSize: number;
}

function ofAtMost({ desiredCapacity, maxSize }: Sizes): string {
  return `${desiredCapacity} of at most ${maxSize}`;
}

/** Why noted sizes can't be ours. */
const SIZES_FAULTS = {
  'too-many': (it: { desiredCapacity: number; mayBe: number }) =>
    `${it.desiredCapacity} of the desired capacity, where ${it.mayBe} may be ours`,
  negative: (it: { over: Sizes }) =>
    `sizes of ${it.over.desiredCapacity} and ${it.over.maxSize} without ours`,
  change: (it: { from: Sizes; to: Sizes; mayAdd: number }) =>
    `a change from ${ofAtMost(it.from)} to ${ofAtMost(it.to)}, where ${it.mayAdd} may be added`,
  'min-size': (it: { owner: number; least: number }) =>
    `a minimum size of ${it.owner}, lowered to ${it.least}`,
};

export type SizesFault = KindOf<typeof SIZES_FAULTS>;
