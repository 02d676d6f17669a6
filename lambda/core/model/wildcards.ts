/** Any one character, or any number of them. Everything else is a literal. */
export const ONE = Symbol('one');
export const MANY = Symbol('many');

export type Wildcards = readonly (string | typeof ONE | typeof MANY)[];

/**
 * Whether a text is of a pattern. Strangers write patterns, so none is compiled: this takes at most as many
 * steps as the text is long, for each part.
 *
 * @param pattern characters and wildcards
 */
export function isLike(text: string, pattern: Wildcards): boolean {
  const characters = [...text];
  let [at, part] = [0, 0];
  // Where the latest MANY is, and how much of the text it has taken.
  let many: { readonly part: number; at: number } | undefined;
  while (at < characters.length) {
    const wanted = pattern[part];
    if (wanted === MANY) {
      many = { part, at };
      part++;
    } else if (wanted !== undefined && (wanted === ONE || wanted === characters[at])) {
      part++;
      at++;
    } else if (many !== undefined) {
      many.at++;
      at = many.at;
      part = many.part + 1;
    } else return false;
  }
  return pattern.slice(part).every((each) => each === MANY);
}
