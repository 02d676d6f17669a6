import type { Action } from '../../../lambda/core/actions/decision.ts';
import { NOT_WATCHED } from '../../../lambda/core/group/steadiness.ts';
import type { Crash } from '../../../lambda/core/model/cluster.ts';
import type { FailedLaunch, Group, TrafficSource } from '../../../lambda/core/model/group.ts';
import type { LaunchSource } from '../../../lambda/core/model/launch.ts';
import type { Alarm, Observation } from '../../../lambda/core/model/observation.ts';
import type { NewSizes, Rejection, Roll, Sizes, TemporaryChanges } from '../../../lambda/core/model/roll.ts';
import { NO_CHANGES } from '../../../lambda/core/model/roll.ts';
import type { GroupSettings } from '../../../lambda/core/model/settings.ts';
import { createRandom } from '../../simulated-aws/world/random.ts';
import { arnOf, groupOf, NOW, observe, service } from '../builders.ts';
import { SimulatedLaunch } from './launch.ts';
import { asInstance, asMember, end, type Machine, pick, weightOf } from './machine.ts';

export interface Beginning {
  readonly size: number;
  /** How much less than at the beginning the desired capacity may be, and how much more. */
  readonly below: number;
  readonly above: number;
  readonly warm: number;
  readonly suspended: readonly string[];
  readonly trafficSources: readonly TrafficSource[];
  readonly sources: readonly LaunchSource[];
  readonly mixed: boolean;
  /** How much of the desired capacity instances make up, one after the other, over and over. */
  readonly weights: readonly number[];
  /** Of all that is left to chance, as how long each thing takes. */
  readonly seed: number;
  /** A capacity provider stands for the group, and ECS scales it. */
  readonly provided?: boolean;
  readonly fault?: Fault;
}

/** What is wrong with instances that are launched from now on. */
export interface Fault {
  readonly kind: 'launches fail' | 'never registers' | 'never serves' | 'dies' | 'tasks crash';
  /** Those of the target, or of any image. */
  readonly of: 'target' | 'all';
  /** The last look at which there is anything wrong. */
  readonly until: number;
}

const DAY = 86_400_000;

export const ALARM = 'errors';

const HOUR = 3_600_000;

const NOT_BEGUN = { canary: { kind: 'pending' }, course: { kind: 'forward' } } as const;

/**
 * One Auto Scaling group with its instances and ECS, as small as can be: it knows neither calls nor pages nor throttling,
 * only what each action brings about, and what AWS does by itself from one look to the next.
 */
export class SimulatedGroup {
  now = NOW;
  machines: Machine[] = [];
  minSize: number;
  maxSize: number;
  desiredCapacity: number;
  overrides: Partial<GroupSettings> = {};
  readonly suspended: Set<string>;
  /** The group's tags. */
  identity: Omit<Roll, 'changes'> | undefined;
  changes: TemporaryChanges = NO_CHANGES;
  pausedSince: Date | undefined;
  rejection: Rejection | undefined;
  alarm: Alarm = { name: ALARM, inAlarm: false, since: new Date(0) };
  /** Looks until the service's deployment is over. */
  deploying = 0;
  /** Looks until the alarm is over. */
  ringing = 0;
  readonly launch: SimulatedLaunch;
  private readonly beginning: Beginning;
  private readonly random: () => number;
  private count = 0;
  private looks = 0;
  private crashes: Crash[] = [];
  private failedLaunches: FailedLaunch[] = [];

  constructor(beginning: Beginning) {
    const { size, warm, below, above, suspended, sources, seed } = beginning;
    this.beginning = beginning;
    this.random = createRandom(seed);
    this.suspended = new Set(suspended);
    this.launch = new SimulatedLaunch(sources);
    for (let count = 0; count < size; count++) {
      const rest = { launchedAt: new Date(NOW.getTime() - DAY - count), tasks: this.upTo(2) };
      this.add('InService', { ...rest, ecs: 'ACTIVE', serving: true });
    }
    for (let count = 0; count < warm; count++) this.add('Warmed:Stopped', { launchedAt: new Date(0) });
    this.desiredCapacity = weightOf(this.members);
    this.minSize = Math.max(0, this.desiredCapacity - below);
    this.maxSize = this.desiredCapacity + above;
  }

