/** Our own generator (mulberry32), so that a seed gives the same world on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Ids {
  /** `i-00000000000000001`, then …2: readable, and in the order of their making. */
  next(prefix: string, digits?: number): string;
  uuid(): string;
}

export function createIds(random: () => number): Ids {
  const counts = new Map<string, number>();
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  return {
    next(prefix, digits = 17) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return prefix + count.toString(16).padStart(digits, '0');
    },
    uuid: () => [hex(8), hex(4), `4${hex(3)}`, `a${hex(3)}`, hex(12)].join('-'),
  };
}
