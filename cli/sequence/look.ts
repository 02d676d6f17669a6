import { createAws } from '../../lambda/aws/clients.ts';
import { faultOf } from '../../lambda/aws/faults.ts';
import { type SequenceTable, sequenceTable } from '../../lambda/aws/sequence-table.ts';
import { SEQUENCE_ENVIRONMENT } from '../../lambda/contract.ts';
import type { Sequence } from '../../lambda/core/sequence/model.ts';
import type { ReadItems } from '../../lambda/sequence/read-items.ts';
import { readTable } from '../../lambda/sequence/store.ts';
import { parseSequence } from '../../lambda/settings/parse-sequence.ts';
import { findSequence } from '../deployed.ts';
import { Complaint, type Options, type Terminal } from '../session.ts';

/** A sequence as it is deployed, and what its table has. */
export interface SequenceLook extends Pick<ReadItems, 'seen' | 'unreadable'> {
  /** The name of the function that decides for it. */
  readonly function: string;
  readonly sequence: Sequence;
  readonly table: SequenceTable;
  readonly now: Date;
}

/**
 * Reads the table with the rights of whoever runs this: its function answers nobody.
 *
 * @throws Complaint, SequenceError, ItemUnreadable
 */
export async function lookAtSequence(options: Options, terminal: Terminal): Promise<SequenceLook> {
  const { name, environment } = await findSequence(options);
  const { sequence: text, table: arn } = SEQUENCE_ENVIRONMENT;
  const [stages, tableArn] = [environment[text], environment[arn]];
  if (stages === undefined || tableArn === undefined)
    throw new Complaint(`${name} has no ${text} or no ${arn} in its environment`);
  const sequence = parseSequence(stages);
  const table = sequenceTable(createAws(), tableArn);
  const now = new Date();
  const { seen, unreadable } = await terminal.waiting('reading the table', () =>
    orDenied(readTable(table, sequence), 'read the table of the sequence', 'grantLook'),
  );
  return { function: name, sequence, table, now, seen, unreadable };
}

/** @throws Complaint with the grant that would let whoever runs this do it */
export async function orDenied<Answer>(call: Promise<Answer>, what: string, grant: string): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Error) || faultOf(error).kind !== 'denied') throw error;
    throw new Complaint(
      `You may not ${what}: ${error.message}\n${grant} of the construct RolloutSequence lets you; docs/permissions.md has it as a policy.`,
    );
  }
}
