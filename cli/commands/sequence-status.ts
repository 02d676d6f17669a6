import type { Standing, Standings } from '../../lambda/core/sequence/members.ts';
import { type MemberName, memberKey, type SequenceOrder } from '../../lambda/core/sequence/model.ts';
import { type StageView, viewsNow } from '../../lambda/core/sequence/views.ts';
import { countOf } from '../../lambda/status/words.ts';
import { colored, colorsOf, hanging, table, underHeadings } from '../layout.ts';
import { lookAtSequence, type SequenceLook } from '../sequence/look.ts';
import { orderText } from '../sequence/orders.ts';
import { shortened } from '../sequence/texts.ts';
import { EXIT, type Exit, type Options, type Page, type Terminal } from '../session.ts';
import { json, timeText } from '../text.ts';
import { watching } from '../watch.ts';

export interface SequenceStatusOptions extends Options {
  /** List every stack, and cut nothing. */
  readonly wide?: boolean;
  /** Seconds between two looks. */
  readonly watch?: number;
}

/** Which release each stage takes, how its stacks stand to it, and what it waits for. */
export function sequenceStatus(options: SequenceStatusOptions, terminal: Terminal): Promise<Exit> {
  return watching(options, terminal, async (shown) => {
    const found = standOf(await lookAtSequence(options, shown));
    const page = { color: shown.color, columns: shown.columns, wide: options.wide ?? false };
    return { text: options.json ? json(found) : sequenceText(found, page), exit: exitOf(found) };
  });
}

/** How a stack stands to the release of its stage. */
interface StackNow extends MemberName {
  readonly standing: Standing;
  /** Why it is hindered, silent or failed. */
  readonly why?: string;
  readonly runs?: { readonly oldest: string; readonly newest: string };
  readonly rolling?: string;
  readonly spokeAt: string;
}

interface StageNow extends Omit<StageView, 'line' | 'members' | 'until'> {
  readonly since?: string;
  readonly until?: string;
  /** The release that has been rolled and soaked here last. */
  readonly qualified?: string;
  readonly stacks: readonly StackNow[];
}

interface ReleaseNow {
  readonly name: string;
  readonly since: string;
  readonly isExpedited?: true;
  readonly halted?: { readonly at: string; readonly why: string; readonly isNow?: true };
}

/** What `--json` answers: `docs/cli.md` has it. */
export interface SequenceNow {
  readonly function: string;
  readonly at: string;
  readonly lines: readonly {
    readonly line: string;
    /** Oldest first, as they were told of. */
    readonly releases: readonly ReleaseNow[];
    readonly stages: readonly StageNow[];
  }[];
  /** Those that the next pass takes. */
  readonly orders: readonly SequenceOrder[];
  readonly leftOut: readonly string[];
  readonly strangers: readonly string[];
  readonly unreadable: readonly string[];
}

export function standOf({
  sequence,
  seen,
  now,
  unreadable,
  ...look
}: Omit<SequenceLook, 'table'>): SequenceNow {
  const { views, strangers } = viewsNow(sequence, seen, now);
  const { state, orders } = seen;
  return {
    function: look.function,
    at: now.toISOString(),
    lines: [...state.lines].map(([line, { known, halts, stages }]) => ({
      line,
      releases: known.map(({ name, since, isExpedited }) => {
        const halt = halts.find(({ release }) => release === name);
        const { at, why, isNow } = halt ?? {};
        return {
          name,
          since: since.toISOString(),
          ...(isExpedited && { isExpedited }),
          ...(at && why !== undefined && { halted: { at: at.toISOString(), why, ...(isNow && { isNow }) } }),
        };
      }),
      stages: views
        .filter((view) => view.line === line)
        .map((view) => {
          const { since, qualified } = stages.get(view.stage) ?? {};
          return stageNow(view, since, qualified);
        }),
    })),
    orders: orders.filter(({ id }) => !state.taken.includes(id)),
    leftOut: state.leftOut,
    strangers: strangers.map(memberKey),
    unreadable,
  };
}

function stageNow(view: StageView, since?: Date, qualified?: string): StageNow {
  const { line, members, until, ...rest } = view;
  return {
    ...rest,
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(qualified !== undefined && { qualified }),
    stacks: members.map((each) => stackNow(each, line)),
  };
}

function stackNow({ status, standing, why }: Standings, line: string): StackNow {
  const { runs, rolling } = status.lines.get(line) ?? {};
  return {
    ...status.member,
    standing,
    ...(why !== undefined && { why }),
    ...(runs && { runs }),
    ...(rolling !== undefined && { rolling }),
    spokeAt: status.spokeAt.toISOString(),
  };
}

function exitOf({ lines }: SequenceNow): Exit {
  const phases = lines.flatMap(({ stages }) => stages.map(({ phase }) => phase));
  if (phases.includes('halted')) return EXIT.failed;
  const isOpen = phases.some((phase) => phase === 'asking' || phase === 'rolling' || phase === 'soaking');
  return isOpen ? EXIT.planned : EXIT.done;
}

const SHAPE = { wraps: 'STACKS', drops: 'RELEASE' } as const;

