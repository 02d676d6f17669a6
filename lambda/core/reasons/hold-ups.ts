import { DRAINING } from './draining.ts';
import { HELD } from './held.ts';
import { LAUNCHING, ON_TRIAL } from './launching.ts';
import type { ReasonOf } from './reason-of.ts';

/** What a roll waits for or is blocked by, by what it spends its time with meanwhile. */
export const PHASES = { launching: LAUNCHING, trial: ON_TRIAL, draining: DRAINING, held: HELD } as const;
export type Phase = keyof typeof PHASES;

/** What a roll that has begun, or is about to begin, waits for or is blocked by. */
export const HOLD_UPS = { ...LAUNCHING, ...ON_TRIAL, ...DRAINING, ...HELD };

export type HoldUpCode = keyof typeof HOLD_UPS;
export type HoldUp<Code extends HoldUpCode = HoldUpCode> = ReasonOf<typeof HOLD_UPS, Code>;

/** Why nothing new may begin at this time, as the settings have it. */
export type Closed = HoldUp<
  'outside-windows' | 'calendars-closed' | 'calendar-unread' | 'halted-in-sequence'
>;
