/** What a member may roll onto in one line. */
export interface Allowed {
  readonly release: string;
  /** It is older than what the member ran. */
  readonly isBack?: true;
  /** A roll under way begins no further batch. */
  readonly stops?: true;
}

/** What its sequence lets a member roll onto; whoever is in no sequence has none, and needs none. */
export type Permit =
  /** By line: of a line that is absent, nothing. */
  | { readonly kind: 'read'; readonly lines: ReadonlyMap<string, Allowed> }
  /** The table doesn't answer: nothing new begins, and what has begun goes on. */
  | {
      readonly kind: 'unread';
      readonly because: string;
      /** What it said last: a roll that was stopped doesn't go on for that. */
      readonly before?: ReadonlyMap<string, Allowed>;
    };

/** How its sequence stands to an image that a member launches. */
export interface InSequence {
  /** A family with its architecture, or the owner's pattern or parameter. */
  readonly line: string;
  /** Name of the newest image that the settings choose, allowed or not; absent while it isn't looked for. */
  readonly newest?: string;
  /** Name of the image that is allowed and found; absent if there is none, so that what is launched stays. */
  readonly release?: string;
  /** Name of the image that is allowed, where there is none such that the settings would choose now. */
  readonly unfound?: string;
  /** It is older than what was launched. */
  readonly isBack?: true;
  /** A roll onto it begins nothing new. */
  readonly stops?: true;
  /** Why the sequence's table can't be read. */
  readonly unread?: string;
}
