/**
 * Derives something from an object when first asked, and answers the same from then on: one decision asks for
 * some facts again and again, and each takes a walk over the whole cluster. Nothing of an observation changes
 * once it is made, so it stays pure.
 */
export function derived<From extends object, Fact>(derive: (from: From) => Fact): (from: From) => Fact {
  const known = new WeakMap<From, { readonly fact: Fact }>();
  return (from) => {
    const found = known.get(from) ?? { fact: derive(from) };
    known.set(from, found);
    return found.fact;
  };
}

/** Items by a key of theirs, each list in the order of the items. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const others = groups.get(key);
    if (others === undefined) groups.set(key, [item]);
    else others.push(item);
  }
  return groups;
}
