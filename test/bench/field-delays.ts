import { DEFAULT_DELAYS, type Delays } from '../simulated-aws/world/delays.ts';

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
  readonly deregistration: number;
  readonly stop: number;
  readonly termination: number;
}

export const MEAN_LAPSES = lapses(([fewest, most]) => (fewest + most) / 2);
export const LEAST_LAPSES = lapses(([fewest]) => fewest);

function lapses(pick: (range: readonly [fewest: number, most: number]) => number): Lapses {
  const { ranges, healthCheckSeconds, deregistrationSeconds, taskStopSeconds } = FIELD_DELAYS;
  return {
    react: pick(ranges.noticeCapacitySeconds),
    boot: pick(ranges.bootSeconds),
    agent: pick(ranges.agentSeconds),
    scheduler: DEFAULT_DELAYS.schedulerSeconds,
    pull: pick(ranges.imagePullSeconds),
    start: pick(ranges.taskStartSeconds),
    health: healthCheckSeconds,
    deregistration: deregistrationSeconds,
    stop: taskStopSeconds,
    termination: pick(ranges.shutdownSeconds),
  };
}
