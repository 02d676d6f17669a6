import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import { belongs, type Watch } from './expectations.ts';
import { watchGiven } from './given.ts';
import type { Ledger } from './ledger.ts';
import { watchOwnersTags } from './owners-tags.ts';
import { watchProcesses } from './resumed.ts';
import { watchServices } from './services.ts';
import { watchSizes } from './sizes.ts';

/**
 * 7. Nothing is done that the configuration and the world's own history don't explain, whatever tags say by
 *    then: who launched an instance, what a group's owner has given it, and what calls have done to it
 *    before.
 */
export function watchExplained(watch: Watch, ledger: Ledger): Listener {
  const listeners = [
    watchBelonging(watch, ledger),
    watchGiven(watch, ledger),
    watchSizes(watch, ledger),
    watchServices(watch, ledger),
    watchProcesses(watch, ledger),
    watchOwnersTags(watch, ledger),
  ];
  return (event) => {
    for (const listener of listeners) listener(event);
  };
}

/**
 * Calls change instances that a group of the clusters launched, or that its owner attached, and these groups;
 * no others.
 */
function watchBelonging(watch: Watch, ledger: Ledger): Listener {
  const attached = new Set<Instance>();
  const isOurs = (instance: Instance) => belongs(watch, instance.launchedBy) || attached.has(instance);
  return (event) => {
    if (event.kind === 'member-changed' && event.cause === 'owner' && belongs(watch, event.group))
      attached.add(event.member.instance);
    const instance = instanceChanged(event);
    if (instance !== undefined)
      ledger.expect(
        7,
        isOurs(instance),
        () => `${event.kind}: ${instance.id} was launched by no group of the rolled clusters`,
      );
    const group = groupChanged(event);
    if (group !== undefined)
      ledger.expect(
        7,
        belongs(watch, group),
        () => `${event.kind}: group ${group.name} belongs to none of the rolled clusters`,
      );
    if (event.kind === 'member-changed' && event.cause === 'call')
      ledger.expect(
        7,
        event.member.instance.launchedBy === event.group || attached.has(event.member.instance),
        () => `${event.member.instance.id} joined ${event.group.name}, which never launched it`,
      );
  };
}

/** The instance that a call has changed. */
function instanceChanged(event: WorldEvent): Instance | undefined {
  if (event.kind === 'instance-tagged') return event.instance;
  if (!('cause' in event) || event.cause !== 'call') return undefined;
  switch (event.kind) {
    case 'instance-terminating':
    case 'member-detaching':
      return event.instance;
    case 'member-changed':
      return event.member.instance;
    case 'container-instance-changed':
    case 'container-instance-deregistered':
      return event.containerInstance.instance;
    default:
      return undefined;
  }
}

/** The group that a call has changed. */
function groupChanged(event: WorldEvent): Group | undefined {
  return 'group' in event && 'cause' in event && event.cause === 'call' ? event.group : undefined;
}
