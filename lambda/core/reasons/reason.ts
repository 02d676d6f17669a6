import { type Closed, HOLD_UPS, type HoldUp } from './hold-ups.ts';
import { OBSTACLES, type Obstacle } from './obstacles.ts';
import { type ReasonOf, say } from './reason-of.ts';
import { type Aim, describeAim, STEPS, type Step } from './steps.ts';
import { describeImages, type NamedImage, subject } from './words.ts';

/** Why a roll's images were given up: a clause, as recorded on the group's tags. */
const CAUSES = {
  /** By an invocation. */
  asked: () => ASKED,
  /** Only by the group's tag, which anyone allowed to tag the group can write. */
  'asked-by-tag': () => ASKED_BY_TAG,
  /** In the words recorded on the group's tags. */
  recorded: (it: { text: string }) => it.text,
  /** The tag that recorded it is gone. */
  'cause-lost': () => 'the tag with the reason is gone',
  /** It ended before, and somebody has put its tags back. */
  'left-over': () => 'only its tags are left',
};

export type Cause = ReasonOf<typeof CAUSES>;

/** Why a roll stopped when an invocation said so. We write this to the tag and read it back. */
export const ASKED = 'somebody asked for it';

/** Why it stopped when only the group's tag says so. */
export const ASKED_BY_TAG = 'somebody asked for it by a tag on the group';

/** Whether somebody asked for it, so that nothing is at fault. */
export function isAsked({ code }: { readonly code: string }): boolean {
  return code === 'asked' || code === 'asked-by-tag';
}

/** Several reasons, or a reason with its consequences. */
const COMPOSED = {
  several: (it: { reasons: readonly (HoldUp | Obstacle)[] }): string => it.reasons.map(sentenceOf).join('; '),
  'nothing-to-go-back-to': (it: OfCourse): string =>
    `${sentenceOf(it.because)}; it can't be rolled back, as the roll has not changed what the group launches: ` +
    `${isAsked(it.because) ? '' : 'fix that, or '}order \`ecs-ami-deploy abort\``,
};

/** Why nothing more can be done until somebody fixes something. */
export type BlockReason = HoldUp | Obstacle | ReasonOf<typeof COMPOSED>;

/** Why a roll stopped: somebody asked, or something blocked it. */
export type CourseCause = Cause | BlockReason;

interface OfCourse {
  readonly because: CourseCause;
}

const ENDED = {
  aborted: (it: OfCourse): string => `aborted: ${sentenceOf(it.because)}`,
  'rolled-back': (it: OfCourse): string => `rolled back: ${sentenceOf(it.because)}`,
};

/** Why images must not be tried again. */
export type RejectionCause = Cause | ReasonOf<typeof ENDED>;

/** Why nothing is done now, though something will be. */
export type WaitReason = HoldUp | Obstacle<'belonging-undecided' | 'launch-template-version-missing'>;

const TURNS = {
  'turns-back': (it: { because: BlockReason }): string => `rolls back: ${sentenceOf(it.because)}`,
};

export type ActReason = Step | ReasonOf<typeof TURNS>;

export const LIFTS_PAUSE = '`ecs-ami-deploy resume` lets it go on';

/** Why there is nothing to do, or nothing more. */
const RESTS = {
  'members-run': (it: { run: RunningImages }) => describeRunningImages(it.run),
  'roll-over': (it: {
    course: 'abort' | 'rollback' | 'skip';
    because: CourseCause;
    members: number;
    images: readonly string[];
    /** The roll's images that the group still launches. */
    launches: readonly string[];
  }): string => {
    const what = { abort: 'aborted', rollback: 'rolled back', skip: 'skipped' }[it.course];
    const still = it.launches.length > 0 ? `; it still launches ${it.launches.join(' and ')}` : '';
    return `the roll was ${what} (${sentenceOf(it.because)}); ${it.members} members run ${it.images.join(' and ')}${still}`;
  },
  'left-out': (it: { isPropagated: boolean }) => {
    const handed =
      'and each instance that it launches gets that tag too, and stays left out when the group no longer is';
    return `its tag leaves the group out${it.isPropagated ? `, ${handed}` : ''}`;
  },
  'no-roll-begun': () => 'no roll has begun; the schedule begins it, or `ecs-ami-deploy roll`',
  'plan-only': (it: Aim) => `would ${describeAim(it)}; with MODE=plan only \`ecs-ami-deploy roll\` begins it`,
  announced: (it: Aim & { until: Date }) =>
    `will ${describeAim(it)}, from ${it.until.toISOString()} on; \`ecs-ami-deploy pause\` holds it, ` +
    '`skip` calls it off, `roll` begins it now',
  'image-rejected': (it: { imageIds: readonly string[]; because?: RejectionCause }): string =>
    `${it.imageIds.join(' and ')} ${it.imageIds.length === 1 ? 'is' : 'are'} not tried again ` +
    `(${it.because === undefined ? 'it was rejected' : sentenceOf(it.because)}) until a newer image comes, or somebody orders ` +
    '`ecs-ami-deploy roll --force`',
  paused: (it: { since?: Date }) => {
    const when = it.since === undefined ? '' : ` since ${it.since.toISOString()}`;
    return `paused${when}; ${LIFTS_PAUSE}`;
  },
};

export type RestReason = Obstacle<'belongs-elsewhere' | 'group-managed'> | Closed | ReasonOf<typeof RESTS>;

/** The images that a group's members run. */
export interface RunningImages {
  readonly count: number;
  readonly images: readonly NamedImage[];
  /** Some run a newer one; or an older one, where only their age would replace them. */
  readonly others?: keyof typeof OTHERS;
  /** Members that their owner has excluded. */
  readonly leftAlone: readonly string[];
}

function describeRunningImages({ count, images, others, leftAlone }: RunningImages): string {
  const left =
    leftAlone.length > 0 ? `; ${subject(leftAlone, 'is', 'are')} left alone, as the owner wants` : '';
  return `${count} members run ${describeImages(images, ' or ')}${others ? OTHERS[others] : ''}${left}`;
}

const OTHERS = { newer: ', or a newer image', older: ', or an older image' };

const REASONS = { ...HOLD_UPS, ...OBSTACLES, ...STEPS, ...CAUSES, ...COMPOSED, ...ENDED, ...TURNS, ...RESTS };

/** Why a group is in its state. */
export type Reason = ReasonOf<typeof REASONS>;
export type ReasonCode = Reason['code'];

/** A reason in words, as log, plan and result show it. */
export function sentenceOf(reason: Reason): string {
  return say(REASONS, reason.code, reason);
}
