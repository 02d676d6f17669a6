import type { HookStage } from '../reasons/held.ts';

/** `hold`: asked again later. */
export const HOOK_ANSWERS = ['go', 'hold', 'refuse'] as const;

/** What is noted of an answer; `asked`: people were, and none has answered yet. */
export const NOTED_ANSWERS = [...HOOK_ANSWERS, 'asked'] as const;
export type NotedAnswer = (typeof NOTED_ANSWERS)[number];

/** Whether a hook is an SNS topic, whose subscribers are people: they answer by an order, or never. */
export function asksPeople(hook: string): boolean {
  return hook.split(':')[2] === 'sns';
}

/** What a hook was asked last in a roll, and what it answered. */
export interface HookNote {
  readonly stage: HookStage;
  /** What the answer is about: the trial, or the members left to replace. */
  readonly key: string;
  readonly answer: NotedAnswer;
  /** When it was first asked. */
  readonly since: Date;
  /** When it was asked last. */
  readonly askedAt: Date;
  /** How often it was asked. */
  readonly attempt: number;
  /** In its own words. */
  readonly says?: string;
}

/** A question to a hook. */
export interface HookQuestion extends Pick<HookNote, 'stage' | 'key' | 'since' | 'attempt'> {
  readonly startedAt: Date;
  /** From then on, to hold is to refuse. */
  readonly until: Date;
  readonly images: { readonly from: readonly string[]; readonly to: readonly string[] };
  /** Members that the roll has launched so far. */
  readonly replacements: readonly string[];
  /** Members that are still to be replaced. */
  readonly outdated: readonly string[];
  /** Those of them that are replaced next; empty where that isn't known yet. */
  readonly next: readonly string[];
}
