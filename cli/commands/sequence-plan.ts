import { advance } from '../../lambda/core/sequence/advance.ts';
import type { SequenceEvent } from '../../lambda/core/sequence/model.ts';
import { describeView, sequenceBusEvent } from '../../lambda/core/sequence/tell.ts';
import { hanging } from '../layout.ts';
import { type AllowedChange, changesBetween, changeText } from '../sequence/changes.ts';
import { lookAtSequence, type SequenceLook } from '../sequence/look.ts';
import { orderText } from '../sequence/orders.ts';
import { listed, shortened } from '../sequence/texts.ts';
import { EXIT, type Exit, type Options, type Page, type Terminal } from '../session.ts';
import { json, timeText } from '../text.ts';

/** What the next pass would do. It changes nothing. */
export async function sequencePlan(options: Options, terminal: Terminal): Promise<Exit> {
  const look = await lookAtSequence(options, terminal);
  const planned = planOf(look);
  terminal.out(options.json ? json(planned) : planText(planned, terminal));
  if (planned.events.some(({ kind }) => kind === 'ReleaseHalted')) return EXIT.failed;
  return planned.events.length > 0 || planned.allowances.length > 0 ? EXIT.planned : EXIT.done;
}

/** What `--json` answers: `docs/cli.md` has it. */
export interface SequencePlan {
  readonly function: string;
  readonly at: string;
  readonly events: readonly SequenceEvent[];
  readonly allowances: readonly AllowedChange[];
  readonly orders: readonly { readonly order: string; readonly by: string; readonly refused?: string }[];
  /** What stages wait for that go on by themselves, the first of them first. */
  readonly waits: readonly { readonly until: string; readonly what: string }[];
}

export function planOf({ sequence, seen, now, ...look }: Omit<SequenceLook, 'table'>): SequencePlan {
  const { events, allowances, refused, views } = advance(sequence, seen, now);
  const open = seen.orders.filter(({ id }) => !seen.state.taken.includes(id));
  return {
    function: look.function,
    at: now.toISOString(),
    events,
    allowances: changesBetween(seen.allowances, allowances),
    orders: open.map((order) => {
      const why = refused.find((each) => each.order.id === order.id)?.why;
      return { order: orderText(order), by: order.by, ...(why !== undefined && { refused: why }) };
    }),
    waits: views
      .flatMap((view) =>
        view.until === undefined || view.until <= now
          ? []
          : [{ until: view.until.toISOString(), what: describeView({ ...view, until: undefined }) }],
      )
      .sort((a, b) => (a.until < b.until ? -1 : 1)),
  };
}

function planText({ at, events, allowances, orders, waits }: SequencePlan, page: Page): string {
  const now = new Date(at);
  const done = [
    ...orders.map(({ order, by, refused }) =>
      refused === undefined ? `takes ${order}, of ${by}` : `refuses ${order}, of ${by}: ${refused}`,
    ),
    ...events.map((event) => sequenceBusEvent(event, now).text),
    ...allowances.map(changeText),
  ];
  const [first] = waits;
  return [
    done.length === 0
      ? 'The next pass, within 5 minutes, changes nothing.'
      : 'The next pass, within 5 minutes:',
    ...listed(done, page),
    ...(first === undefined
      ? []
      : [hanging(page, `${timeText(first.until)}, by itself: `, shortened(first.what), { indent: 2 })]),
  ].join('\n');
}