  get trafficSources(): readonly TrafficSource[] {
    return this.beginning.trafficSources;
  }

  get targets(): readonly string[] {
    return this.launch.targetIds;
  }

  get members(): Machine[] {
    return this.machines.filter(({ state }) => state !== null && !state.startsWith('Warmed'));
  }

  /** What makes up the desired capacity. */
  get launched(): Machine[] {
    return this.members.filter(({ state }) => state === 'InService' || state === 'Pending');
  }

  /** How much more than desired there is. */
  get surplus(): number {
    return weightOf(this.launched) - this.desiredCapacity;
  }

  get pool(): Machine[] {
    return this.machines.filter(({ state }) => state?.startsWith('Warmed'));
  }

  /** Members that do their work now, for ECS and for all that sends requests. */
  get serving(): Machine[] {
    return this.launched.filter(({ healthy, ecs, serving }) => healthy && ecs === 'ACTIVE' && serving);
  }

  /** Something is wrong still, or its owner has yet to say go on. */
  get isFaulty(): boolean {
    const { fault } = this.beginning;
    const isStuck = this.machines.some(({ alive, stuck }) => alive && stuck > 0);
    return isStuck || this.ringing > 0 || (fault !== undefined && this.looks <= fault.until);
  }

  find(id: string): Machine | undefined {
    return this.machines.find((machine) => machine.id === id);
  }

  observe(): Observation {
    const registered = this.machines.filter(({ ecs }) => ecs !== null);
    const known = this.machines.filter(({ state, mark }) => state !== null || mark !== undefined);
    const serves = ({ id, serving, healthy }: Machine) =>
      [id, { healthy: serving && healthy, state: 'initial' }] as const;
    const health = new Map(this.members.map(serves));
    const group: Group = {
      ...groupOf(observe([])),
      minSize: this.minSize,
      maxSize: this.maxSize,
      desiredCapacity: this.desiredCapacity,
      members: this.members.map(asMember),
      warmPool: this.pool.map(asMember),
      instances: known.map(asInstance),
      suspendedProcesses: [...this.suspended],
      trafficSources: this.trafficSources,
      roll: this.identity && { ...this.identity, changes: this.changes },
      pausedSince: this.pausedSince,
      rejection: this.rejection,
      overrides: this.overrides,
      launch: {
        sources: this.launch.sources(this.identity, this.rejection),
        mixed: this.beginning.mixed,
      },
      details: {
        targetHealth: this.trafficSources.map((source) => ({ source, byInstance: health })),
        hasCapacityProvider: this.beginning.provided ?? false,
        hasManagedScaling: this.beginning.provided ?? false,
        failedLaunches: this.failedLaunches,
        ownLaunchSpecs: this.launch.own,
        templateUsers: this.launch.users,
        formerConfigurations: this.launch.uuids,
      },
      watch: NOT_WATCHED,
    };
    return {
      ...observe([]),
      now: this.now,
      // Another group's instance is there as well, so that tasks have somewhere to go.
      containerInstances: [{ id: 'i-other', ecs: 'ACTIVE', tasks: 0 }, ...registered].map(
        ({ id, ecs, tasks }) => ({
          arn: arnOf(id),
          instanceId: id,
          status: ecs ?? '',
          agentConnected: true,
          pendingTasksCount: 0,
          runningTasksCount: tasks,
        }),
      ),
      details: {
        services: [service('api', { deploying: this.deploying > 0, runningCount: this.isCrashing ? 1 : 2 })],
        tasks: registered
          .filter((one) => one.ecs === 'DRAINING' || asInstance(one).mark?.drainGivenUpAt)
          .flatMap(tasksOn),
        crashes: this.crashes,
        alarms: [this.alarm],
      },
      groups: [group],
    };
  }

