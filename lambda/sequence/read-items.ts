import type { TableItem } from '../aws/sequence-table.ts';
import { PARTITIONS } from '../contract.ts';
import { memberKey, NOTHING_YET, type SequenceSeen } from '../core/sequence/model.ts';
import { allowanceIn, ItemUnreadable, memberIn, statusIn } from './items.ts';
import { orderIn, STATE_KEY_IN_TABLE, stateIn } from './memory-items.ts';

/** Everything in the table, and what of it nobody can read. */
export interface ReadItems {
  readonly seen: SequenceSeen;
  /** Of the item with the state; undefined if there is none yet. */
  readonly version: number | undefined;
  /** A sentence for each item. */
  readonly unreadable: readonly string[];
}

/**
 * Reads what was queried. An item that a stranger has spoilt is left out, and said; without its own memory a
 * sequence decides nothing.
 *
 * @throws ItemUnreadable if it is the state
 */
export function readItems(items: readonly TableItem[]): ReadItems {
  const unreadable: string[] = [];
  const readable = <Read>(kind: readonly TableItem[], read: (item: TableItem) => Read): Read[] =>
    kind.flatMap((item) => {
      try {
        return [read(item)];
      } catch (error) {
        if (!(error instanceof ItemUnreadable)) throw error;
        unreadable.push(error.message);
        return [];
      }
    });
  const ofKind = (prefix: string) => items.filter(({ pk }) => pk.startsWith(prefix));
  const own = ofKind(PARTITIONS.sequence);
  const allowed = ofKind(PARTITIONS.allowed(''));
  const state = own.find(({ sk }) => sk === STATE_KEY_IN_TABLE);
  return {
    seen: {
      state: state === undefined ? NOTHING_YET : stateIn(state),
      statuses: readable(ofKind(PARTITIONS.status('')), statusIn),
      allowances: new Map(readable(allowed, (item) => [memberKey(memberIn(item)), allowanceIn(item)])),
      orders: readable(
        own.filter((item) => item !== state),
        orderIn,
      ),
      generation: Math.max(0, ...[...own, ...allowed].map(({ version }) => version)) + 1,
    },
    version: state?.version,
    unreadable,
  };
}
