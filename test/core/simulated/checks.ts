import type { Action } from '../../../lambda/core/actions/decision.ts';
import { strategyOf } from '../../../lambda/core/group/strategy.ts';
import { type Settings, settingsOf } from '../../../lambda/core/model/settings.ts';
import { groupOf, NOW } from '../builders.ts';
import type { SimulatedGroup } from './group.ts';
import type { Ledger } from './interferences.ts';
import { type Machine, weightOf } from './machine.ts';

export interface Checked {
  readonly group: SimulatedGroup;
  readonly ledger: Ledger;
  readonly settings: Settings;
}

type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;

/** What is wrong with an action whatever others have done since it was decided; undefined when nothing is. */
export function wrongAnyhow(action: Action, { group }: Checked): string | undefined {
  switch (action.kind) {
    case 'detach-instances':
      if (action.instanceIds.length > 20) return 'detaches more than 20';
      return unmarked(group, action.instanceIds);
    case 'terminate':
    case 'terminate-members': {
      const busy = group.machines.find(({ id, tasks }) => action.instanceIds.includes(id) && tasks > 0);
      if (busy !== undefined) return `ends ${busy.id} with tasks`;
      return unmarked(group, action.instanceIds);
    }
    case 'drain': {
      const early = action.containerInstances.find(
        ({ instanceId }) => group.find(instanceId)?.mark?.drainStartedAt === undefined,
      );
      return early && `drains ${early.instanceId}, which had no turn`;
    }
    case 'suspend-processes': {
      const unrecorded = action.processes.filter((name) => !group.changes.suspended.includes(name));
      return unrecorded.length > 0 ? `suspends ${unrecorded} without a record` : undefined;
    }
    default:
      return undefined;
  }
}

/** What is wrong with an action, when things are as they were seen. */
export function wrongAsSeen(action: Action, checked: Checked): string | undefined {
  const { group, ledger } = checked;
  switch (action.kind) {
    case 'set-sizes':
      return wrongSizes(action, group);
    case 'detach-instances':
      return action.decrement
        ? (wrongWithoutIntent(group) ?? unserved(action, checked))
        : unserved(action, checked);
    case 'terminate': {
      const member = machines(group, action.instanceIds).find(({ state }) => state && !/^Warmed/.test(state));
      return member ? `ends ${member.id}, a member` : inTheWay(action.instanceIds, group);
    }
    case 'terminate-members':
      return inTheWay(action.instanceIds, group);
    case 'drain':
      return wrongDrain(action, checked);
    case 'attach-instances':
      return wrongAttach(action.instanceIds, group);
    case 'activate': {
      const others = action.containerInstances.find(
        ({ instanceId }) => group.find(instanceId)?.mark === undefined,
      );
      return others && `sets ${others.instanceId} back ACTIVE, which is not ours`;
    }
    case 'suspend-processes': {
      const owners = action.processes.filter((name) => ledger.suspended.has(name));
      return owners.length > 0 ? `suspends the owner's ${owners}` : undefined;
    }
    case 'resume-processes': {
      const theirs = action.processes.filter((name) => !group.changes.suspended.includes(name));
      return theirs.length > 0 ? `resumes ${theirs}, which is not ours` : undefined;
    }
    case 'clear-roll': {
      const { suspended, addedSizes } = group.changes;
      const isGivenUp =
        addedSizes.desiredCapacity + addedSizes.maxSize > 0 || addedSizes.change !== undefined;
      return isGivenUp || suspended.length > 0 ? 'ends while something is held' : undefined;
    }
    default:
      return undefined;
  }
}

const machines = (group: SimulatedGroup, ids: readonly string[]) =>
  group.machines.filter(({ id }) => ids.includes(id));

function unmarked(group: SimulatedGroup, ids: readonly string[]): string | undefined {
  const found = machines(group, ids).find(({ mark }) => mark === undefined);
  return found && `detaches or ends ${found.id}, which is not marked`;
}

function wrongSizes(set: Of<'set-sizes'>, group: SimulatedGroup): string | undefined {
  const { desiredCapacity = group.desiredCapacity } = set;
  const { to } = group.changes.addedSizes.change ?? {};
  const isMeant = (size: 'desiredCapacity' | 'maxSize') =>
    set[size] === undefined || set[size] === to?.[size];
  if (!isMeant('desiredCapacity') || !isMeant('maxSize')) return 'sizes change without an intent';
  const isLower = desiredCapacity < group.desiredCapacity;
  if (isLower && weightOf(group.launched) > desiredCapacity) return 'a group is made smaller than it is';
  const grows = desiredCapacity > group.desiredCapacity;
  return grows && !group.suspended.has('AlarmNotification')
    ? 'grows while alarms may scale it in'
    : undefined;
}