  /**
   * Does what an action says.
   *
   * @returns false where AWS would refuse it, as things are no longer what they were seen to be
   */
  perform(action: Action): boolean {
    switch (action.kind) {
      case 'record-changes':
        return this.recordChanges(action);
      case 'detach-instances':
        return this.detach(action.instanceIds, action.decrement);
      case 'terminate-members':
        return this.terminateMembers(action.instanceIds, action.decrement);
      case 'set-sizes':
        return this.setSizes({
          desiredCapacity: action.desiredCapacity ?? this.desiredCapacity,
          maxSize: action.maxSize ?? this.maxSize,
          minSize: action.minSize ?? this.minSize,
        });
      case 'deregister':
        return this.deregister(action.containerInstance.instanceId);
      case 'attach-instances':
        return this.attach(action.instanceIds);
      case 'record-canary':
        return this.recordOnRoll({ canary: action.canary });
      case 'record-course':
        return this.recordOnRoll({ course: action.course });
      case 'unmark-instances':
        return this.unmark(action.instanceIds);
      default:
        this.change(action);
        return true;
    }
  }

  /** What AWS never refuses. */
  private change(action: Action): void {
    switch (action.kind) {
      case 'record-roll':
        this.identity = { ...NOT_BEGUN, ...this.identity, ...action.roll };
        break;
      case 'record-rejection':
        this.rejection = action.rejection;
        break;
      case 'clear-rejection':
        this.rejection = undefined;
        break;
      case 'pause':
        this.pausedSince = action.since;
        break;
      case 'resume':
        this.pausedSince = undefined;
        break;
      case 'clear-roll':
        Object.assign(this, { identity: undefined, changes: NO_CHANGES });
        break;
      case 'mark-instances':
        // A tag that is not written stays.
        for (const one of this.all(action.instanceIds)) one.mark = { ...one.mark, ...action.mark };
        break;
      case 'terminate':
        this.all(action.instanceIds).forEach(end);
        break;
      case 'suspend-processes':
        for (const name of action.processes) this.suspended.add(name);
        break;
      case 'resume-processes':
        for (const name of action.processes) this.suspended.delete(name);
        break;
      case 'drain':
        this.drain(action.containerInstances.map(({ instanceId }) => instanceId));
        break;
      case 'activate':
        this.activate(action.containerInstances.map(({ instanceId }) => instanceId));
        break;
      case 'stop-tasks':
        this.stopTasks(action.tasks.map(({ containerInstanceArn }) => containerInstanceArn));
        break;
      default:
        this.launch.perform(action);
    }
  }

  /** Time passes: Auto Scaling, ECS and EC2 go on with what they are at, and no further than one step. */
  pass(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
    this.looks++;
    this.deploying = Math.max(0, this.deploying - 1);
    this.ring();
    this.crash();
    for (const machine of this.machines) this.moveOn(machine);
    this.machines = this.machines.filter(({ alive, state }) => alive || state !== null);
    this.launchLacking();
  }

  /** A group that others have made smaller ends members as they are, as long as the others make up enough. */
  endSurplus(): void {
    for (;;) {
      const light = this.launched.filter(({ weight }) => weight <= this.surplus);
      const one = pick(light, this.upTo(100));
      if (one === undefined) return;
      Object.assign(one, { state: 'Terminating', due: this.upTo(2) });
    }
  }

  private ring(): void {
    this.ringing = Math.max(0, this.ringing - 1);
    const inAlarm = this.ringing > 0;
    if (inAlarm !== this.alarm.inAlarm) this.alarm = { name: ALARM, inAlarm, since: this.now };
  }

  /** Tasks crash over and over where something is wrong with them, and their service lacks one. */
  private crash(): void {
    if (this.looks % 3 > 0) return;
    const bad = this.crashing.map(({ id }) => ({
      taskArn: `arn:task/web/${id}-${this.looks}`,
      containerInstanceArn: arnOf(id),
      group: 'service:api',
      at: this.now,
      reason: 'Essential container in task exited',
    }));
    this.crashes = [...this.crashes, ...bad].filter(({ at }) => this.now.getTime() - at.getTime() < HOUR);
  }

