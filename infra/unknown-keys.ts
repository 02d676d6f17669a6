import { nearest } from './nearest.ts';

const OUR_PREFIX = /^ecs-?ami-?deploy[:./]/i;

/**
 * A fault for each key of the context that is meant for us and that we don't know: it would be ignored
 * silently.
 *
 * @param given all keys of the context, those of the CDK and of other constructs too
 */
export function unknownKeys(given: readonly string[], known: readonly string[]): string[] {
  return given.flatMap((key) => {
    const meant = nearest(key.replace(OUR_PREFIX, ''), known);
    if (known.includes(key) || !isOurs(key, meant)) return [];
    const advice =
      meant === undefined ? '"Settings" in README.md lists what there is' : `did you mean ${meant}?`;
    return [`${key} is no setting; ${advice}`];
  });
}

/**
 * The CDK's own keys have a colon, a slash or, as `acknowledged-issue-numbers`, a hyphen in them: of those
 * with a hyphen only what is near to a key of ours is meant for us.
 */
function isOurs(key: string, meant: string | undefined): boolean {
  return /^\w+$/.test(key) || OUR_PREFIX.test(key) || (meant !== undefined && !/[:/]/.test(key));
}
