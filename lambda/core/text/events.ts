import type { ChatNotification, RollEvent, RollEventKind } from '../model/roll-event.ts';

/** The event's detail type on the bus, such as `Roll batch done`. */
export function detailTypeOf(kind: RollEventKind): string {
  return `Roll ${kind.replace('-', ' ')}`;
}

/** Whether its reason says what happened; otherwise that is only what the roll does next. */
const TELLING: ReadonlySet<RollEventKind> = new Set<RollEventKind>(['announced', 'held', 'blocked']);

/** What an event is about, before it is put into words. */
export type Untold = Omit<RollEvent, 'text' | 'chat'>;

/** One line for a person: `web/web-a: roll begun, from ami-1 to ami-2, 0 of 6 members replaced`. */
export function describeEvent(event: Untold): string {
  const what = detailTypeOf(event.kind).replace('R', 'r');
  return `${event.cluster}/${event.group}: ${[what, ...imagesIn(event), ...countsIn(event), ...sayingIn(event)].join(', ')}`;
}

function imagesIn({ images: { from, to } }: Untold): string[] {
  // A rollback goes to where the roll came from.
  const left = from.filter((imageId) => !to.includes(imageId));
  const parts = [
    ...(left.length === 0 ? [] : [`from ${left.join(' and ')}`]),
    ...(to.length === 0 ? [] : [`to ${to.join(' and ')}`]),
  ];
  return parts.length === 0 ? [] : [parts.join(' ')];
}

function countsIn({ counts: { replaced, total }, startedAt, seconds = 0 }: Untold): string[] {
  if (startedAt === undefined) return [];
  const after = seconds < 60 ? '' : ` after ${Math.round(seconds / 60)} min`;
  return [`${replaced} of ${total} members replaced${after}`];
}

function sayingIn({ kind, reason, because }: Untold): string[] {
  if (because !== undefined) return [because];
  return TELLING.has(kind) ? [reason] : [];
}

/** Longest title and description that are accepted. */
const LONGEST = { title: 250, description: 8000 } as const;

/** A text in so many UTF-16 units; one that is longer ends in an ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half a character is none that JSON can carry.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export function chatNotification(event: Untold): ChatNotification {
  const { id, cluster, group, kind, startedAt = 'not begun' } = event;
  return chatOf({
    id,
    sign: SIGNS[kind],
    eventType: detailTypeOf(kind),
    place: `${cluster}/${group}`,
    text: describeEvent(event),
    threadId: `${cluster}/${group}/${startedAt}`,
  });
}

interface Said {
  readonly id: string;
  readonly sign: string;
  readonly eventType: string;
  /** Its cluster and group. */
  readonly place: string;
  readonly text: string;
  readonly threadId: string;
}

/** https://docs.aws.amazon.com/chatbot/latest/adminguide/custom-notifs.html */
export function chatOf({ id, sign, eventType, place, text, threadId }: Said): ChatNotification {
  const title = cut(`${sign} ${plain(`${eventType}: ${place}`)}`, LONGEST.title);
  const description = cut(plain(text), LONGEST.description);
  return {
    version: '1.0',
    source: 'custom',
    id,
    content: { textType: 'client-markdown', title, description },
    metadata: { threadId, summary: title, eventType },
  };
}

const SIGNS: Readonly<Record<RollEventKind, string>> = {
  announced: ':calendar:',
  begun: ':arrow_forward:',
  'trial-passed': ':white_check_mark:',
  'batch-done': ':white_check_mark:',
  held: ':double_vertical_bar:',
  blocked: ':warning:',
  continued: ':arrow_forward:',
  aborting: ':warning:',
  'rolling-back': ':rewind:',
  completed: ':white_check_mark:',
  aborted: ':warning:',
  'rolled-back': ':rewind:',
};

/**
 * Names and reasons come from others. What is left of them is one line that mentions nobody, formats nothing
 * and links nowhere: chats make links of bare addresses, too, and emoji of words between colons.
 */
function plain(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}<>&@#*`~|\\[\]]/gu, ' ')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, ' ')
    .replace(COLON_BUT_IN_TIMES, ': ')
    .replace(/[.。．｡․](?=[^\s\d\p{P}])|(?<=\d)\.(?=\d+\.\d+\.\d)/gu, '$& ')
    .replace(/\s+/g, ' ')
    .trim();
}

const COLON_BUT_IN_TIMES = /:(?=\S)(?!(?<=(?<!\d)\d\d:)\d\d(?!\d))/g;

/** A warning in a group's result. */
export function describeUntold(because: string): string {
  return `not all of its events are on the event bus: ${because}`;
}
