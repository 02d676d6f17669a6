import type { Activity } from '@aws-sdk/client-auto-scaling';
import type { Group, Member } from '../world/autoscaling/model.ts';
import { weightOf } from '../world/autoscaling/weights.ts';
import type { Instance } from '../world/ec2/model.ts';
import { registrationsOf } from '../world/ecs/agents.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import { isInScope, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { followOwners } from './owner-settings.ts';

/** A member that stopped serving, or a desired capacity that rose, so recently may not have been seen yet. */
const UNSEEN_MS = 60_000;

/**
 * 4. Nothing begins to drain while the members of its group that run, InService, ACTIVE and connected, make
 *    up less than its desired capacity; members that are marked as going count as serving. While the group's
 *    launches fail, what was detached and serves on counts, too, and what calls have added doesn't: there may
 *    be no more places than it has.
 */
export function watchCapacity(watch: Watch, ledger: Ledger): Listener {
  const { state } = watch;
  const owners = followOwners(state);
  /** Since when they have stopped serving; undefined while they serve. */
  const served = new Map<Member, number | undefined>();

  const serves = (group: Group | undefined, { instance, lifecycleState }: Member) =>
    instance.state === 'running' &&
    group?.members.has(instance.id) === true &&
    lifecycleState === 'InService' &&
    registrationsOf(instance).some((one) => one.status === 'ACTIVE' && one.agentConnected);
  /** What is desired, and until when it was less. */
  const desired = new Map<
    Group,
    { readonly now: number; readonly before: number; readonly untilMs: number }
  >();
  const noteDesired = (group: Group) => {
    const { now = group.desiredCapacity } = desired.get(group) ?? {};
    if (desired.has(group) && now === group.desiredCapacity) return;
    desired.set(group, { now: group.desiredCapacity, before: now, untilMs: state.clock.now() });
  };
  // One that has begun so recently may not have been seen, nor whether it comes to more than those before.
  const isSeen = ({ StatusCode, StartTime }: Activity) =>
    StatusCode !== 'InProgress' || state.clock.now() - (StartTime?.getTime() ?? 0) > UNSEEN_MS;
  const failsToLaunch = ({ activities }: Group) =>
    activities.find((each) => each.Description?.startsWith('Launching') && isSeen(each))?.StatusCode ===
    'Failed';
  const leastDesired = (group: Group) => {
    const { before, untilMs } = desired.get(group) ?? { before: 0, untilMs: 0 };
    const isUnseen = state.clock.now() - untilMs <= UNSEEN_MS;
    const wanted = failsToLaunch(group) ? owners.wantedOf(group)[0].desiredCapacity : group.desiredCapacity;
    return Math.min(wanted, group.desiredCapacity, isUnseen ? before : wanted);
  };
  const noteServing = () => {
    for (const group of state.groups.values()) noteDesired(group);
    for (const group of state.groups.values())
      for (const member of group.members.values()) if (serves(group, member)) served.set(member, undefined);
  };
  const note = () => {
    noteServing();
    const serving = [...served].filter(([, since]) => since === undefined);
    for (const [member] of serving)
      if (!serves(member.instance.launchedBy, member)) served.set(member, state.clock.now());
  };
  /** Members, including those that died so recently that only their group knows. */
  const counted = (group: Group): Member[] => {
    const isMarked = ({ instance }: Member) => watch.customs.isGoing(instance);
    const isOfGroup = ({ instance }: Member) => instance.launchedBy === group;
    const lately = [...served].flatMap(([member, since = state.clock.now()]) =>
      state.clock.now() - since <= UNSEEN_MS ? [member] : [],
    );
    const marked = [...group.members.values()].filter(isMarked);
    return [...lately.filter((each) => isOfGroup(each) && !isMarked(each)), ...marked];
  };

  /** What was detached for its launches, and serves beside this one. */
  const beside = (group: Group, draining: Instance): number => {
    if (!failsToLaunch(group)) return 0;
    return [...state.instances.values()].filter(
      (each) =>
        each !== draining &&
        each.launchedBy === group &&
        !group.members.has(each.id) &&
        each.state === 'running' &&
        watch.customs.isGoing(each) &&
        registrationsOf(each).some((one) => one.status === 'ACTIVE' && one.agentConnected),
    ).length;
  };

  /** Once for each moment, and again after a call: there may be hundreds of members. */
  let notedAtMs = Number.NEGATIVE_INFINITY;
  const noteSeldom = (event: WorldEvent) => {
    const isByCall = event.kind === 'called' || ('cause' in event && event.cause === 'call');
    if (isByCall || notedAtMs < state.clock.now()) note();
    notedAtMs = state.clock.now();
  };

  note();
  return (event) => {
    owners.note(event);
    noteSeldom(event);
    if (event.kind !== 'container-instance-changed' || event.cause !== 'call') return;
    const { instance, status } = event.containerInstance;
    const { launchedBy: group } = instance;
    if (status !== 'DRAINING' || !isInScope(watch, group) || watch.customs.isTakenBack(instance)) return;
    const serving = weightOf(group, counted(group)) + beside(group, instance);
    ledger.expect(
      4,
      serving >= leastDesired(group),
      () =>
        `${instance.id} was set DRAINING while only ${serving} of ${group.desiredCapacity} members take tasks`,
    );
  };
}
