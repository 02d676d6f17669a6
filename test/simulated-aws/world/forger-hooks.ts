import type { Group } from './autoscaling/model.ts';
import type { Instance } from './ec2/model.ts';
import type { BusEvent, EventBus } from './event-bus/buses.ts';
import type { State } from './state.ts';

/** What somebody has made of tags that a roll remembers by. */
export interface Forgeries {
  /** By key, how often. */
  readonly groups: Map<Group, Map<string, number>>;
  readonly instances: Set<Instance>;
  /** What somebody has put on an event bus in another's name. */
  readonly events: Set<BusEvent>;
}

/**
 * What somebody does who may write tags and put events, and nothing else (`autoscaling:CreateOrUpdateTags`,
 * `ec2:CreateTags` and their counterparts, `events:PutEvents`). Without a value a tag is removed.
 */
export function forgerHooks(state: State) {
  const { groups, instances, events } = state.forgeries;
  return {
    tagGroup(group: Group, key: string, value: string | undefined) {
      if (value === undefined) group.tags.delete(key);
      else group.tags.set(key, { value, propagatesAtLaunch: false });
      const keys = groups.get(group) ?? new Map<string, number>();
      groups.set(group, keys.set(key, (keys.get(key) ?? 0) + 1));
      state.emit({ kind: 'tag-forged' });
    },
    tagInstance(instance: Instance, key: string, value: string | undefined) {
      if (value === undefined) instance.tags.delete(key);
      else instance.tags.set(key, value);
      instances.add(instance);
      state.emit({ kind: 'tag-forged' });
    },
    putEvent(bus: EventBus, event: Omit<BusEvent, 'id'>) {
      const put = { id: `${bus.name}-${bus.events.length + 1}`, ...event };
      bus.events.push(put);
      events.add(put);
    },
  };
}
