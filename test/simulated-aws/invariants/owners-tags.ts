import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Listener } from '../world/events.ts';
import { tagsOf, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** AWS's own come and go with what they tell, as that of its group does when an instance is detached. */
const isOfAws = (key: string) => key.startsWith('aws:');

/** 7. Tags that were there before a roll, and those that instances were launched with, stay as they are. */
export function watchOwnersTags({ state, expectations }: Watch, ledger: Ledger): Listener {
  if (expectations.changesOwnersTags) return () => undefined;
  const owned = new Map<Group | Instance, ReadonlyMap<string, string>>();
  for (const one of [...state.groups.values(), ...state.instances.values()]) owned.set(one, tagsOf(one));

  const check = (name: string, one: Group | Instance) => {
    const now = tagsOf(one);
    const changed = [...(owned.get(one) ?? [])].flatMap(([key, value]) =>
      now.get(key) === value || isOfAws(key) ? [] : [key],
    );
    const subject = `owner's tags of ${name}`;
    ledger.keep(7, subject, changed.length, () => `${name} no longer has its owner's tags: ${changed}`);
  };

  return (event) => {
    if (event.kind === 'instance-launched') owned.set(event.instance, tagsOf(event.instance));
    if (event.kind !== 'called' || !/Tags$/.test(event.operation)) return;
    for (const [name, group] of state.groups) check(name, group);
    for (const [id, instance] of state.instances) check(id, instance);
  };
}
