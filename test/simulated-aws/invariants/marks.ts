import { INSTANCE_TAGS } from '../../../lambda/contract.ts';
import { openedInstance } from '../../sealed.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { WorldEvent } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import { isForged } from './forged.ts';

/** Follows what tells of an instance that it is to go: if its roller dies, whoever comes next must know. */
export function followMarks(watch: Watch) {
  const tagged = new WeakSet<Instance>();
  return {
    note(event: WorldEvent) {
      if (event.kind === 'instance-tagged') tagged.add(event.instance);
    },
    /** Before a call does so to it. Anybody's may bear any tag, and only what leaves its group alive has to. */
    isMarked(instance: Instance, does: WorldEvent['kind']): boolean {
      if (watch.expectations.roller === 'anybody') return does !== 'member-detaching' || tagged.has(instance);
      return isForged(watch, instance) || bearsOurs(instance);
    },
  };
}

function bearsOurs(instance: Instance): boolean {
  const { group, terminate } = INSTANCE_TAGS;
  const { tags } = openedInstance(instance);
  return tags[terminate] === 'true' && tags[group] === instance.launchedBy?.name;
}
