import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { describeBreaches } from '../simulated-aws/invariants/breaches.ts';
import { type Canvas, wrapAll } from './canvas.ts';
import { expectedEnding, type RollOptions } from './options.ts';
import { timeOf } from './progress.ts';
import type { Report } from './report.ts';

/** Of the operations in a line of calls, with which the table fits into 100 columns. */
const CALLS_WIDTH = 50;
/** The first column, and the frame. */
const BESIDE_FIGURES = 27;
/** A service, its calls, and that there are more operations. */
const BESIDE_CALLS = 22;
const [FEWEST_COLUMNS, MOST_COLUMNS] = [50, 100];

/** What whoever played has seen hold. */
export function playedText({ simulatedSeconds, invocations, checks, violations }: Report): string {
  const held = violations.length === 0 ? 'none broken' : `broken ${describeBreaches(violations)}`;
  return `${timeOf(simulatedSeconds)} of simulated time, ${invocations} invocations, ${checks} checks of invariants, ${held}`;
}

/** The roll in figures, for the end. */
export function reportTable(
  report: Report,
  options: Pick<RollOptions, 'instances' | 'speed' | 'badImage'>,
  { columns, colors }: Pick<Canvas, 'columns' | 'colors'>,
): string {
  const room = Math.max(FEWEST_COLUMNS, Math.min(MOST_COLUMNS, columns)) - BESIDE_FIGURES;
  const { instances, speed } = options;
  const { ending, kills, simulatedSeconds, checks, violations } = report;
  const good = (held: boolean, text: string) => (held ? colors.green(text) : colors.red(text));
  const breaches = violations.length === 0 ? 'none broken' : `broken ${describeBreaches(violations)}`;
  const rows: [what: string, figures: string][] = [
    ['ended', good(ending === expectedEnding(options), ending ?? 'not at all')],
    ['because', wrapAll(report.reason, room).join('\n')],
    ending === 'rolled-back'
      ? ['had the new image', `${report.launched}, in a group of ${instances}`]
      : ['instances replaced', good(report.instances === instances, `${report.instances} of ${instances}`)],
    ['invocations', `${report.invocations}${kills > 0 ? `, ${kills} of them killed` : ''}`],
    ['simulated time', `${timeOf(simulatedSeconds)}, shown at ${speed} times the speed`],
    ['moves per task', wrapAll(movesText(report), room).join('\n')],
    ['lowest healthy share', lowestShares(report)],
    ['calls by service', callsByService(report, Math.min(CALLS_WIDTH, room - BESIDE_CALLS))],
    ['invariants', `${checks} checks, ${good(violations.length === 0, breaches)}`],
  ];
  const widths = rows.flatMap(([, text]) =>
    stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.length),
  );
  // With the blanks beside it; what is longer ends in an ellipsis.
  const colWidths = [null, Math.min(room, Math.max(...widths)) + 2];
  const table = new Table({ colWidths, style: { head: [], border: [], compact: true } });
  table.push(...rows);
  return table.toString();
}

/** A task has to leave its old instance. */
const FEWEST_MOVES = 1;

function movesText({ taskMoves, ending }: Report): string {
  const average = `${taskMoves.mean.toFixed(2)} on average`;
  if (ending === 'rolled-back') return `${average}, starts after a crash included`;
  const least = `${average}; ${FEWEST_MOVES.toFixed(2)} is the least, each task once`;
  if (taskMoves.mean <= FEWEST_MOVES) return least;
  return `${least}. A trial or a further batch costs more, as some tasks go to other old instances first`;
}

function lowestShares({ services }: Report): string {
  const width = Math.max(...services.map(({ name }) => name.length));
  return services
    .map(({ name, minHealthyPercentSeen, minimumHealthyPercent }) => {
      const seen = `${Math.floor(minHealthyPercentSeen)}%`.padStart(4);
      return `${name.padEnd(width)} ${seen}  (may be ${minimumHealthyPercent}%)`;
    })
    .join('\n');
}

/** Each service's total, and what it was called for. */
function callsByService({ calls }: Report, width: number): string {
  const services = new Map<string, [operation: string, count: number][]>();
  for (const [key, count] of Object.entries(calls)) {
    const [service = key, operation = key] = key.split('.');
    services.set(service, [...(services.get(service) ?? []), [operation, count]]);
  }
  return [...services]
    .map(([service, operations]) => ({
      service,
      total: operations.reduce((sum, [, count]) => sum + count, 0),
      text: mostCalled(operations, width),
    }))
    .sort((a, b) => b.total - a.total)
    .map(({ service, total, text }) => `${service.padEnd(11)} ${String(total).padStart(5)}  ${text}`)
    .join('\n');
}

/** As many operations as there is room for, the most called first. */
function mostCalled(
  operations: readonly (readonly [operation: string, count: number])[],
  width: number,
): string {
  let text = '';
  for (const [operation, count] of [...operations].sort(([, a], [, b]) => b - a)) {
    const longer = `${text}${text && ', '}${operation} ${count}`;
    if (longer.length > width) return `${text}${text && ', '}…`;
    text = longer;
  }
  return text;
}