  private get crashing(): Machine[] {
    return this.machines.filter((one) => one.ecs === 'ACTIVE' && this.isBad(one, 'tasks crash'));
  }

  private get isCrashing(): boolean {
    return this.crashing.length > 0;
  }

  private isBad({ imageId, launchedAt }: Machine, kind: Fault['kind']): boolean {
    const { fault } = this.beginning;
    if (fault?.kind !== kind || this.looks > fault.until || launchedAt <= NOW) return false;
    return fault.of === 'all' || this.targets.includes(imageId);
  }

  private moveOn(machine: Machine): void {
    const { alive, state } = machine;
    if (machine.stuck > 0) machine.stuck--;
    else if (machine.ecs === 'DRAINING' && machine.tasks > 0) machine.tasks--;
    if (state === 'InService') this.serve(machine);
    if (!alive && (state === 'Standby' || state?.startsWith('Warmed'))) machine.state = null;
    if (machine.due-- > 0) return;
    if (machine.state === 'Pending') {
      machine.state = 'InService';
      this.register(machine);
    } else if (machine.state === 'Detaching') leave(machine);
    else if (machine.state === 'Terminating') {
      end(machine);
      leave(machine);
    }
  }

  /** What a member in service does, and what its group does about it. */
  private serve(machine: Machine): void {
    const { alive, healthy } = machine;
    if (healthy) machine.serving = !this.isBad(machine, 'never serves');
    if (machine.due < -2 && this.isBad(machine, 'dies')) end(machine);
    if (alive && machine.ecs === null) this.register(machine);
    if (!healthy && !this.suspended.has('ReplaceUnhealthy')) machine.state = 'Terminating';
  }

  private register(machine: Machine): void {
    const { ecs, alive, mark } = machine;
    if (ecs !== null || !alive || mark?.drainStartedAt || this.isBad(machine, 'never registers')) return;
    Object.assign(machine, { ecs: 'ACTIVE', tasks: this.isBad(machine, 'tasks crash') ? 0 : this.upTo(2) });
  }

  /** The last may weigh more than was lacking. */
  private launchLacking(): void {
    const [imageId] = this.launch.imageIds;
    const { fault } = this.beginning;
    const fails =
      fault?.kind === 'launches fail' &&
      this.looks <= fault.until &&
      (fault.of === 'all' || this.targets.some((target) => target === imageId));
    if (this.surplus < 0 && fails && !this.suspended.has('Launch'))
      this.failedLaunches = [{ at: this.now, message: 'The image is broken' }, ...this.failedLaunches];
    if (fails || this.suspended.has('Launch')) return;
    while (this.surplus < 0) {
      const [warm] = this.pool.filter(({ alive }) => alive);
      // EC2 tells when it was started last.
      if (warm) Object.assign(warm, { state: 'Pending', launchedAt: this.now, due: this.upTo(1) });
      else this.add('Pending');
    }
    while (this.pool.length < this.beginning.warm) this.add('Warmed:Stopped');
  }

  private add(state: string, rest: Partial<Machine> = {}): void {
    const { weights } = this.beginning;
    const weight = weights[this.count % weights.length] ?? 1;
    this.count++;
    this.machines.push({
      ...this.launch.next(),
      id: `i-${this.count}`,
      weight,
      launchedAt: this.now,
      alive: true,
      healthy: true,
      excluded: false,
      mark: undefined,
      state,
      ecs: null,
      tasks: 0,
      stuck: 0,
      serving: false,
      due: this.upTo(3),
      ...rest,
    });
  }

  private recordChanges({ before, sizes, changes }: Extract<Action, { kind: 'record-changes' }>): boolean {
    const isAsSeen = asText(this.changes) === asText(before) && (sizes === undefined || this.hasSizes(sizes));
    if (isAsSeen) this.changes = changes;
    return isAsSeen;
  }

  private setSizes({ desiredCapacity, maxSize, minSize }: Required<NewSizes>): boolean {
    if (desiredCapacity > maxSize || desiredCapacity < minSize) return false;
    Object.assign(this, { desiredCapacity, maxSize, minSize });
    return true;
  }

