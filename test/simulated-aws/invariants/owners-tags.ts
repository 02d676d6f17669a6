import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Listener } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

type Tags = ReadonlyMap<string, string>;

const tagsOf = ({ tags }: Group | Instance): Tags =>
  new Map([...tags].map(([key, tag]) => [key, typeof tag === 'string' ? tag : tag.value]));

/** 7. Tags that were there before a roll, and those that instances were launched with, stay as they are. */
export function watchOwnersTags({ state }: Watch, ledger: Ledger): Listener {
  const owned = new Map<Group | Instance, Tags>();
  for (const one of [...state.groups.values(), ...state.instances.values()]) owned.set(one, tagsOf(one));

  const check = (name: string, one: Group | Instance) => {
    const now = tagsOf(one);
    const changed = [...(owned.get(one) ?? [])].flatMap(([key, value]) =>
      now.get(key) === value ? [] : [key],
    );
    ledger.expect(7, changed.length === 0, () => `${name} has lost its owner's tags: ${changed}`);
  };

  return (event) => {
    if (event.kind === 'instance-launched') owned.set(event.instance, tagsOf(event.instance));
    if (event.kind !== 'called' || !/Tags$/.test(event.operation)) return;
    for (const [name, group] of state.groups) check(name, group);
    for (const [id, instance] of state.instances) check(id, instance);
  };
}
