import type { Call } from '../simulated-aws/account/call.ts';
import { isServerError } from '../simulated-aws/weather/faults.ts';
import type { Weather } from './weather.ts';

/** How often each weather befell a roll, or many. */
export type FaultCounts = Partial<Record<Weather, number>>;

/** What is known of the faults by the calls that they befell. */
export function faultsOfCalls(log: readonly Call[]): FaultCounts {
  const counts: FaultCounts = {};
  for (const { error } of log) {
    const weather = error === undefined ? undefined : weatherOf(error);
    if (weather !== undefined) counts[weather] = (counts[weather] ?? 0) + 1;
  }
  return counts;
}

function weatherOf(error: string): Weather | undefined {
  if (/^(Throttling|ThrottlingException|RequestLimitExceeded)$/.test(error)) return 'throttling';
  if (error === 'LostAnswer') return 'lost answers';
  if (error === 'Killed') return 'kills';
  return isServerError(error) ? 'server errors' : undefined;
}

export function sumOf(all: readonly FaultCounts[]): FaultCounts {
  const sum: FaultCounts = {};
  for (const counts of all) {
    for (const [weather, count] of Object.entries(counts) as [Weather, number][]) {
      sum[weather] = (sum[weather] ?? 0) + count;
    }
  }
  return sum;
}
