import { INSTANCE_TAGS } from '../../../lambda/contract.ts';
import type { Group } from '../world/autoscaling/model.ts';
import { weightOf } from '../world/autoscaling/weights.ts';
import type { Instance } from '../world/ec2/model.ts';
import { registrationsOf } from '../world/ecs/agents.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import { isInScope, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { isTakenBack } from './outcome.ts';

/** What has stopped to serve so lately may not have been seen yet. */
const UNSEEN_MS = 60_000;

/**
 * 4. Nothing begins to drain while the members of its group that run, InService, ACTIVE and connected, make up less than its
 * desired capacity; what bears our tags and is a member still, as it goes in place, is set aside.
 */
export function watchCapacity(watch: Watch, ledger: Ledger): Listener {
  const { state } = watch;
  const servedAt = new Map<Instance, number>();

  const serves = (group: Group, instance: Instance) =>
    instance.state === 'running' &&
    group.members.get(instance.id)?.lifecycleState === 'InService' &&
    registrationsOf(instance).some((one) => one.status === 'ACTIVE' && one.agentConnected);
  const note = () => {
    for (const group of state.groups.values())
      for (const { instance } of group.members.values())
        if (serves(group, instance)) servedAt.set(instance, state.clock.now());
  };
  const counts = (instance: Instance) =>
    instance.tags.get(INSTANCE_TAGS.terminate) === 'true' ||
    state.clock.now() - (servedAt.get(instance) ?? Number.NEGATIVE_INFINITY) <= UNSEEN_MS;

  /** At one time but once, and again for whoever calls then: there may be hundreds of members. */
  let notedAtMs = Number.NEGATIVE_INFINITY;
  const noteSeldom = (event: WorldEvent) => {
    const isByCall = event.kind === 'called' || ('cause' in event && event.cause === 'call');
    if (isByCall || notedAtMs < state.clock.now()) note();
    notedAtMs = state.clock.now();
  };

  note();
  return (event) => {
    noteSeldom(event);
    if (event.kind !== 'container-instance-changed' || event.cause !== 'call') return;
    const { instance, status } = event.containerInstance;
    const { launchedBy: group } = instance;
    if (status !== 'DRAINING' || !isInScope(watch, group) || isTakenBack(watch, instance)) return;
    const serving = weightOf(
      group,
      [...group.members.values()].filter((each) => counts(each.instance)),
    );
    ledger.expect(
      4,
      serving >= group.desiredCapacity,
      () => `${instance.id} drains while ${serving} of ${group.desiredCapacity} members take tasks`,
    );
  };
}
