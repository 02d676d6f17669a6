import type { Account } from '../account.ts';

/** A call that both accounts get, in the order of the list: what it changes, the next one sees. */
export interface Step {
  /** Says what is asked for; unique. */
  readonly title: string;
  call(account: Account): Promise<object>;
}

export const step = (title: string, call: Step['call']): Step => ({ title, call });

export const UNKNOWN_INSTANCE = 'i-0123456789abcdef0';
