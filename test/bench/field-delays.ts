import { AWS_DEFAULTS, DEFAULT_DELAYS, type Delays } from '../simulated-aws/world/delays.ts';

/** How long things take in the field, in seconds; where two limits are known, from between them. */
export const FIELD_DELAYS = {
  healthCheckSeconds: 20,
  deregistrationSeconds: 30,
  taskStopSeconds: 5,
  ranges: {
    noticeCapacitySeconds: [5, 15],
    bootSeconds: [20, 40],
    agentSeconds: [30, 60],
    imagePullSeconds: [5, 15],
    taskStartSeconds: [3, 8],
    shutdownSeconds: [20, 40],
    detachSeconds: [3, 8],
  },
} as const satisfies Partial<Delays>;

/** The same of services that set no delay of their own. */
const UNSET_DELAYS = { ...FIELD_DELAYS, ...AWS_DEFAULTS } as const;

/** Whether services set none of their own, or shorter ones. */
export type Delayed = "AWS's defaults" | 'quick';

export const DELAYS = {
  "AWS's defaults": UNSET_DELAYS,
  quick: FIELD_DELAYS,
} as const satisfies Readonly<Record<Delayed, Partial<Delays>>>;

/** What a replacement of instances has to wait for, in seconds. */
export interface Lapses {
  /** The group acts on missing capacity. */
  readonly react: number;
  readonly boot: number;
  readonly agent: number;
  /** ECS acts on what has changed. */
  readonly scheduler: number;
  readonly pull: number;
  readonly start: number;
  readonly health: number;
  /** Until a task without a load balancer counts as healthy. */
  readonly unchecked: number;
  readonly deregistration: number;
  readonly stop: number;
  readonly termination: number;
}

export const meanLapses = (delays: Delayed): Lapses =>
  lapses(delays, ([fewest, most]) => (fewest + most) / 2);
export const leastLapses = (delays: Delayed): Lapses => lapses(delays, ([fewest]) => fewest);

function lapses(delays: Delayed, pick: (range: readonly [fewest: number, most: number]) => number): Lapses {
  const { ranges, healthCheckSeconds, deregistrationSeconds, taskStopSeconds } = DELAYS[delays];
  const { runningHealthSeconds } = { ...DEFAULT_DELAYS, ...DELAYS[delays] };
  return {
    react: pick(ranges.noticeCapacitySeconds),
    boot: pick(ranges.bootSeconds),
    agent: pick(ranges.agentSeconds),
    scheduler: DEFAULT_DELAYS.schedulerSeconds,
    pull: pick(ranges.imagePullSeconds),
    start: pick(ranges.taskStartSeconds),
    health: healthCheckSeconds,
    unchecked: runningHealthSeconds,
    deregistration: deregistrationSeconds,
    stop: taskStopSeconds,
    termination: pick(ranges.shutdownSeconds),
  };
}
