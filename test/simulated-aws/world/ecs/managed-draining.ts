import { completeAction, isHeldBy, recordHeartbeat } from '../autoscaling/lifecycle-hooks.ts';
import type { Group, Member } from '../autoscaling/model.ts';
import { type Instance, isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { registrationsOf } from './agents.ts';
import { setStatus } from './container-instances.ts';
import type { CapacityProvider } from './model.ts';

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/managed-instance-draining.html */
export const MANAGED_DRAINING_HOOK = 'ecs-managed-draining-termination-hook';

const HEARTBEAT_SECONDS = 3600;

/** ECS puts its hook on the group of a provider with managed draining. */
export function hookGroup({ lifecycleHooks: hooks }: Group) {
  if (hooks.some(({ name }) => name === MANAGED_DRAINING_HOOK)) return;
  hooks.push({
    name: MANAGED_DRAINING_HOOK,
    transition: 'terminating',
    seconds: HEARTBEAT_SECONDS,
    defaultResult: 'CONTINUE',
  });
}

/** ECS drains what the hook holds, and lets go of it once it has no task left. */
export function drainManaged(state: State) {
  const holds = (group: Group, member: Member) =>
    [...state.capacityProviders.values()].some(({ provider }) => isOf(provider, group)) &&
    isHeldBy(member, MANAGED_DRAINING_HOOK);
  state.subscribe((event) => {
    if (event.kind !== 'member-changed' || event.member.lifecycleState !== 'Terminating:Wait') return;
    const { group, member } = event;
    const watch = () => {
      if (!holds(group, member)) return;
      drainOrLetGo(state, member);
      state.after('managedDrainingSeconds', watch);
    };
    state.after('managedDrainingSeconds', watch);
    state.clock.schedule(HEARTBEAT_SECONDS / 2, () => beat(state, member));
  });
}

/**
 * What Spot reclaims is drained by its own agent, if that is set so, or by managed draining, which goes by
 * EventBridge.
 */
export function drainReclaimed(state: State) {
  state.subscribe((event) => {
    if (event.kind !== 'spot-warning') return;
    const { instance, to } = event;
    const drains = to === 'instance' ? (instance.agent?.drainsSpot ?? false) : isManaged(state, instance);
    if (!drains) return;
    for (const host of registrationsOf(instance))
      if (host.status === 'ACTIVE') setStatus(state, host, 'DRAINING', 'scheduler');
  });
}

const isManaged = (state: State, instance: Instance) =>
  [...state.capacityProviders.values()].some(
    ({ provider }) =>
      provider.kind === 'auto-scaling-group' &&
      provider.settings.managedDraining === 'ENABLED' &&
      provider.group.members.has(instance.id),
  );

const isOf = (provider: CapacityProvider['provider'], group: Group) =>
  provider.kind === 'auto-scaling-group' && provider.group === group;

function drainOrLetGo(state: State, member: Member) {
  const { containerInstance: host } = member.instance;
  const isKnown = host !== undefined && host.status !== 'INACTIVE';
  if (isKnown) setStatus(state, host, 'DRAINING', 'scheduler');
  const isLost = !isKnown || !host.agentConnected;
  if (isLost && state.readings.unknownHosts === 'held') return;
  if (!isKnown || host.tasks.size === 0) completeAction(member, MANAGED_DRAINING_HOOK, 'CONTINUE');
}

/** It holds as long as ECS knows the instance, up to 48 hours. */
function beat(state: State, member: Member) {
  const { containerInstance: host } = member.instance;
  if (!host || host.status === 'INACTIVE' || !isAlive(member.instance)) return;
  if (recordHeartbeat(state, member, MANAGED_DRAINING_HOOK))
    state.clock.schedule(HEARTBEAT_SECONDS / 2, () => beat(state, member));
}