/** What comes back is as it was, and launches nothing in its place. */
function wrongAttach(ids: readonly string[], group: SimulatedGroup): string | undefined {
  if (wrongWithoutIntent(group) !== undefined) return 'attaches without an intent';
  const busy = machines(group, ids).find(({ ecs }) => ecs !== 'ACTIVE');
  if (busy !== undefined) return `attaches ${busy.id}, which is ${busy.ecs}`;
  const running = ['AlarmNotification', 'Launch', 'AZRebalance'].filter((name) => !group.suspended.has(name));
  return running.length > 0 ? `attaches ${ids} while ${running} may act` : undefined;
}

function wrongWithoutIntent({ changes }: SimulatedGroup): string | undefined {
  return changes.addedSizes.change === undefined ? 'gets smaller without an intent' : undefined;
}

/** Those that serve stay until others do, where anything sends them requests. */
function unserved({ instanceIds, decrement }: Of<'detach-instances'>, checked: Checked): string | undefined {
  const { group, ledger } = checked;
  const leaving = machines(group, instanceIds);
  if (strategyFor(checked) !== 'scale-out' || leaving.every(({ state }) => state === 'Standby'))
    return undefined;
  // Who doesn't serve is missed by nobody.
  if (leaving.every((one) => !isOld(one) && !group.serving.includes(one))) return undefined;
  if (!decrement) return 'detaches from under a load balancer before others serve';
  // Old members that nobody has touched serve as they did.
  const left = group.launched.filter(
    (one) => !leaving.includes(one) && (one.excluded || isOld(one) || group.serving.includes(one)),
  );
  const wanted = Math.min(group.desiredCapacity - weightOf(leaving), ledger.sizes.desiredCapacity);
  return weightOf(left) < wanted ? `leaves ${weightOf(left)} of ${wanted} to serve` : undefined;
}

function isOld({ launchedAt, state }: Machine): boolean {
  return launchedAt < NOW && state === 'InService';
}

function wrongDrain({ containerInstances }: Of<'drain'>, checked: Checked): string | undefined {
  const { group, settings } = checked;
  const ids = containerInstances.map(({ instanceId }) => instanceId);
  const isOurs = ({ alive, mark, excluded, state }: Machine) =>
    alive && mark !== undefined && !excluded && state !== 'Detaching';
  const draining = group.machines.filter((one) => one.ecs === 'DRAINING' && isOurs(one));
  if (draining.length + ids.length > settingsOf(group, settings).drainConcurrency)
    return 'drains too many at once';
  // Auto Scaling looks at the health of no others.
  const inService = machines(group, ids).filter(({ state }) => state === 'InService');
  if (inService.length > 0 && group.trafficSources.length > 0 && !group.suspended.has('ReplaceUnhealthy')) {
    const failing = group.members.some(({ healthy }) => !healthy);
    if (!failing) return `drains ${inService[0]?.id} in service, which its group might replace`;
  }
  return inTheWay(ids, group);
}

function inTheWay(ids: readonly string[], group: SimulatedGroup): string | undefined {
  const leftOut = machines(group, ids).find(({ excluded }) => excluded);
  if (leftOut !== undefined) return `drains or ends ${leftOut.id}, which is left out`;
  const running = ['AZRebalance', 'InstanceRefresh'].filter((name) => !group.suspended.has(name));
  return running.length > 0 ? `drains or ends ${ids} while ${running} may act` : undefined;
}

function strategyFor({ group, settings }: Checked) {
  return strategyOf(groupOf(group.observe()), settingsOf(group, settings));
}

type Held = Of<'record-changes'>['before'];

/** What is wrong with giving members up that are ours, rather than giving them back; undefined where there is need. */
export function membersGivenUp({ addedSizes }: Held, group: SimulatedGroup): string | undefined {
  // Somebody has set it to what it was, and means it.
  if (addedSizes.over !== undefined && group.desiredCapacity <= addedSizes.over.desiredCapacity)
    return undefined;
  const candidates = group.launched.filter(({ state, excluded }) => state === 'InService' && !excluded);
  const marked = candidates.filter(({ mark }) => mark !== undefined);
  const weights = (marked.length > 0 ? marked : candidates).map(({ weight }) => weight);
  const most = Math.min(addedSizes.desiredCapacity, group.desiredCapacity - group.minSize);
  return weights.length > 0 && most >= Math.max(...weights) ? 'gives up what it could give back' : undefined;
}

/** The same of the maximum size. */
export function roomGivenUp({ addedSizes }: Held, group: SimulatedGroup): string | undefined {
  if (addedSizes.over !== undefined && group.maxSize <= addedSizes.over.maxSize) return undefined;
  return group.maxSize - group.desiredCapacity >= addedSizes.maxSize
    ? 'gives up room that nobody needs'
    : undefined;
}
