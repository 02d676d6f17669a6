import type { Mutation } from '../mutation.ts';

/** How we call AWS: its limits, pages, failures and timing. */
export const RULES_OF_CALLS: readonly Mutation[] = [
  {
    rule: 'when AWS has changed since the look, we look again instead of failing',
    harm: 'A roll fails whenever somebody else changes something at the same moment.',
    find: 'if (error instanceof StaleObservation) return error;',
    replace: '',
  },
  {
    rule: 'a change that was overtaken is not a fault',
    harm: 'A member that has just left ends the roll with an error.',
    find: '    if (!hasCode(error, ...names)) throw error;\n    throw new StaleObservation(',
    replace: '    if (hasCode(error, ...names)) throw error;\n    throw new StaleObservation(',
  },
  {
    rule: 'a busy group is waited for',
    harm: 'A roll fails while Auto Scaling is busy, which it often is.',
    find: "export const BUSY = ['ScalingActivityInProgressFault', 'ResourceContentionFault'] as const;",
    replace: 'export const BUSY = [] as const;',
  },
  {
    rule: 'repeating an action that has no effect comes to an end',
    harm: 'The function makes the same calls forever, and nobody is told.',
    find: 'if (isLastTry) throw new Error(',
    replace: 'if (isLastTry && actions.length > 99) throw new Error(',
  },
  {
    rule: 'a request that gets no answer is given up',
    harm: 'One lost answer blocks the only invocation until Lambda ends it.',
    find: 'throwOnRequestTimeout: true',
    replace: 'throwOnRequestTimeout: false',
  },
  {
    rule: 'an answer that stalls in its body is given up',
    harm: 'One answer that never ends blocks the only invocation until Lambda ends it.',
    find: 'body.destroy(error), Math.max',
    replace: 'body, Math.max',
  },
  {
    rule: 'no call outlasts its invocation',
    harm: 'Lambda ends the function before it has reported on its groups.',
    find: 'Math.min(attempt, left) * 1000',
    replace: 'attempt * 1000',
  },
  {
    rule: 'a denial right after a tag was written is retried',
    harm: 'A roll fails because IAM learns of the tags a few seconds late.',
    find: 'if (isLate(since, now) || isLate(first, now)) return undefined;',
    replace: 'if (since <= now) return undefined;',
  },
  {
    rule: 'a permanent denial is reported',
    harm: 'The same call is denied again and again, and nobody is told.',
    find: 'if (!BOUND_TO_TAGS.has(kind) || faultOf(error).kind',
    replace: 'if (faultOf(error).kind',
  },
  {
    rule: 'no look begins in the last minute',
    harm: 'Lambda ends the function in the middle of a change.',
    find: 'MARGIN_SECONDS = 60',
    replace: 'MARGIN_SECONDS = 6',
  },
  {
    rule: 'no call begins in the last half of the margin',
    harm: 'Lambda ends the function between a change and the record of it.',
    find: 'if (invocation.remainingSeconds() < LAST_CALL_SECONDS) return false;',
    replace: '',
  },
  {
    rule: "failures[] in ECS's answer to a change means it was refused",
    harm: 'An instance counts as draining though ECS never drained it.',
    find: '    if (failure !== undefined)\n      throw new StaleObservation(',
    replace: '    if (failure?.arn === "")\n      throw new StaleObservation(',
  },
  {
    rule: "failures[] in ECS's answer to a look is a fault",
    harm: 'Tasks or instances that could not be read count as gone.',
    file: 'ecs-failures.ts',
    find: 'if (failure !== undefined) throw',
    replace: "if (failure?.arn === '') throw",
  },
  {
    rule: 'an instance is never deregistered by force',
    harm: 'ECS forgets tasks that are still running.',
    find: 'const input = { cluster, containerInstance: instance.arn };',
    replace: 'const input = { cluster, containerInstance: instance.arn, force: true };',
  },
  {
    rule: 'at most 10 container instances change their state in one call',
    harm: 'ECS refuses a call with 11.',
    find: 'CHANGE_BATCH = 10',
    replace: 'CHANGE_BATCH = 11',
  },
  {
    rule: 'at most 100 container instances are described in one call',
    harm: 'ECS refuses a call with 101, and a larger cluster never rolls.',
    find: 'DESCRIBE_BATCH = 100',
    replace: 'DESCRIBE_BATCH = 101',
  },
  {
    rule: 'at most 10 services are described in one call',
    harm: 'ECS refuses a call with 11.',
    find: 'DESCRIBE_BATCH = 10;',
    replace: 'DESCRIBE_BATCH = 11;',
  },
  {
    rule: 'at most 100 tasks are described in one call',
    harm: 'ECS refuses a call with 101.',
    find: 'const TASKS = 100;',
    replace: 'const TASKS = 101;',
  },
  {
    rule: 'an EC2 filter has at most 200 values',
    harm: 'EC2 refuses a call with 201, and a larger group never rolls.',
    file: 'ec2.ts',
    find: 'FILTER_VALUES = 200',
    replace: 'FILTER_VALUES = 201',
  },
  {
    rule: 'at most 20 instances are attached in one call',
    harm: 'AWS refuses a call with 21, and a rollback gets stuck.',
    find: 'ATTACH_BATCH = 20',
    replace: 'ATTACH_BATCH = 21',
  },
  {
    rule: 'every page of container instances is read',
    harm: 'Instances past the first page count as unregistered or gone.',
    find: 'for await (const page of pages) arns.push(...(page.containerInstanceArns ?? []));',
    replace:
      'for await (const page of pages) {\n      arns.push(...(page.containerInstanceArns ?? []));\n      break;\n    }',
  },
  {
    rule: 'every page of capacity providers is read',
    harm: 'Groups past the first ten never roll.',
    find: 'while (nextToken !== undefined)',
    replace: 'while (nextToken !== nextToken)',
  },
  {
    rule: 'an instance that ECS has lost is looked up again',
    harm: 'One that died after it was first seen counts as alive.',
    find: 'known.has(instanceId) && connectedIds.has(instanceId)',
    replace: 'known.has(instanceId)',
  },
  {
    rule: 'a denial that outlasts the tags is reported even if they are rewritten',
    harm: 'The same call is denied for as long as the invocation lives, and nobody is told.',
    find: ' || isLate(first, now)) return undefined;',
    replace: ') return undefined;',
  },
  {
    rule: 'tags may have been written right before a kill',
    harm: 'The invocation after a kill fails because IAM learns of the tags late.',
    find: 'written.get(group) ?? begunAt',
    replace: 'written.get(group) ?? new Date(0)',
  },
  {
    rule: 'a denial that may be lag is waited out',
    harm: 'Ten looks within a few seconds are denied, and the roll fails.',
    find: '    if (lag !== undefined) await letPass(invocation);\n',
    replace: '',
  },
];
