/**
 * An attempt's error as it is named on the wire, where the SDK's `name` is the shape's. None: it succeeded.
 */
export async function rawCode(attempt: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** @throws whatever is no answer of AWS */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('$metadata' in error)) throw error;
  return 'Code' in error && typeof error.Code === 'string' ? error.Code : error.name;
}
