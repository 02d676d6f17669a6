/** How many ids or faults a sentence names; the rest are counted. */
export const NAMED = 3;

/** An image, as messages name it. */
export interface NamedImage {
  readonly imageId: string;
  readonly name: string;
}

/** The part of an instance that messages name. */
export interface NamedInstance {
  readonly instanceId: string;
}

/** The part of several instances that messages name. */
export interface NamedInstances {
  readonly instanceIds: readonly string[];
}

/** What people were asked, as they name it. An answer is to this group's question, and to no other's. */
export interface GroupQuestion {
  readonly group: string;
  /** The key that they were told. */
  readonly question: string;
}

export interface Overdue {
  /** How long it may last, once that is exceeded. */
  readonly afterSeconds?: number;
}

export function after(seconds: number | undefined): string {
  return seconds === undefined ? '' : `after ${seconds} s, `;
}

/** Why members are outdated: a count for each reason, or just the reason if all share it. */
export function describeReasons(drifted: readonly { readonly reasons: readonly string[] }[]): string {
  const counts = new Map<string, number>();
  for (const { reasons } of drifted) {
    const key = reasons.join(' and ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [first, ...others] = [...counts];
  if (first !== undefined && others.length === 0) return `by ${first[0]}`;
  return [...counts].map(([reason, count]) => `${count} by ${reason}`).join(', ');
}

/** An image by id and name. */
export function describeImage({ imageId, name }: NamedImage): string {
  return `${imageId} (${name})`;
}

/** Several images, each once. */
export function describeImages(images: readonly NamedImage[], separator: string): string {
  const byId = new Map(images.map((image) => [image.imageId, image]));
  return [...byId.values()].map(describeImage).join(separator);
}

/** Ids as the subject of a sentence: `i-1 is`, `i-1, i-2 are`. */
export function subject(ids: readonly string[], one: string, several: string): string {
  return `${listIds(ids)} ${ids.length === 1 ? one : several}`;
}

/** Ids as part of a sentence. */
export function listIds(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).join(', ');
  return ids.length > NAMED ? `${named} and ${ids.length - NAMED} more` : named;
}

/**
 * What somebody types to answer a question.
 *
 * @param options of the command line, such as `--region eu-west-1`
 */
export function answerCommand(
  verb: 'approve' | 'refuse',
  { group, question }: GroupQuestion,
  options: readonly string[] = [],
): string {
  return ['ecs-ami-deploy', ...options, verb, ...wordIn(group), question].join(' ');
}

/**
 * Nothing is quoted: shells differ in what they take for a quote, and chats leave out what quotes a quote. A
 * name that holds more than plain signs, which may be any but a blank and a colon, is for people to type.
 */
function wordIn(name: string): string[] {
  const word = /^[\p{L}\p{N}_./+-]+$/u.test(name) ? name : '<group>';
  return word.startsWith('-') ? ['--', word] : [word];
}

/** A group's name may hold what would break a line. */
export function printable(name: string): string {
  return name.replace(/\p{C}/gu, '?');
}
