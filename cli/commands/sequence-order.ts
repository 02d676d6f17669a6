import { randomUUID } from 'node:crypto';
import { orderItem } from '../../lambda/sequence/memory-items.ts';
import { callerArn } from '../aws/identity.ts';
import { followsFrom } from '../sequence/changes.ts';
import { lookAtSequence, orDenied } from '../sequence/look.ts';
import { type GivenOrder, makeOrder, ORDERED, orderText } from '../sequence/orders.ts';
import { listed } from '../sequence/texts.ts';
import { type ChangeOptions, Complaint, confirm, EXIT, type Exit, type Terminal } from '../session.ts';
import { json } from '../text.ts';

export interface SequenceOrderOptions extends ChangeOptions {
  readonly line?: string;
  /** Of a halt: rolls under way stop as well. */
  readonly now?: true;
}

/** Longer names no item takes. */
const LONGEST_NAME = 256;

/** Checks an order, shows what follows from it, asks, and puts it into the table. */
export async function sequenceOrder(
  given: GivenOrder,
  options: SequenceOrderOptions,
  terminal: Terminal,
): Promise<Exit> {
  const { function: name, table, sequence, seen, now } = await lookAtSequence(options, terminal);
  const by = (await callerArn()).slice(0, LONGEST_NAME);
  const asked = 'stack' in given ? given : { ...given, line: options.line };
  const order = makeOrder(asked, { id: randomUUID(), by, at: now }, sequence, seen);
  const follows = followsFrom(order, sequence, seen, now);
  terminal.note(
    follows.length === 0
      ? 'At once nothing follows from it.'
      : ['What follows:', ...listed(follows, terminal)].join('\n'),
  );
  await confirm(`${orderText(order)}: ${ORDERED[order.kind]}?`, options, terminal);
  const written = await terminal.waiting('writing the order', () =>
    orDenied(table.writeIf(orderItem(order), undefined), 'give the sequence orders', 'grantOrder'),
  );
  if (!written) throw new Complaint('the order was not written, as there is one by its id: try again');
  terminal.out(options.json ? json({ function: name, order, follows }) : `Noted: ${orderText(order)}.`);
  terminal.note(
    'It takes effect with the next pass, within 5 minutes, and stacks learn of it within 10 more: `ecs-ami-deploy sequence status` shows it.',
  );
  return EXIT.done;
}
