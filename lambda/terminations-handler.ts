import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { explain } from './aws/errors.ts';
import { publishUnsealed } from './aws/events.ts';
import { systemClock } from './clock.ts';
import { TERMINATIONS_ENVIRONMENT } from './contract.ts';
import { type EndedInstance, terminationDetailType, terminationEvent } from './core/terminations.ts';
import { awsBy, beginInvocation, logger } from './lambda-process.ts';
import { METRIC_NAMESPACE, TERMINATION_METRICS } from './metric-names.ts';
import { parseSettings } from './settings/parse-settings.ts';
import { drainInterrupted, drainTerminations } from './terminations.ts';

const { groups, timeoutMinutes } = TERMINATIONS_ENVIRONMENT;

const ENVIRONMENT = z.object({
  [groups]: z.string().check(z.minLength(1)),
  [timeoutMinutes]: z.coerce.number().check(z.minimum(1), z.maximum(1440)),
});

const over = new Set<string>();

/**
 * The Lambda function that drains what Auto Scaling ends outside rolls. Events only wake it: whatever they
 * say, it looks at all its groups.
 */
export async function terminations(_event: unknown, context: Context): Promise<void> {
  const remainingSeconds = beginInvocation(context);
  const settings = parseSettings(process.env);
  const environment = ENVIRONMENT.parse(process.env);
  const aws = awsBy(settings);
  await drainTerminations({
    aws,
    settings,
    clock: systemClock,
    remainingSeconds,
    groups: environment[groups].split(':'),
    timeoutSeconds: environment[timeoutMinutes] * 60,
    over,
    said: (text, { group, instanceId }) => logger.info(text, { group, instanceId }),
    async ended(ended) {
      measure(ended);
      const event = terminationEvent(ended);
      const { eventBus } = settings;
      if (eventBus === undefined || event === undefined) return;
      try {
        await publishUnsealed(aws, eventBus, [event], ({ kind }) => terminationDetailType(kind));
      } catch (error) {
        logger.warn(`the event bus could not be told: ${explain(error)}`, { group: ended.group });
      }
    },
  });
}

/** What CloudWatch makes metrics of. */
function measure({ step, since, at }: EndedInstance): void {
  const metrics = new Metrics({
    namespace: METRIC_NAMESPACE,
    serviceName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  });
  const isCutShort = step.because === 'late' || step.because === 'away';
  const { drained, timedOut, seconds } = TERMINATION_METRICS;
  metrics.addMetric(isCutShort ? timedOut : drained, MetricUnit.Count, 1);
  if (since) metrics.addMetric(seconds, MetricUnit.Seconds, (at.getTime() - since.getTime()) / 1000);
  metrics.publishStoredMetrics();
}

/** Of EC2's interruption warning, all that counts is which instance to look at. */
const WARNING = z.object({
  detail: z.object({ 'instance-id': z.string().check(z.regex(/^i-[0-9a-f]{8,17}$/)) }),
});

/** The Lambda function that drains what Spot reclaims, within its two minutes: it waits for nobody. */
export async function interruption(event: unknown, context: Context): Promise<void> {
  beginInvocation(context);
  const settings = parseSettings(process.env);
  const instanceId = WARNING.parse(event).detail['instance-id'];
  const done = await drainInterrupted(awsBy(settings), settings.clusters, instanceId);
  logger.info(`Spot reclaims ${instanceId}: ${done}`, { instanceId });
}
