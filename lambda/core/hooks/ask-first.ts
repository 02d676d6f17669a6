import type { Decision } from '../actions/decision.ts';
import { replacementsOf } from '../group/crashes.ts';
import type { Classification, RollAssessment } from '../model/assessment.ts';
import { asksPeople, type HookNote, type HookQuestion } from '../model/hook.ts';
import type { Settings } from '../model/settings.ts';
import { isOver, secondsBetween } from '../model/time.ts';
import type { HookStage } from '../reasons/held.ts';

/** A hook that holds is asked again after so long. */
export const ASK_AGAIN_SECONDS = 60;

/** A function's `go` that isn't used for so long is void: what it was about may be otherwise by now. */
const GO_SECONDS = 300;

/** What is to be decided by a hook: a step that the roll would take, and what it is about. */
interface Gate {
  readonly stage: HookStage;
  readonly hook: string;
  readonly key: string;
  readonly next: readonly string[];
}

/**
 * Lets a hook decide whether the roll takes a step that passes a trial, begins a batch or has others leave in
 * their place; any other step is taken as it is. A `go` is for this trial, or for these outdated members, and
 * no other, and for the images they are replaced by.
 */
export function askFirst(assessment: RollAssessment, decision: Decision | undefined): Decision | undefined {
  const gate = decision && gateOf(assessment, decision);
  if (gate === undefined || isOpen(assessment, gate)) return decision;
  const note = noteFor(assessment, gate);
  if (note === undefined || isDue(assessment, gate, note)) return ask(assessment, gate, note);
  return holdUpBy(assessment, gate, note);
}

function gateOf(assessment: RollAssessment, decision: Decision): Gate | undefined {
  const { group, settings, classified } = assessment;
  const next = chosenIn(decision, classified);
  const stage = stageOf(decision, next);
  const hook = stage && hookOf(settings, stage);
  if (decision.kind !== 'act' || stage === undefined || hook === undefined) return undefined;
  const { canary } = group.roll;
  const keyOf = (...about: readonly string[]) =>
    digest([group.uuid, group.roll.startedAt.toISOString(), stage, ...imagesTo(assessment), ...about]);
  if (stage === 'trial-passed') {
    const since = canary.kind === 'baking' ? canary.since.toISOString() : '';
    return { stage, hook, key: keyOf(since), next: [] };
  }
  // Marked ones are of a batch that has begun; so may one be that ended and has lost its tags.
  const unmarked = classified.drifted.flatMap(({ instance: { instanceId, alive, mark } }) =>
    alive && mark === undefined ? [instanceId] : [],
  );
  return { stage, hook, key: keyOf(...unmarked), next };
}

/** What replacements launch now: an alias may have moved, and an image be gone, since the roll began. */
function imagesTo({ launch: { sources } }: RollAssessment): string[] {
  return [...new Set(sources.map(({ target: { imageId } }) => imageId))].sort();
}

/** Running members that it marks, and not anew: what no longer runs its group replaces in any case. */
function chosenIn(decision: Decision, { drifted, current }: Classification): string[] {
  if (decision.kind !== 'act') return [];
  const unasked = new Set(
    [...drifted, ...current].flatMap(({ instance: { instanceId, alive, mark } }) =>
      mark || !alive ? [instanceId] : [],
    ),
  );
  const ids = decision.actions.flatMap((each) => (each.kind === 'mark-instances' ? each.instanceIds : []));
  return ids.filter((id) => !unasked.has(id));
}

function stageOf(decision: Decision, chosen: readonly string[]): HookStage | undefined {
  if (decision.kind !== 'act') return undefined;
  const { code } = decision.reason;
  if (code === 'trial-passed') return code;
  // Who leaves in another's place was not asked about with the batch.
  const begins = code === 'members-chosen' || code === 'members-detached' || code === 'zones-kept';
  return begins && chosen.length > 0 ? 'before-batch' : undefined;
}

function hookOf({ onTrialPassed, beforeBatch }: Settings, stage: HookStage): string | undefined {
  return stage === 'trial-passed' ? onTrialPassed : beforeBatch;
}

