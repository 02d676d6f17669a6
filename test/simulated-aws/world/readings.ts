/**
 * Where AWS's documents can be read in more than one way, the world can be told which: each with all its
 * values, the default first. The ledger has a row for each, with the pages.
 */
export const READINGS = {
  /** Whether DeregisterContainerInstance without force takes hosts whose tasks are told to stop already. */
  deregistersStopping: [false, true],
  /** The same of hosts that are REGISTERING, REGISTRATION_FAILED or DEREGISTERING. */
  deregistersUnready: [true, false],
  /** Whether managed scaling, once a call associates its provider, counts detached instances. */
  countsDetached: [false, true],
  /** Whether what a group or member hasn't set is left out, or an empty element, as in the page's example. */
  writesUnset: ['nothing', 'empty-elements'],
  /** What StartInstanceRefresh comes to while InstanceRefresh is suspended: a refusal, or one that waits. */
  refreshWhileSuspended: ['refused', 'waits'],
  /** The "current size" that a new minimum or maximum alone is held against: desired capacity or members. */
  currentSize: ['desired', 'present'],
  /**
   * Whether a detached instance keeps a provider with managed termination protection from scaling in until it
   * is deregistered.
   */
  detachedBlocksScaleIn: [false, true],
  /** Which templates UpdateAutoScalingGroup tries out: those that it names, or the group's at every call. */
  templateTried: ['if-named', 'always'],
  /** What the desired capacity goes down by with members that have weights. */
  decrementBy: ['units', 'instances'],
  /** The "configured Availability Zones" of a service: those of its hosts, or of all of its cluster. */
  zonesBalanced: ['of-cluster', 'of-hosts'],
  /** What becomes of zone rebalancing when an instance begins to drain, or a task is lost. */
  zoneBalancingWhenUnsteady: ['stops', 'goes-on'],
  /** Which deployments have a rollout state: rolling updates, or all that ECS itself deploys. */
  rolloutStates: ['of-rolling', 'of-all'],
  /** Whether a group tells of an attached instance what it was launched from, as one example shows. */
  launchSpecOfAttached: ['unknown', 'kept'],
  /** What managed draining does with instances that ECS doesn't know, or whose agent is gone. */
  unknownHosts: ['held', 'let-go'],
  /** Whether a classic load balancer has other messages before the one that an instance drains. */
  classicDescriptions: ['of-one', 'of-several'],
  /** Whether tasks that are stopping count towards a service's maximumPercent. */
  stoppingInMaximum: ['no', 'counts'],
  /** What the scheduler takes a task for whose checks fail within its service's grace period. */
  inGracePeriod: ['not-healthy', 'healthy'],
  /** Where a group launches when several zones have the fewest: the first of them, or where it did last. */
  zoneWhenEven: ['first', 'last-launched'],
  /** What ListTasks answers for a container instance that was just deregistered. */
  tasksOfDeregistered: ['listed', 'refused'],
  /** Whether `stoppingAt` is there once a task is told to stop, or once no load balancer has it any more. */
  stoppingSince: ['told', 'deregistered'],
  /** Whether ECS places tasks in the room of those that are stopping, or waits until they have stopped. */
  roomOfStopping: ['free', 'taken'],
  /** What becomes of tasks with scale-in protection on an instance that drains. */
  protectedOnDraining: ['spared', 'stopped'],
  /** Whether counts of PENDING tasks have those that are PROVISIONING or ACTIVATING, or no count has them. */
  countsOfStarting: ['pending', 'none'],
  /** Whether a drained task of an earlier revision is started again while its tasks have to stay. */
  drainedOfEarlier: ['lost', 'replaced'],
  /** Whether minimum and maximum bind both revisions of a deployment together, or each of them. */
  boundsOfRevisions: ['together', 'each'],
  /** Whether UpdateContainerInstancesState takes a host for DRAINING that drains already. */
  drainsAgain: [true, false],
  /** By which error UpdateContainerInstancesState refuses a host in another state. */
  stateRefusedAs: ['InvalidParameterException', 'ClientException'],
  /** What GetTaskProtection answers of a task that has stopped since: what it was, or that it isn't found. */
  protectionOfStopped: ['told', 'missing', 'refused'],
  /**
   * What becomes of instances that a warm pool has beyond its size, which is said of those that return on
   * scale-in: they end, held by the group's terminate hooks or not, or stay.
   */
  warmPoolAbove: ['ended', 'ended-with-hooks', 'kept'],
  /** Whether terminate hooks hold a member whose instance has ended, such as one that Spot has reclaimed. */
  goneAtHook: ['passes', 'held'],
  /** Where tasks in `awsvpc` mode run: on instances in the zones of their subnets, or in these alone. */
  awsvpcHosts: ['in-zones', 'in-subnets'],
  /** When daemons stop on an instance that drains: after its replica tasks, or as soon as it does. */
  daemonsOnDraining: ['last', 'at-once'],
  /** Whether DescribeTasks tells of a task that found no place as of others, or among its failures. */
  tasksNeverPlaced: ['described', 'failures'],
  /** What dates a deployment's `updatedAt`: its state alone, or whatever becomes of its tasks, too. */
  deploymentUpdates: ['of-state', 'of-tasks'],
  /** Where DescribeTasks says why a task failed to start: of the task itself, or of its container. */
  startFailures: ['of-task', 'of-container'],
  /**
   * Whether managed scaling ends members that don't register within minutes, and whether their group replaces
   * them or gets smaller.
   */
  unregisteredMembers: ['stay', 'replaced', 'given-up'],
  /** What DescribeServices tells of a service that moved from its launch type: its strategy too, or not. */
  strategyOfMoved: ['told', 'omitted'],
  /** Which ARN GetTaskProtection gives of a task: the one it is listed by, or one without the cluster. */
  arnsOfProtection: ['listed', 'short'],
  /** How DescribeServices writes the capacity providers of a strategy, which may be given by name or ARN. */
  providersShown: ['names', 'arns'],
  /** Whether activities tell what changed the desired capacity, as they do in AWS's examples. */
  sizeChanges: ['told', 'untold'],
} as const satisfies Readonly<Record<string, readonly [unknown, unknown, ...unknown[]]>>;

export type Reading = keyof typeof READINGS;

/** How a world reads AWS's documents; a test may change it. */
export type Readings = { -readonly [Name in Reading]: (typeof READINGS)[Name][number] };

export const READING_NAMES = Object.keys(READINGS) as readonly Reading[];

export function defaultReadings(): Readings {
  return Object.fromEntries(READING_NAMES.map((name) => [name, READINGS[name][0]])) as Readings;
}

/** Chooses a value for each by chance. */
export function drawReadings(readings: Readings, random: () => number): void {
  for (const name of READING_NAMES) {
    const values = READINGS[name];
    Object.assign(readings, { [name]: values[Math.floor(random() * values.length)] });
  }
}
