import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { createAws } from './aws/clients.ts';
import { explain } from './aws/errors.ts';
import { publishUnsealed } from './aws/events.ts';
import { type SequenceTable, sequenceTable } from './aws/sequence-table.ts';
import { EVENT_BUS_ENVIRONMENT, SEQUENCE_ENVIRONMENT } from './contract.ts';
import type { Sequence } from './core/sequence/model.ts';
import {
  describeView,
  lateIn,
  remarksOf,
  sequenceBusEvent,
  sequenceDetailType,
} from './core/sequence/tell.ts';
import { beginInvocation, logger } from './lambda-process.ts';
import { DIMENSIONS, METRIC_NAMESPACE, SEQUENCE_METRICS } from './metric-names.ts';
import { type PassDone, pass } from './sequence/pass.ts';
import { parseSequence } from './settings/parse-sequence.ts';

const { sequence: text, table: arn } = SEQUENCE_ENVIRONMENT;

const ENVIRONMENT = z.object({
  [text]: z.string(),
  [arn]: z.string().check(z.minLength(1)),
  [EVENT_BUS_ENVIRONMENT]: z.optional(z.string()),
});

const aws = createAws();
let kept: SequenceTable | undefined;

/**
 * The Lambda function that decides for a sequence, every few minutes. What it is invoked with is of no
 * concern: it looks at the table.
 *
 * @throws SequenceError, ItemUnreadable before anything is written
 */
export async function sequence(_event: unknown, context: Context): Promise<void> {
  beginInvocation(context);
  const environment = ENVIRONMENT.parse(process.env);
  const now = new Date();
  kept ??= sequenceTable(aws, environment[arn]);
  const stages = parseSequence(environment[text]);
  const done = await pass(kept, stages, now);
  tell(done);
  measure(stages, done);
  const bus = environment[EVENT_BUS_ENVIRONMENT];
  if (!done.isNew || bus === undefined || done.events.length === 0) return;
  try {
    const told = done.events.map((event) => sequenceBusEvent(event, now));
    await publishUnsealed(aws, bus, told, ({ kind }) => sequenceDetailType(kind));
  } catch (error) {
    // What follows from them is in the table; the log has them.
    logger.warn(`the event bus could not be told: ${explain(error)}`);
  }
}

function tell(done: PassDone): void {
  for (const view of done.views) logger.info(describeView(view));
  for (const event of done.isNew ? done.events : []) logger.info(event.kind, { ...event });
  for (const remark of remarksOf(done)) logger.warn(remark);
}

/** What CloudWatch makes metrics of: of the whole, and of each stage. */
function measure(
  { stages }: Sequence,
  { views, refused, strangers, crowdedOut, unreadable }: PassDone,
): void {
  for (const stage of [undefined, ...stages.map(({ name }) => name)]) {
    const own = views.filter((view) => stage === undefined || view.stage === stage);
    const counted = own.map(lateIn);
    const metrics = new Metrics({
      namespace: METRIC_NAMESPACE,
      serviceName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    });
    if (stage !== undefined) metrics.addDimensions({ [DIMENSIONS.stage]: stage });
    const add = (name: keyof typeof SEQUENCE_METRICS, count: number) =>
      metrics.addMetric(SEQUENCE_METRICS[name], MetricUnit.Count, count);
    add('halted', own.filter(({ phase }) => phase === 'halted').length);
    add('awaited', own.filter(({ phase }) => phase === 'asking').length);
    add('late', counted.flatMap(({ late }) => late).length);
    add('failed', counted.flatMap(({ failed }) => failed).length);
    if (stage === undefined) {
      add('starved', own.filter(({ isStarved }) => isStarved).length);
      add('ignored', refused.length + strangers.length + crowdedOut.length + unreadable.length);
    }
    metrics.publishStoredMetrics();
  }
}