  private drain(ids: readonly string[]): void {
    for (const one of this.all(ids)) if (one.ecs !== null) one.ecs = 'DRAINING';
  }

  private activate(ids: readonly string[]): void {
    for (const one of this.all(ids)) if (one.ecs !== null) one.ecs = 'ACTIVE';
  }

  private stopTasks(on: readonly string[]): void {
    for (const one of this.machines) if (on.includes(arnOf(one.id))) one.tasks = 0;
  }

  /** All or none. */
  private detach(ids: readonly string[], decrement: boolean): boolean {
    const leaving = this.all(ids);
    const canLeave = leaving.filter(({ state }) => state === 'InService' || state === 'Standby');
    const weight = weightOf(leaving);
    if (ids.length > 20 || canLeave.length < ids.length) return false;
    if (decrement && this.desiredCapacity - weight < this.minSize) return false;
    if (decrement) this.desiredCapacity -= weight;
    for (const one of leaving) {
      Object.assign(one, { state: 'Detaching', due: this.upTo(3) - 1 });
      if (one.due < 0) leave(one);
    }
    return true;
  }

  private attach(ids: readonly string[]): boolean {
    const coming = this.all(ids).filter(({ alive, state }) => alive && state === null);
    if (coming.length < ids.length || this.desiredCapacity + ids.length > this.maxSize) return false;
    this.desiredCapacity += ids.length;
    for (const one of coming)
      Object.assign(one, { state: 'Pending', due: this.upTo(2), launchedFrom: undefined });
    return true;
  }

  private recordOnRoll(changes: Partial<Roll>): boolean {
    if (this.identity === undefined) return false;
    this.identity = { ...this.identity, ...changes };
    return true;
  }

  private unmark(ids: readonly string[]): boolean {
    const staying = this.all(ids).filter(({ state }) => state !== null && !/^(Detach|Terminat)/.test(state));
    if (staying.length < ids.length) return false;
    for (const one of staying) one.mark = undefined;
    return true;
  }

  private terminateMembers(ids: readonly string[], decrement: boolean): boolean {
    const leaving = this.all(ids).filter(({ state }) => state !== null);
    if (leaving.length < ids.length) return false;
    const weight = weightOf(leaving);
    if (decrement && this.desiredCapacity - weight < this.minSize) return false;
    if (decrement) this.desiredCapacity -= weight;
    for (const one of leaving) Object.assign(one, { state: 'Terminating', due: this.upTo(2) });
    return true;
  }

  private deregister(id: string): boolean {
    const machine = this.find(id);
    if (machine === undefined) return true;
    if (machine.tasks > 0) return false;
    machine.ecs = null;
    return true;
  }

  private hasSizes({ desiredCapacity, maxSize }: Sizes): boolean {
    return this.desiredCapacity === desiredCapacity && this.maxSize === maxSize;
  }

  private all(ids: readonly string[]): Machine[] {
    return this.machines.filter(({ id }) => ids.includes(id));
  }

  private upTo(most: number): number {
    return Math.floor(this.random() * (most + 1));
  }
}

function leave(machine: Machine): void {
  Object.assign(machine, { state: null, serving: false });
}

function tasksOn({ id, tasks }: Machine) {
  return Array.from({ length: tasks }, (_, index) => ({
    arn: `arn:task/web/${id}-${index}`,
    containerInstanceArn: arnOf(id),
    group: 'service:api',
    stopping: false,
  }));
}

/** As tags have it, which know no order of keys. */
function asText({
  suspended,
  addedSizes: { desiredCapacity, maxSize, over, change },
  raisedMinSize,
}: TemporaryChanges): string {
  const sizes = (of: Sizes | undefined) => [of?.desiredCapacity, of?.maxSize];
  const { from, to, marked } = change ?? {};
  return JSON.stringify([
    suspended,
    desiredCapacity,
    maxSize,
    over,
    sizes(from),
    sizes(to),
    marked,
    raisedMinSize,
  ]);
}
