/** Tags of ours on a resource that are ignored: we didn't write them like that, or not for this resource. */
export interface Untrusted {
  readonly kind: 'group' | 'instance';
  /** The group's name, or the instance's id. */
  readonly resource: string;
  readonly keys: readonly string[];
}

/** How many tags these are. */
export function countOf(untrusted: readonly Untrusted[]): number {
  return untrusted.reduce((sum, { keys }) => sum + keys.length, 0);
}

/** The tags of both, each once. */
export function joined(some: readonly Untrusted[], others: readonly Untrusted[]): Untrusted[] {
  const all = new Map<string, Untrusted>();
  for (const each of [...some, ...others]) {
    const key = `${each.kind} ${each.resource}`;
    const keys = [...new Set([...(all.get(key)?.keys ?? []), ...each.keys])];
    if (keys.length > 0) all.set(key, { ...each, keys });
  }
  return [...all.values()];
}
