import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { DIMENSIONS, METRIC_NAMESPACE, METRICS, TERMINATION_METRICS } from '../lambda/metric-names.ts';
import type { RollPhase } from './choices.ts';

/**
 * During a roll an invocation ends every 15 minutes and the next begins within 5, so a period of 30 minutes
 * always includes an end. Outside of rolls groups are looked at once a day by default.
 */
const [IN_ROLLS, BETWEEN_LOOKS] = [Duration.minutes(30), Duration.hours(1)];

/**
 * What the construct measures. With `MetricDetail.GROUP` each metric of the function is there for each group,
 * too: give `dimensionsMap` with `service` (the function's name), `cluster` and `group`.
 */
export abstract class Metered extends Construct {
  /** The function: invoke it by hand, or add triggers. */
  abstract readonly function: LambdaFunction;
  /**
   * Takes the orders `pause`, `resume`, `abort` and `rollback` while a roll is under way: it writes them on
   * the groups' tags, where the rolling function finds them within seconds.
   */
  abstract readonly ordersFunction: LambdaFunction;
  /** Drains what Auto Scaling ends outside rolls, with the prop `drainTerminations`. */
  abstract readonly terminationsFunction?: LambdaFunction;

  /**
   * The age in days of the oldest image that members run. An image that EC2 no longer shows counts as old as
   * the first of its instances.
   * @default - maximum over an hour
   */
  metricImageAge(props?: MetricOptions): Metric {
    return this.most(METRICS.imageAge, BETWEEN_LOOKS, props);
  }

  /**
   * How many releases of its family the oldest image that members run is behind; no data for custom images.
   * @default - maximum over an hour
   */
  metricReleasesBehind(props?: MetricOptions): Metric {
    return this.most(METRICS.releasesBehind, BETWEEN_LOOKS, props);
  }

  /**
   * How many instances of a group are still to be replaced.
   * @default - maximum over an hour
   */
  metricOutdatedMembers(props?: MetricOptions): Metric {
    return this.most(METRICS.outdatedMembers, BETWEEN_LOOKS, props);
  }

  /**
   * For how many days a group that is excluded, paused or rejects an image has gone without a newer one.
   * @default - maximum over an hour
   */
  metricHeldBack(props?: MetricOptions): Metric {
    return this.most(METRICS.heldBack, BETWEEN_LOOKS, props);
  }

  /**
   * How many of the function's own tags on a group and its instances have no valid seal.
   * @default - maximum over an hour
   */
  metricUntrustedTags(props?: MetricOptions): Metric {
    return this.most(METRICS.untrustedTags, BETWEEN_LOOKS, props);
  }

  /**
   * Seconds since the oldest open roll began; no data outside of rolls.
   * @default - maximum over 30 minutes
   */
  metricRollAge(props?: MetricOptions): Metric {
    return this.most(METRICS.rollAge, IN_ROLLS, props);
  }

  /**
   * 1 when somebody asked for an abort or a rollback by a tag, otherwise no data.
   * @default - maximum over 30 minutes
   */
  metricRequestsByTag(props?: MetricOptions): Metric {
    return this.most(METRICS.requestsByTag, IN_ROLLS, props);
  }

  /**
   * Seconds that rolls spent in a phase.
   * @default - sum over 30 minutes
   */
  metricPhase(phase: RollPhase, props?: MetricOptions): Metric {
    return this.sum(phase.toString(), IN_ROLLS, props);
  }

  /**
   * How often a look found a group that can't be rolled as it is, or that is paused with no roll under way.
   * For one reason, give `dimensionsMap` with `service` (the function's name) and `code`.
   * @default - sum over an hour
   */
  metricBlockedGroups(props?: MetricOptions): Metric {
    return this.sum(METRICS.blockedGroups, BETWEEN_LOOKS, props);
  }

  /**
   * How many members were replaced by rolls that are completed.
   * @default - sum over an hour
   */
  metricReplacedMembers(props?: MetricOptions): Metric {
    return this.sum(METRICS.replacedMembers, BETWEEN_LOOKS, props);
  }

  /**
   * How many rolls have ended in a rollback.
   * @default - sum over an hour
   */
  metricRollbacks(props?: MetricOptions): Metric {
    return this.sum(METRICS.rollbacks, BETWEEN_LOOKS, props);
  }

  /**
   * How many orders Lambda gave up, each of which is in the failure queue then; a metric of Lambda's own.
   * @default - sum over 5 minutes
   */
  metricOrdersDropped(props?: MetricOptions): Metric {
    return this.ordersFunction.metric('AsyncEventsDropped', { statistic: 'Sum', ...props });
  }

  /**
   * How many instances that Auto Scaling ended outside rolls were let go of with nothing left on them; no
   * data without `drainTerminations`.
   * @default - sum over an hour
   */
  metricDrainedTerminations(props?: MetricOptions): Metric {
    return this.ofTerminations(TERMINATION_METRICS.drained, { statistic: 'Sum', ...props });
  }

  /**
   * How many of them took tasks along, as their time was over or their agents were away.
   * @default - sum over an hour
   */
  metricTimedOutTerminations(props?: MetricOptions): Metric {
    return this.ofTerminations(TERMINATION_METRICS.timedOut, { statistic: 'Sum', ...props });
  }

  /**
   * Seconds from when Auto Scaling began to end one of them until it was let go of.
   * @default - maximum over an hour
   */
  metricTerminationSeconds(props?: MetricOptions): Metric {
    return this.ofTerminations(TERMINATION_METRICS.seconds, { statistic: 'Maximum', ...props });
  }

  private ofTerminations(metricName: string, props: MetricOptions): Metric {
    const of = this.terminationsFunction ?? this.function;
    const dimensionsMap = { [DIMENSIONS.function]: of.functionName };
    return this.told(metricName, { period: BETWEEN_LOOKS, dimensionsMap, ...props });
  }

  private most(metricName: string, period: Duration, props?: MetricOptions): Metric {
    return this.told(metricName, { period, statistic: 'Maximum', ...props });
  }

  private sum(metricName: string, period: Duration, props?: MetricOptions): Metric {
    return this.told(metricName, { period, statistic: 'Sum', ...props });
  }

  private told(metricName: string, props: MetricOptions): Metric {
    const dimensionsMap = { [DIMENSIONS.function]: this.function.functionName };
    return new Metric({ namespace: METRIC_NAMESPACE, metricName, dimensionsMap, ...props }).attachTo(this);
  }
}
