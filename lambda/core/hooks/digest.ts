/** Short enough for a tag, and the same in every order: FNV-1a, 32 bits. */
export function digest(words: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of [...words].sort().join(' '))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
