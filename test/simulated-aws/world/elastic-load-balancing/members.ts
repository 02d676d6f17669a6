import type { Group, Member } from '../autoscaling/model.ts';
import type { Instance } from '../ec2/model.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { allSources, findSource, sourcesOf, targetsOf } from './sources.ts';
import { deregister, register, setTargetState } from './targets.ts';

/**
 * Registers the members that are InService with what their group is attached to, and no other instance of it.
 */
export function followMembers(state: State) {
  const onStandby = new WeakSet<Member>();
  state.subscribe((event) => {
    if (event.kind === 'instance-terminating') leave(state, event.instance, event.cause);
    if (event.kind !== 'member-changed') return;
    const { group, member, cause } = event;
    if (member.lifecycleState.endsWith('Standby')) onStandby.add(member);
    if (!isInService(group, member)) return leave(state, member.instance, cause);
    enter(state, group, member, cause);
    // Out of Standby an owner brings a member by time; into a world that is being built, as if it had always
    // been.
    if (cause === 'owner' && !onStandby.has(member)) settle(state, group, member);
  });
}

const isInService = (group: Group, { instance, lifecycleState }: Member) =>
  group.members.has(instance.id) && lifecycleState === 'InService';

/**
 * What isn't registered while AddToLoadBalancer is suspended isn't later on either, nor is what a load
 * balancer has no room for, of which AWS says only that it isn't registered:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html
 */
function enter(state: State, group: Group, { instance }: Member, cause: Cause) {
  if (group.suspendedProcesses.has('AddToLoadBalancer')) return;
  for (const source of sourcesOf(state, group))
    if (source.targets.size < source.mostTargets)
      register(state, source, { instance, port: source.port, group }, cause);
}

function settle(state: State, group: Group, { instance }: Member) {
  for (const source of sourcesOf(state, group))
    for (const target of targetsOf(source, instance))
      if (target.state === 'initial') setTargetState(state, source, target, 'healthy', 'owner');
}

function leave(state: State, instance: Instance, cause: Cause) {
  for (const source of allSources(state))
    for (const target of targetsOf(source, instance)) deregister(state, source, target, cause);
}

/**
 * Attaches a group to what it was not attached to when it was built; its members are as if they had always
 * been there.
 */
export function attach(state: State, group: Group, arnOrName: string) {
  const { kind } = findSource(state, arnOrName);
  if (kind === 'target-group') group.targetGroupArns.add(arnOrName);
  else group.loadBalancerNames.add(arnOrName);
  for (const member of group.members.values())
    if (isInService(group, member)) {
      enter(state, group, member, 'owner');
      settle(state, group, member);
    }
}