export function sequenceText(found: SequenceNow, page: Page): string {
  const stages = found.lines.flatMap(({ line, stages }) => stages.map((each) => ({ ...each, line })));
  const remarks = remarksText(found, page);
  if (stages.length === 0) return under([NOTHING_YET, remarks]);
  const rows = underHeadings(
    stages.map((each) => ({ ...each, cluster: each.line })),
    ({ stage, phase, release, stacks }) => [
      [stage, colored(page, phase), release ?? '-', countsText(stacks, phase)],
    ],
  );
  return [
    under([summary(stages), ...ordersText(found, page)]),
    table(page, ['STAGE', 'STATE', 'RELEASE', 'STACKS'], rows, SHAPE),
    under(stages.map((each) => waitsText(each, found.at, page))),
    under(found.lines.flatMap(({ line, releases }) => releases.map((each) => haltText(line, each, page)))),
    page.wide ? stacksText(stages, page) : '',
    remarks,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const NOTHING_YET = 'The sequence has decided nothing yet: it begins once a stack of its stages has spoken.';

const under = (texts: readonly string[]) => texts.filter((each) => each !== '').join('\n');

type StageOfLine = StageNow & { readonly line: string };

function summary(stages: readonly StageOfLine[]): string {
  const stacks = new Set(stages.flatMap((each) => each.stacks.map(memberKey)));
  const phases = [...new Set(stages.map(({ phase }) => phase))];
  const counts = phases.map((each) => `${stages.filter(({ phase }) => phase === each).length} ${each}`);
  const names = new Set(stages.map(({ stage }) => stage));
  return `${countOf(names.size, 'stage')}, ${countOf(stacks.size, 'stack')}: ${counts.join(', ')}`;
}

const STANDINGS: readonly Standing[] = ['done', 'rolling', 'ready', 'hindered', 'silent', 'failed'];

/** `2 of 5 done, 1 rolling`. To a release that it hasn't taken nobody stands in any way. */
function countsText(stacks: readonly StackNow[], phase: StageView['phase']): string {
  if (phase === 'idle' || phase === 'asking' || stacks.length === 0) return countOf(stacks.length, 'stack');
  const of = (standing: Standing) => stacks.filter((each) => each.standing === standing).length;
  const others = STANDINGS.slice(1).filter((each) => of(each) > 0);
  return [`${of('done')} of ${stacks.length} done`, ...others.map((each) => `${of(each)} ${each}`)].join(
    ', ',
  );
}

function waitsText(
  { stage, line, phase, release, waitsFor, until, stacks }: StageOfLine,
  now: string,
  page: Page,
): string {
  const short = (text: string) => (page.wide ? text : shortened(text));
  // While it rolls, they are among those that it waits for.
  const late = phase === 'soaking' || phase === 'qualified' ? ['rolling', 'ready', 'hindered', 'silent'] : [];
  const named = (standings: readonly string[]) =>
    stacks
      .filter(({ standing }) => standings.includes(standing))
      .map((each) => `${memberKey(each)} ${each.why ?? `is ${each.standing}`}`)
      .join('; ');
  const begun = phase !== 'idle' && phase !== 'asking';
  const { bold, red, yellow } = colorsOf(page);
  const parts = [
    ...(waitsFor === ''
      ? []
      : [
          {
            lead: until !== undefined && until > now ? `waits until ${timeText(until)} for ` : 'waits for ',
            text: waitsFor,
            paint: String,
          },
        ]),
    ...(begun ? [{ lead: 'failed: ', text: named(['failed']), paint: red }] : []),
    { lead: 'late: ', text: named(late), paint: yellow },
  ].filter(({ text }) => text !== '');
  if (parts.length === 0) return '';
  return [
    hanging(page, `${stage}, ${line}`, `: ${phase} ${release ?? ''}`.trimEnd(), { indent: 2, paint: bold }),
    ...parts.map(({ lead, text, paint }) => hanging(page, `  ${lead}`, short(text), { indent: 4, paint })),
  ].join('\n');
}

function haltText(line: string, { name, halted }: ReleaseNow, page: Page): string {
  if (halted === undefined) return '';
  const when = `since ${timeText(halted.at)}${halted.isNow ? ', rolls under way stop too' : ''}`;
  return hanging(page, 'Halted: ', `${name} of ${line}, ${when}: ${halted.why}`, { indent: 2 });
}

function stacksText(stages: readonly StageOfLine[], page: Page): string {
  const rows = underHeadings(
    stages.map((each) => ({ ...each, cluster: `${each.stage}, ${each.line}` })),
    ({ stacks }) =>
      stacks.map((each) => [
        memberKey(each),
        each.standing,
        each.rolling ?? each.runs?.oldest ?? '-',
        timeText(each.spokeAt),
        each.why ?? '-',
      ]),
  );
  return table(page, ['STACK', 'STANDING', 'RUNS OR ROLLS', 'SPOKE', 'WHY'], rows, { wraps: 'WHY' });
}

function ordersText({ orders }: SequenceNow, page: Page): string[] {
  return orders.map((order) =>
    hanging(page, 'The next pass takes ', `${orderText(order)}, of ${order.by}`, { indent: 2 }),
  );
}

function remarksText({ leftOut, strangers, unreadable }: SequenceNow, page: Page): string {
  const said = (lead: string, all: readonly string[]) =>
    all.length === 0
      ? []
      : [hanging(page, lead, page.wide ? all.join(', ') : shortened(all.join(', ')), { indent: 2 })];
  return under([
    ...said('Left out: ', leftOut),
    ...said('Ignored, as no stage names them: ', strangers),
    ...said('Ignored, as they are no items of ours: ', unreadable),
  ]);
}
