interface Entry {
  readonly atMs: number;
  readonly order: number;
  event: (() => void) | undefined;
}

/** Events by their time; those of the same time in the order in which they were added. A binary heap. */
export function eventQueue(startMs: number) {
  const heap: Entry[] = [];
  let nowMs = startMs;
  let order = 0;

  /** Drops what was taken back, so that the top is the next event that will happen. */
  const top = (): Entry | undefined => {
    while (heap[0] !== undefined && heap[0].event === undefined) removeTop(heap);
    return heap[0];
  };

  const step = () => {
    const entry = top();
    if (!entry) return;
    removeTop(heap);
    nowMs = entry.atMs;
    entry.event?.();
  };

  return {
    now: () => nowMs,
    nextAt: () => top()?.atMs,
    step,
    add(delayMs: number, event: () => void): () => void {
      const atMs = nowMs + Math.max(0, delayMs);
      const entry: Entry = { atMs, order: order++, event };
      insert(heap, entry);
      return () => {
        entry.event = undefined;
      };
    },
    runThrough(untilMs: number) {
      for (let next = top(); next && next.atMs <= untilMs; next = top()) step();
      nowMs = untilMs;
    },
  };
}

const isBefore = (a: Entry, b: Entry) => (a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs);

function insert(heap: Entry[], entry: Entry) {
  let index = heap.length;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (!parent || !isBefore(entry, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = entry;
}

function removeTop(heap: Entry[]) {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const child = earlierChild(heap, index);
    const entry = heap[child];
    if (!entry || !isBefore(entry, last)) break;
    heap[index] = entry;
    index = child;
  }
  heap[index] = last;
}

function earlierChild(heap: readonly Entry[], index: number): number {
  const left = heap[2 * index + 1];
  const right = heap[2 * index + 2];
  const isRight = left && right && isBefore(right, left);
  return 2 * index + (isRight ? 2 : 1);
}
