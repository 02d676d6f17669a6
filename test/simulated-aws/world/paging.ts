import { AwsError } from '../account/operation.ts';

interface PageRequest {
  readonly limit: number | undefined;
  readonly token: string | undefined;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly token: string | undefined;
}

export interface PageLimits {
  readonly default: number;
  readonly max: number;
  readonly min?: number;
  /** Codes of the errors for a token that was never given out, and for a limit out of bounds. */
  readonly tokenCode: string;
  readonly limitCode: string;
}

/**
 * Pages of one operation. A token stands for the items left when it was issued, so that nothing is skipped or
 * returned twice when the list changes meanwhile.
 */
export function createPager<Item>(name: string, limits: PageLimits) {
  const left = new Map<string, readonly Item[]>();

  return (items: readonly Item[], request: PageRequest): Page<Item> => {
    const { limit = limits.default, token } = request;
    // ledger: page-size
    if (limit < (limits.min ?? 1) || limit > limits.max)
      throw new AwsError(
        limits.limitCode,
        `${name}: a page of ${limit} is not between ${limits.min ?? 1} and ${limits.max}`,
      );
    const rest = token === undefined ? items : left.get(token);
    // ledger: page-token
    if (!rest) throw new AwsError(limits.tokenCode, `The token ${token} is not valid`);
    if (rest.length <= limit) return { items: rest, token: undefined };
    const next = Buffer.from(`${name}:${left.size + 1}`).toString('base64url');
    left.set(next, rest.slice(limit));
    return { items: rest.slice(0, limit), token: next };
  };
}

/** An AWS batch limit. */
export function assertAtMost(max: number, values: readonly unknown[], code: string, what: string) {
  if (values.length > max) throw new AwsError(code, `${what}: ${values.length}, at most ${max}`);
}
