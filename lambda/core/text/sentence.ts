import type { Reason, ReasonCode, RunningImages } from '../model/reason.ts';
import type { TemporaryChanges } from '../model/roll.ts';
import { describeChanges, describeImages, subject } from './describe.ts';
import { HOLD_UPS } from './hold-ups.ts';
import { OBSTACLES } from './obstacles.ts';
import { describeAim, STEPS } from './steps.ts';

/** Every reason by its code: a missing one doesn't compile. */
type Sentences = {
  readonly [Code in ReasonCode]: (reason: Extract<Reason, { readonly code: Code }>) => string;
};

const SENTENCES: Sentences = {
  ...HOLD_UPS,
  ...OBSTACLES,
  ...STEPS,
  asked: () => ASKED,
  'asked-by-tag': () => ASKED_BY_TAG,
  recorded: ({ text }) => text,
  'cause-lost': () => 'the tag with the reason is gone',
  aborted: ({ because }) => `aborted: ${sentenceOf(because)}`,
  'rolled-back': ({ because }) => `rolled back: ${sentenceOf(because)}`,
  several: ({ reasons }) => reasons.map((each) => sentenceOf(each)).join('; '),
  'nothing-to-go-back-to': ({ because }) =>
    `${sentenceOf(because)}; it can't be rolled back, as the roll has not changed what the group launches: fix that, or ` +
    'invoke {"action":"abort"}',
  'turns-back': ({ because }) => `rolls back: ${sentenceOf(because)}`,
  'members-run': ({ run }) => describeRunningImages(run),
  'roll-over': ({ course, because, members, images, launches }) => {
    const what = course === 'abort' ? 'aborted' : 'rolled back';
    const still = launches.length > 0 ? `; it still launches ${launches.join(' and ')}` : '';
    return `the roll was ${what} (${sentenceOf(because)}); ${members} members run ${images.join(' and ')}${still}`;
  },
  'left-out': ({ isPropagated }) => {
    const handed =
      'and each instance that it launches gets that tag too, and stays left out when the group no longer is';
    return `its tag leaves the group out${isPropagated ? `, ${handed}` : ''}`;
  },
  'no-roll-begun': () => 'no roll has begun; the next schedule begins it, or {"action":"roll"}',
  'plan-only': (plan) => `would ${describeAim(plan)}; with MODE=plan only {"action":"roll"} begins it`,
  announced: ({ until, ...aim }) =>
    `will ${describeAim(aim)}, from ${until.toISOString()} on; {"action":"pause"} holds it, {"action":"skip"} calls it off, ` +
    '{"action":"roll"} begins it now',
  'image-rejected': ({ imageIds, because }) =>
    `${imageIds.join(' and ')} ${imageIds.length === 1 ? 'is' : 'are'} not tried again ` +
    `(${because === undefined ? 'it was rejected' : sentenceOf(because)}) until a newer image comes, or somebody invokes ` +
    '{"action":"roll","force":true}',
  paused: ({ since }) => {
    const when = since === undefined ? '' : ` since ${since.toISOString()}`;
    return `paused${when}; {"action":"resume"} lets it go on`;
  },
};

/** Why a roll stopped when an invocation said so. We write this to the tag and read it back. */
export const ASKED = 'somebody asked for it';

/** Why it stopped when only the group's tag says so. */
export const ASKED_BY_TAG = 'somebody asked for it by a tag on the group';

/** A reason in words, as log, plan and result show it. */
export function sentenceOf<Code extends ReasonCode>(
  reason: Extract<Reason, { readonly code: Code }>,
): string {
  const sentence: (each: typeof reason) => string = SENTENCES[reason.code];
  return sentence(reason);
}

/** A decision's reason, and what else to know if it is blocked. */
export interface ExplainedReason {
  readonly reason: Reason;
  /** What we have changed of the group, which it keeps meanwhile. */
  readonly meanwhile?: TemporaryChanges;
  /** Rolling back would help, even though the roll was aborted. */
  readonly rollbackHelps?: boolean;
}

/** A decision's reason in words. */
export function describeDecision({ reason, meanwhile, rollbackHelps }: ExplainedReason): string {
  const advice = rollbackHelps ? ROLLBACK_HELPS : '';
  return `${sentenceOf(reason)}${advice}${meanwhile === undefined ? '' : `; meanwhile: ${describeChanges(meanwhile)}`}`;
}

const ROLLBACK_HELPS =
  '; {"action":"rollback"} would give the group back what it launched before, unless somebody has changed that since: then ' +
  'give it another launch spec first';

function describeRunningImages({ count, images, others, leftAlone }: RunningImages): string {
  const left =
    leftAlone.length > 0 ? `; ${subject(leftAlone, 'is', 'are')} left alone, as the owner wants` : '';
  return `${count} members run ${describeImages(images, ' or ')}${others ? ', or a newer image' : ''}${left}`;
}
