import { METRICS, type Metric } from '../lambda/metric-names.ts';

/** By what metrics are told apart. Each combination of values is a metric that CloudWatch charges for. */
export class MetricDetail {
  /** By the function: each metric is about the worst of its groups, or the sum of all. */
  static readonly FUNCTION = new MetricDetail('function');
  /** By the cluster and the group, too. */
  static readonly GROUP = new MetricDetail('group');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** What a roll spends its time with. */
export class RollPhase {
  /** It waits for replacements: until they are launched, registered and in service. */
  static readonly LAUNCH = new RollPhase('launching');
  /** The first batch is on trial. */
  static readonly TRIAL = new RollPhase('trial');
  /** Old instances are drained and ended, and services settle in between. */
  static readonly DRAIN = new RollPhase('draining');
  /** Something holds it: a window, an alarm, another group, or tasks that crash. */
  static readonly HELD = new RollPhase('held');

  private readonly metric: Metric;

  private constructor(metric: Metric) {
    this.metric = metric;
  }

  /** The name of its metric. */
  toString(): string {
    return METRICS[this.metric];
  }
}
