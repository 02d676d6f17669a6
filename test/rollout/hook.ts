import type { World } from '../simulated-aws/world/world.ts';

export const HOOK = 'arn:aws:lambda:eu-central-1:123456789012:function:ask-first';

/** Asks it at each stage. */
export const ASKS = { ON_TRIAL_PASSED: HOOK, BEFORE_BATCH: HOOK } as const;

export const GO = { answer: 'go' } as const;

/** What a hook is asked, as far as tests look at it. */
export interface Asked {
  readonly id: string;
  readonly stage: string;
  readonly attempt: number;
  readonly instances: { readonly next: readonly string[] };
}

/** @param times how often it has been asked, this time included */
export type Answer = (asked: Asked, times: number) => unknown;

/** @returns what it is asked, first to last */
export function addHook({ state }: World, answer: Answer = () => GO): readonly Asked[] {
  const asked: Asked[] = [];
  state.functions.set(HOOK, {
    arn: HOOK,
    events: [],
    answers: [],
    answer(event) {
      asked.push(event as Asked);
      return answer(event as Asked, asked.length);
    },
  });
  return asked;
}
