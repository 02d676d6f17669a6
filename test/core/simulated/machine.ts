import type { Instance, Mark, Member } from '../../../lambda/core/model/group.ts';
import type { LaunchedFrom } from '../../../lambda/core/model/launch.ts';

/** An instance as the simulated group has it, and what becomes of it next. */
export interface Machine {
  readonly id: string;
  readonly imageId: string;
  /** Undefined for one that was attached. */
  launchedFrom: LaunchedFrom | undefined;
  readonly weight: number;
  launchedAt: Date;
  alive: boolean;
  healthy: boolean;
  excluded: boolean;
  mark: Mark | undefined;
  /** Its lifecycle state; null for one that is no member. */
  state: string | null;
  ecs: 'ACTIVE' | 'DRAINING' | null;
  tasks: number;
  /** Looks for which its tasks can't move. */
  stuck: number;
  /** Found healthy by the traffic sources. */
  serving: boolean;
  /** Looks until its state moves on. */
  due: number;
}

/** EC2 has ended it; ECS forgets it, and its group learns of it. */
export function end(machine: Machine): void {
  Object.assign(machine, { alive: false, healthy: false, ecs: null, tasks: 0, serving: false });
}

export function weightOf(machines: readonly Machine[]): number {
  return machines.reduce((sum, { weight }) => sum + weight, 0);
}

/** Any one of them, told by a number of any size; undefined where there is none. */
export function pick(machines: readonly Machine[], number: number): Machine | undefined {
  return machines[Math.abs(number) % machines.length];
}

export function asMember({ id, state, healthy, weight, launchedFrom }: Machine): Member {
  const lifecycleState = state ?? '';
  return {
    instanceId: id,
    lifecycleState,
    healthy,
    instanceType: 'm5.large',
    availabilityZone: 'a',
    weight,
    launchedFrom,
  };
}

export function asInstance({ id, alive, imageId, launchedAt, excluded, mark }: Machine): Instance {
  return { instanceId: id, alive, imageId, launchedAt, excluded, mark: mark && readAs(mark) };
}

/** That a drain was given up is void once another turn has begun. */
function readAs({ drainGivenUpAt, ...mark }: Mark): Mark {
  const { drainStartedAt } = mark;
  const isVoid =
    drainGivenUpAt === undefined || (drainStartedAt !== undefined && drainStartedAt > drainGivenUpAt);
  return isVoid ? mark : { ...mark, drainGivenUpAt };
}
