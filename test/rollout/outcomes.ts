import type { GroupResult } from '../../lambda/core/result.ts';
import type { Call, Interceptor } from '../simulated-aws/account/call.ts';
import type { Outcome } from './stage.ts';

/** What an invocation that nobody killed answered. */
export function groupsOf(outcome: Outcome): readonly GroupResult[] {
  if (outcome.kind === 'killed') throw new Error('nobody was to be killed');
  return outcome.groups;
}

/** The one group that an invocation answered for. */
export function only(outcome: Outcome): GroupResult {
  const [group, ...others] = groupsOf(outcome);
  if (group === undefined || others.length > 0) throw new Error('not one group was reported');
  return group;
}

/** Which operations, in order, may have changed something. */
export function writes(log: readonly Pick<Call, 'operation'>[]): string[] {
  return log
    .map(({ operation }) => operation)
    .filter((operation) => !/^(Describe|Generate|List|Get)/.test(operation));
}

/** A plan as a person reads it. */
export function planText(outcome: Outcome): string {
  return groupsOf(outcome)
    .map(({ cluster, group, state, reason, steps = [] }) =>
      [
        `${cluster}/${group}: ${state}, ${reason}`,
        ...steps.map((step, index) => `${index + 1}. ${step}`),
        '',
      ].join('\n'),
    )
    .join('\n');
}

/**
 * Something happens right after an operation has taken effect for the nth time, before its caller hears of
 * it.
 */
export function afterCall(operation: string, happens: () => void, nth = 1): Interceptor {
  let count = 0;
  return {
    after(call) {
      if (call.operation === operation && ++count === nth) happens();
    },
  };
}
