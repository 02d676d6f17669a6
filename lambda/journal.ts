import type { Logger } from '@aws-lambda-powertools/logger';
import { explain } from './aws/errors.ts';
import type { Clock } from './clock.ts';
import { describeAction } from './core/actions/actions.ts';
import { type GroupResult, outdatedInstances } from './core/result.ts';
import { describeDecision } from './core/text/decision.ts';
import type { Journal } from './invocation.ts';
import { rollAges } from './roll-ages.ts';

/** Writes what a rollout does as JSON log lines, and at the end a line for each group's result. */
export interface LoggedJournal extends Journal {
  concluded(results: readonly GroupResult[]): void;
}

export function loggedJournal(logger: Logger, clock: Clock): LoggedJournal {
  const ages = rollAges(clock);
  return {
    decided(cluster, decided) {
      ages.heard(cluster, decided);
      const { assessment, decision } = decided;
      const { group } = assessment;
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
        const age = ages.ageOf(result);
        logger.info(`result: ${result.state}`, {
          ...result,
          ...(age !== undefined && { rolloutAgeSeconds: age }),
        });
      }
    },
  };
}
