/** How long things take, in seconds of simulated time, near what the real ones take. */
export interface Delays {
  /** EC2: from launched to running. */
  readonly bootSeconds: number;
  /** EC2: from shutting-down to terminated. */
  readonly shutdownSeconds: number;
  /**
   * EC2: how long a terminated instance is still described. ECS: likewise stopped tasks and INACTIVE
   * instances.
   */
  readonly goneButVisibleSeconds: number;
  /** Auto Scaling: until it acts on too little or too much capacity. */
  readonly noticeCapacitySeconds: number;
  /** Auto Scaling: until it finds a member dead. */
  readonly noticeDeadMemberSeconds: number;
  /** Auto Scaling: from running to InService. */
  readonly inServiceSeconds: number;
  /** Auto Scaling: from Detaching until no longer a member. */
  readonly detachSeconds: number;
  /** Auto Scaling: from what it does until its activities show it. AWS names no time. */
  readonly activitySeconds: number;
  /** Auto Scaling: from EnteringStandby to Standby. */
  readonly standbySeconds: number;
  /** Auto Scaling: from launched to ready in the warm pool. */
  readonly warmUpSeconds: number;
  /** Auto Scaling: how long zones are uneven before it rebalances them. */
  readonly rebalanceSeconds: number;
  /** Auto Scaling: after a failed launch, before the next. */
  readonly launchRetrySeconds: number;
  /** ECS: from a running instance to its registered agent. */
  readonly agentSeconds: number;
  /** ECS: until a trunk interface is there, or is found not to come. */
  readonly trunkSeconds: number;
  /** ECS: until the service scheduler acts on a change. */
  readonly schedulerSeconds: number;
  /**
   * ECS: from a service's steady state, or a change of its hosts, until it is looked at whether its zones are
   * even.
   */
  readonly zoneLookSeconds: number;
  /** ECS: between two looks at an instance that its terminate hook holds. */
  readonly managedDrainingSeconds: number;
  /** ECS: pulling a task's image, the first time on an instance. */
  readonly imagePullSeconds: number;
  /** ECS: from placed (and pulled) to RUNNING. */
  readonly taskStartSeconds: number;
  /** ECS: attaching the network interface that a task has in `awsvpc` mode, or detaching and deleting it. */
  readonly interfaceSeconds: number;
  /** ECS: from STOPPED until described as DELETED, if it is. */
  readonly deletedSeconds: number;
  /** ECS: from the order to stop until STOPPED. */
  readonly taskStopSeconds: number;
  /** Load balancer: from RUNNING to healthy. */
  readonly healthCheckSeconds: number;
  /**
   * From RUNNING until a task without a load balancer counts as healthy; the documentation names 0 and 40.
   */
  readonly runningHealthSeconds: number;
  /** Load balancer: between the last request and the task's stop. */
  readonly deregistrationSeconds: number;
  /** ECS: from RUNNING to the crash of a crash-looping task. */
  readonly crashSeconds: number;
  /**
   * ECS: the wait after a task failed to start; each further one waits twice as long, up to 27 minutes.
   */
  readonly startBackoffSeconds: number;
  /** The same after one that had run. AWS documents that there is none: 0. */
  readonly crashBackoffSeconds: number;
  /** Each delay is off by up to this share of itself, drawn from the seed. 0: exact. */
  readonly jitterFraction: number;
  /** Delays that are drawn evenly from between two limits, in seconds, whatever is said of them otherwise. */
  readonly ranges: DelayRanges;
}

/** The shortest and the longest, in seconds. */
export type DelayRanges = Partial<Readonly<Record<Delay, readonly [fewest: number, most: number]>>>;

export const DEFAULT_DELAYS: Delays = {
  bootSeconds: 15,
  shutdownSeconds: 30,
  goneButVisibleSeconds: 3600,
  noticeCapacitySeconds: 10,
  noticeDeadMemberSeconds: 60,
  inServiceSeconds: 1,
  detachSeconds: 3,
  activitySeconds: 0,
  standbySeconds: 3,
  warmUpSeconds: 60,
  rebalanceSeconds: 300,
  launchRetrySeconds: 60,
  agentSeconds: 30,
  trunkSeconds: 20,
  schedulerSeconds: 1,
  zoneLookSeconds: 60,
  managedDrainingSeconds: 10,
  imagePullSeconds: 8,
  taskStartSeconds: 2,
  interfaceSeconds: 10,
  deletedSeconds: 5,
  taskStopSeconds: 5,
  healthCheckSeconds: 10,
  runningHealthSeconds: 0,
  deregistrationSeconds: 30,
  crashSeconds: 5,
  startBackoffSeconds: 10,
  crashBackoffSeconds: 0,
  jitterFraction: 0,
  ranges: {},
};

/**
 * What a service has that sets nothing of its own: connections may go on for 300 s, a container has 30 s to
 * stop, and a task without checks counts as healthy 40 s after it runs. A target is healthy with its first
 * check.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/load-balancer-connection-draining.html
 */
export const AWS_DEFAULTS = {
  deregistrationSeconds: 300,
  taskStopSeconds: 30,
  runningHealthSeconds: 40,
  healthCheckSeconds: 30,
} as const satisfies Partial<Delays>;

/** The names of those that are lapses. */
export type Delay = Exclude<keyof Delays, 'jitterFraction' | 'ranges'>;
