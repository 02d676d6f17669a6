import type { Logger } from '@aws-lambda-powertools/logger';
import { explain } from './aws/errors.ts';
import type { Clock } from './clock.ts';
import {
  HELD_BACK_DAYS_FIELD,
  REQUESTED_BY_TAG_FIELD,
  ROLLOUT_AGE_FIELD,
  UNTRUSTED_TAGS_FIELD,
} from './contract.ts';
import { describeAction } from './core/actions/actions.ts';
import { secondsBetween } from './core/model/time.ts';
import { countOf } from './core/model/untrusted.ts';
import { type GroupResult, outdatedInstances } from './core/result.ts';
import { describeDecision } from './core/text/sentence.ts';
import type { Journal } from './invocation.ts';

/** Writes what a rollout does as JSON log lines, and at the end a line for each group's result. */
export interface LoggedJournal extends Journal {
  concluded(results: readonly GroupResult[]): void;
}

export function loggedJournal(logger: Logger, clock: Clock): LoggedJournal {
  const startedAt = new Map<string, Date>();
  return {
    decided(cluster, { assessment, decision }) {
      const { group } = assessment;
      if (group.roll !== undefined) startedAt.set(`${cluster}/${group.name}`, group.roll.startedAt);
      const outdated = outdatedInstances(assessment);
      logger.info(describeDecision(decision), {
        cluster,
        group: group.name,
        decision: decision.kind,
        code: decision.reason.code,
        ...(outdated.length > 0 && { outdated }),
      });
    },
    acting(cluster, group, action) {
      logger.info(describeAction(action), { cluster, group, action: action.kind });
    },
    overtaken(cluster, group, error) {
      logger.warn(`looks again, as AWS has changed since: ${error.message}`, { cluster, group });
    },
    untold(cluster, group, error) {
      logger.warn(`the event bus could not be told: ${explain(error)}`, { cluster, group });
    },
    failed(cluster, group, error) {
      logger.error(explain(error), { cluster, group, error: error as Error });
    },
    concluded(results) {
      for (const result of results) {
        const since = startedAt.get(`${result.cluster}/${result.group}`);
        const isOpen = result.state !== 'completed' && result.state !== 'up-to-date';
        // The alarm on rolls that don't end reads this field; a roll that has ended has no age.
        const age = since && isOpen ? { [ROLLOUT_AGE_FIELD]: ageOf(since, clock.now()) } : {};
        logger.info(`result: ${result.state}`, { ...result, ...age, ...fieldsOf(result) });
      }
    },
  };
}

/** Never negative, even if a clock was set back or a date is wrong: the alarm would miss it. */
function ageOf(since: Date, now: Date): number {
  return Math.max(0, Math.round(secondsBetween(since, now)));
}

/** The fields that alarms read about untrusted tags and images that a group is kept from. */
function fieldsOf({
  untrusted = [],
  requestedByTag,
  heldBackDays,
}: GroupResult): Readonly<Record<string, number>> {
  return {
    ...(untrusted.length > 0 && { [UNTRUSTED_TAGS_FIELD]: countOf(untrusted) }),
    ...(requestedByTag && { [REQUESTED_BY_TAG_FIELD]: 1 }),
    ...(heldBackDays !== undefined && { [HELD_BACK_DAYS_FIELD]: heldBackDays }),
  };
}
