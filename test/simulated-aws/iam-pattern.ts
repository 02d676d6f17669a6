const patterns = new Map<string, RegExp>();

/** `*` is any text and `?` any one character, in actions, resources and the Like conditions alike. */
export function wildcard(pattern: string): RegExp {
  const before = patterns.get(pattern);
  if (before) return before;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const compiled = new RegExp(`^${source}$`, 's');
  patterns.set(pattern, compiled);
  return compiled;
}

export function listOf<Item>(value: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(value) ? value : [value as Item];
}
