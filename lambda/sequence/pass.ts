import type { SequenceTable } from '../aws/sequence-table.ts';
import { type Advanced, advance } from '../core/sequence/advance.ts';
import type { Sequence } from '../core/sequence/model.ts';
import { readTable, writeTable } from './store.ts';

export interface PassDone extends Advanced {
  /** Whether anything has changed by it: its events are to be told then, and by nobody else. */
  readonly isNew: boolean;
  /** Items that nobody can read, a sentence each. */
  readonly unreadable: readonly string[];
}

/** Reads the table, decides, and writes what was decided. It may be killed at any moment, or run twice. */
export async function pass(table: SequenceTable, sequence: Sequence, now: Date): Promise<PassDone> {
  const read = await readTable(table, sequence);
  const advanced = advance(sequence, read.seen, now);
  const isNew = await writeTable(table, read, advanced);
  return { ...advanced, isNew, unreadable: read.unreadable };
}
