import Table from 'cli-table3';
import type { Colors } from 'picocolors/types.js';
import { timeOf } from './progress.ts';
import type { Report } from './report.ts';

/** That the table fits into 100 columns. */
const CALLS_WIDTH = 50;

/** The roll in figures, for the end. */
export function reportTable(report: Report, instances: number, speed: number, colors: Colors): string {
  const table = new Table({ style: { head: [], border: [], compact: true } });
  const { kills, simulatedSeconds, checks, violations } = report;
  const good = (held: boolean, text: string) => (held ? colors.green(text) : colors.red(text));
  table.push(
    ['instances replaced', good(report.instances === instances, `${report.instances} of ${instances}`)],
    ['invocations', `${report.invocations}${kills > 0 ? `, ${kills} of them killed` : ''}`],
    ['simulated time', `${timeOf(simulatedSeconds)}, in ${Math.round(simulatedSeconds / speed)} s`],
    ['moves per task', `${report.taskMoves.mean.toFixed(2)} on average`],
    ['lowest healthy share', lowestShares(report)],
    ['calls by service', callsByService(report)],
    [
      'invariants',
      `${checks} checks, ${good(violations.length === 0, violations.length === 0 ? 'none broken' : `${violations.length} broken`)}`,
    ],
  );
  return table.toString();
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
function callsByService({ calls }: Report): string {
  const services = new Map<string, [operation: string, count: number][]>();
  for (const [key, count] of Object.entries(calls)) {
    const [service = key, operation = key] = key.split('.');
    services.set(service, [...(services.get(service) ?? []), [operation, count]]);
  }
  return [...services]
    .map(([service, operations]) => ({
      service,
      total: operations.reduce((sum, [, count]) => sum + count, 0),
      text: mostCalled(operations),
    }))
    .sort((a, b) => b.total - a.total)
    .map(({ service, total, text }) => `${service.padEnd(11)} ${String(total).padStart(5)}  ${text}`)
    .join('\n');
}

/** As many operations as the table has room for, the most called first. */
function mostCalled(operations: readonly (readonly [operation: string, count: number])[]): string {
  let text = '';
  for (const [operation, count] of [...operations].sort(([, a], [, b]) => b - a)) {
    const longer = `${text}${text && ', '}${operation} ${count}`;
    if (longer.length > CALLS_WIDTH) return `${text || operation}, …`;
    text = longer;
  }
  return text;
}
