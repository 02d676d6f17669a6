import type { SequenceTable, TableItem } from '../aws/sequence-table.ts';
import { PARTITIONS } from '../contract.ts';
import type { Advanced } from '../core/sequence/advance.ts';
import { memberKey, type Sequence, type SequenceSeen } from '../core/sequence/model.ts';
import { allowanceItem } from './items.ts';
import { stateItem } from './memory-items.ts';
import { type ReadItems, readItems } from './read-items.ts';

/** So many queries, or writes, at once. */
const AT_ONCE = 10;

/** A thousand stacks of an account say less; what all accounts say has to fit into the function's memory. */
const MOST_STATUS_PAGES = 4;

/**
 * Reads the whole table: no partition but the sequence's own, and those of the accounts that it names. Of
 * what an account says only so much: anybody in it may say more than anybody can read.
 */
export async function readTable(table: SequenceTable, { stages }: Sequence): Promise<ReadItems> {
  const accounts = [...new Set(stages.flatMap(({ members }) => members.map(({ account }) => account)))];
  const partitions = [
    { pk: PARTITIONS.sequence },
    ...accounts.flatMap((account) => [
      { pk: PARTITIONS.status(account), mostPages: MOST_STATUS_PAGES },
      { pk: PARTITIONS.allowed(account) },
    ]),
  ];
  const items: TableItem[] = [];
  const cut: string[] = [];
  await eachOf<{ readonly pk: string; readonly mostPages?: number }>(
    partitions,
    async ({ pk, mostPages }) => {
      const queried = await table.query(pk, mostPages);
      items.push(...queried.items);
      if (queried.isCut) cut.push(`${pk}: what comes after ${MOST_STATUS_PAGES} MB`);
    },
  );
  const read = readItems(items);
  return { ...read, unreadable: [...cut, ...read.unreadable] };
}

/**
 * Writes what was decided: first what the sequence remembers, and only then what follows from it, so that
 * whoever is killed in between has allowed nothing that nobody remembers.
 *
 * @returns whether it was written; if not, somebody else has decided meanwhile, and nothing of it is
 */
export async function writeTable(
  table: SequenceTable,
  { version, seen }: ReadItems,
  { state, allowances }: Advanced,
): Promise<boolean> {
  const item = stateItem(state, seen.generation);
  const isNew = version === undefined || item.body !== stateItem(seen.state, version).body;
  const changed = namedBy(seen).filter(([key]) => {
    const next = allowances.get(key);
    return next !== undefined && next.generation !== (seen.allowances.get(key)?.generation ?? 0);
  });
  // Even where it is the same: no other pass has this generation, then.
  if ((isNew || changed.length > 0) && !(await table.writeIf(item, version))) return false;
  await eachOf(changed, async ([key, member]) => {
    const allowance = allowances.get(key);
    // A later pass may have written another meanwhile, which holds.
    if (allowance) await table.writeNewer(allowanceItem(member, allowance));
  });
  return isNew;
}

const namedBy = ({ statuses }: SequenceSeen) =>
  statuses.map(({ member }) => [memberKey(member), member] as const);

/** Where one fails no other begins, and it ends after all: a later pass meets none of an earlier one's. */
async function eachOf<Each>(all: readonly Each[], act: (each: Each) => Promise<void>): Promise<void> {
  const left = [...all];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await act(next);
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      left.length = 0;
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  await Promise.all(workers);
}
