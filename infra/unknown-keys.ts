import { nearest } from './nearest.ts';

const OUR_PREFIX = /^ecs-?ami-?deploy[:./]/i;

/**
 * A fault for each context key that is meant for us but that we don't know: it would be silently ignored.
 *
 * @param keys all keys of the context, including those of the CDK and of other constructs
 */
export function unknownKeys(keys: readonly string[], known: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const meant = nearest(key.replace(OUR_PREFIX, ''), known);
    if (known.includes(key) || !isOurs(key, meant)) return [];
    const advice = meant === undefined ? 'docs/settings.md lists them all' : `did you mean ${meant}?`;
    return [`${key} isn't a setting; ${advice}`];
  });
}

/**
 * The CDK's own keys contain a colon, a slash or, like `acknowledged-issue-numbers`, a hyphen. A key with a
 * hyphen is meant for us only if it resembles one of ours.
 */
function isOurs(key: string, meant: string | undefined): boolean {
  return /^\w+$/.test(key) || OUR_PREFIX.test(key) || (meant !== undefined && !/[:/]/.test(key));
}