function isOpen(
  { group: { roll }, observation: { now }, settings }: RollAssessment,
  { stage, key, hook }: Gate,
): boolean {
  const { hook: note } = roll;
  const goSeconds = asksPeople(hook) ? settings.hookTimeoutMinutes * 60 : GO_SECONDS;
  return (
    note?.answer === 'go' && note.stage === stage && note.key === key && !isOver(note.askedAt, goSeconds, now)
  );
}

/** What a hook was asked before about the same step; about a batch, although others may be left by now. */
function noteFor({ group }: RollAssessment, { stage, key }: Gate): HookNote | undefined {
  const { hook } = group.roll;
  if (hook === undefined || hook.stage !== stage || hook.answer === 'go') return undefined;
  return stage === 'before-batch' || hook.key === key ? hook : undefined;
}

/** A function is asked once more before its silence counts; people have been asked. */
function isRefused(
  { observation: { now }, settings: { hookTimeoutMinutes } }: RollAssessment,
  { hook }: Gate,
  note: HookNote,
): boolean {
  const until = awaitsPeople(hook, note) ? now : note.askedAt;
  return note.answer === 'refuse' || secondsBetween(note.since, until) >= hookTimeoutMinutes * 60;
}

function isDue(assessment: RollAssessment, gate: Gate, note: HookNote): boolean {
  if (isRefused(assessment, gate, note)) return false;
  const isOther = note.key !== gate.key;
  const isAgain = isOver(note.askedAt, ASK_AGAIN_SECONDS, assessment.observation.now);
  // Nobody wants the same mail each minute.
  return awaitsPeople(gate.hook, note) ? isOther && isAgain : isOther || isAgain;
}

function awaitsPeople(hook: string, { answer }: HookNote): boolean {
  return answer === 'asked' && asksPeople(hook);
}

function ask(assessment: RollAssessment, gate: Gate, note: HookNote | undefined): Decision {
  const { group } = assessment;
  const { stage, hook } = gate;
  const question = questionOf(assessment, gate, note);
  const action = { kind: 'ask-hook', group: group.name, hook, question, before: group.roll.hook } as const;
  return { kind: 'act', reason: { code: 'hook-asked', stage, hook }, actions: [action] };
}

function questionOf(
  assessment: RollAssessment,
  { stage, key, next }: Gate,
  note: HookNote | undefined,
): HookQuestion {
  const { group, observation, settings, classified } = assessment;
  const since = note?.since ?? observation.now;
  const { drifted } = classified;
  return {
    stage,
    key,
    since,
    attempt: (note?.attempt ?? 0) + 1,
    startedAt: group.roll.startedAt,
    until: untilOf(since, settings),
    images: {
      from: [...new Set(drifted.map(({ instance: { imageId } }) => imageId))].sort(),
      to: imagesTo(assessment),
    },
    replacements: replacementsOf(group, classified),
    outdated: drifted.map(({ instance: { instanceId } }) => instanceId),
    next,
  };
}

function untilOf(since: Date, { hookTimeoutMinutes }: Settings): Date {
  return new Date(since.getTime() + hookTimeoutMinutes * 60_000);
}

/** A trial that is refused has failed; before a batch the roll stops halfway, and keeps what it has. */
function holdUpBy(assessment: RollAssessment, gate: Gate, note: HookNote): Decision {
  const { group, settings } = assessment;
  const { stage, key: question, answer, since, askedAt, says } = note;
  const until = untilOf(since, settings);
  const asked = awaitsPeople(gate.hook, note) ? { group: group.name, question } : undefined;
  const facts = { stage, ...(says !== undefined && { says }) };
  if (!isRefused(assessment, gate, note))
    return {
      kind: 'wait',
      reason:
        asked === undefined
          ? { code: 'hook-holds', ...facts, askedAt, until }
          : { code: 'approval-awaited', stage, ...asked, until },
    };
  const afterMinutes = answer === 'refuse' ? undefined : settings.hookTimeoutMinutes;
  return {
    kind: 'blocked',
    reason: {
      code: 'hook-refuses',
      ...facts,
      ...(asked && { unanswered: asked }),
      ...(afterMinutes !== undefined && { afterMinutes }),
    },
    ...(stage === 'trial-passed' && { failing: true }),
  };
}

/** Short enough for a tag, and the same in every order: FNV-1a, 32 bits. */
export function digest(words: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of [...words].sort().join(' '))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
