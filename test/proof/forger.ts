import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { RollEvent } from '../../lambda/core/model/roll-event.ts';
import { addTopic } from '../rollout/people.ts';
import type { Stage } from '../rollout/stage.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { type Instance, isAlive } from '../simulated-aws/world/ec2/model.ts';
import { registerContainerInstance } from '../simulated-aws/world/ecs/agents.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { DECOY, forgedGroupTags, forgedMarks, STRANGERS } from './forged-values.ts';
import type { Draw } from './random.ts';

/** The prefix of all tags that the product writes itself. */
const PREFIX = 'ecs-ami-deploy-';

/** A group or an instance, as seen by somebody who may write its tags. */
export interface Victim {
  /** Victims of one sort carry the same tags. */
  readonly sort: 'group' | 'instance';
  readonly name: string;
  /** Our tags on it. */
  tags(): ReadonlyMap<string, string>;
  /** Without a value the tag is removed. */
  write(key: string, value: string | undefined): void;
}

/** Adds to a world what has nothing to do with its rolls: a group, an instance, and images nobody chose. */
export function furnishForger(world: World): void {
  const [image] = world.state.images.values();
  if (image === undefined) throw new Error('there must be an image');
  const { architecture } = image;
  world.addImage(DECOY, { architecture, ageDays: 1 });
  world.addImage('of-somebody-else', { architecture, ownerId: '999999999999' });
  const strangers = world.addGroup({ name: STRANGERS, image, instances: 3, maxSize: 8 });
  const [member] = strangers.members.values();
  const [cluster] = world.state.clusters.values();
  // Its ECS_CLUSTER is wrong: one registered instance makes no group one of the cluster.
  if (member && cluster) registerContainerInstance(world.state, cluster, member.instance);
  world.addInstance({ image, tags: { Name: 'bastion' } });
  addTopic(world);
}

/** Everything that somebody may tag: groups, members, detached instances and strangers' resources. */
export function victimsIn(world: World): Victim[] {
  const { groups, instances } = world.state;
  return [
    ...[...groups.values()].map((group) => victimGroup(world, group)),
    ...[...instances.values()].filter(isAlive).map((instance) => victimInstance(world, instance)),
  ];
}

export function victimGroup({ forger }: World, group: Group): Victim {
  return {
    sort: 'group',
    name: group.name,
    tags: () => new Map([...group.tags].flatMap(([key, { value }]) => (isOurs(key) ? [[key, value]] : []))),
    write: (key, value) => forger.tagGroup(group, key, value),
  };
}

export function victimInstance({ forger }: World, instance: Instance): Victim {
  return {
    sort: 'instance',
    name: instance.id,
    tags: () => new Map([...instance.tags].filter(([key]) => isOurs(key))),
    write: (key, value) => forger.tagInstance(instance, key, value),
  };
}

const isOurs = (key: string) => key.startsWith(PREFIX);

/** Every value that a tag of ours has had so far, by its resource and key. */
export type Memory = Map<string, Map<string, string[]>>;

/** Records tag values from now on, as somebody who may read them can. */
export function rememberTags(world: World): Memory {
  const memory: Memory = new Map();
  world.subscribe((event) => {
    if (event.kind !== 'called' || !/Tags$/.test(event.operation)) return;
    for (const { name, tags } of victimsIn(world)) {
      const borne = tags();
      if (borne.size === 0) continue;
      const had = memory.get(name) ?? new Map<string, string[]>();
      memory.set(name, had);
      for (const [key, value] of borne) had.set(key, [...new Set([...(had.get(key) ?? []), value])]);
    }
  });
  return memory;
}

/** Ordered by how far they go. */
export const FORGERIES = ['set', 'change', 'remove', 'replay', 'copy'] as const;
type Forgery = (typeof FORGERIES)[number];

/** Forges one of our tags, on anything; returns what was done, if anything could be. */
export function forge(world: World, memory: Memory, draw: Draw): string | undefined {
  const forgery = draw.oneOf(FORGERIES) ?? 'set';
  const sort = draw.chance(0.5) ? 'group' : 'instance';
  const ofSort = victimsIn(world).filter((each) => each.sort === sort);
  const bearing = ofSort.filter(({ name, tags }) => tags().size > 0 || memory.has(name));
  const isOfOwn = forgery === 'set' || forgery === 'copy' || bearing.length === 0;
  const victim = draw.oneOf(isOfOwn ? ofSort : bearing);
  return victim && doForge[forgery]({ world, memory, draw, victim });
}

interface Scene {
  readonly world: World;
  readonly memory: Memory;
  readonly draw: Draw;
  readonly victim: Victim;
}

const doForge: Readonly<Record<Forgery, (scene: Scene) => string | undefined>> = {
  set({ world, draw, victim }) {
    const group = world.state.groups.get(victim.name) ?? ourGroups(world)[0];
    if (group === undefined) return undefined;
    const tag = draw.oneOf(forgedGroupTags(world, group));
    const mark = draw.oneOf(forgedMarks(ourGroups(world)[0] ?? group, world.clock.now()));
    const tags = victim.sort === 'instance' ? Object.entries(mark ?? {}) : tag === undefined ? [] : [tag];
    for (const [key, value] of tags) victim.write(key, value);
    return `${victim.name} is tagged ${tags.map(([key, value]) => `${key}=${value.slice(0, 60)}`).join(', ')}`;
  },

  /** One character is another. */
  change({ draw, victim }) {
    const [key, value] = draw.oneOf([...victim.tags()]) ?? ['', ''];
    if (value === '') return undefined;
    const at = draw.whole(0, value.length - 1);
    const other = value[at] === '1' ? '2' : '1';
    victim.write(key, value.slice(0, at) + other + value.slice(at + 1));
    return `${key} of ${victim.name} is changed at ${at}: ${value}`;
  },

  /** One, or all of ours. */
  remove({ draw, victim }) {
    const keys = [...victim.tags().keys()];
    const removed = draw.chance(0.3) ? keys : keys.slice(draw.whole(0, keys.length - 1)).slice(0, 1);
    for (const key of removed) victim.write(key, undefined);
    return removed.length === 0 ? undefined : `${removed} of ${victim.name} are removed`;
  },

  /** What the same tag has said before. */
  replay({ memory, draw, victim }) {
    const earlier = [...(memory.get(victim.name) ?? [])].flatMap(([key, values]) =>
      values.filter((value) => value !== victim.tags().get(key)).map((value) => [key, value] as const),
    );
    const [key, value] = draw.oneOf(earlier) ?? [];
    if (key === undefined) return undefined;
    victim.write(key, value);
    return `${key} of ${victim.name} says again ${value}`;
  },

  /** One, or all of ours, copied from another of its sort. */
  copy({ world, draw, victim }) {
    const sources = victimsIn(world).filter(
      (each) => each.sort === victim.sort && each.name !== victim.name && each.tags().size > 0,
    );
    const source = draw.oneOf(sources);
    if (source === undefined) return undefined;
    const tags = [...source.tags()];
    const one = draw.oneOf(tags);
    const copied = draw.chance(0.5) || one === undefined ? tags : [one];
    for (const [key, value] of copied) victim.write(key, value);
    return `${victim.name} bears ${copied.map(([key]) => key)} as ${source.name} does`;
  },
};

function ourGroups({ state }: World): Group[] {
  return [...state.groups.values()].filter(({ clusterName }) => clusterName !== undefined);
}

/**
 * What an owner notices in the console and finally removes: a pause, and settings that nobody on their team
 * has written.
 */
export function clearRequests({ world, tell }: Stage): void {
  for (const group of world.state.groups.values())
    for (const key of world.state.forgeries.groups.get(group)?.keys() ?? []) {
      if ((isOurs(key) && key !== GROUP_TAGS.paused) || !group.tags.has(key)) continue;
      group.tags.delete(key);
      tell(group.name, `its owner takes ${key} away`);
    }
}

/**
 * Tells the event bus of the latest roll, in its name, what isn't so: under the id of what was told, at an
 * earlier time, or under an id that may come next. Returns what was done, if anything could be.
 */
export function forgeEvent({ state, forger, clock }: World, draw: Draw): string | undefined {
  const [bus] = state.eventBuses.values();
  const latest = bus?.events.findLast((each) => !state.forgeries.events.has(each));
  if (bus === undefined || latest === undefined) return undefined;
  const told = JSON.parse(latest.detail) as RollEvent;
  const kind = draw.oneOf(['batch-done', 'blocked', 'completed', 'rolled-back'] as const) ?? 'completed';
  const [head = ''] = told.id.split(`/${told.kind}`);
  const [, seal = ''] = told.id.split(' ');
  const ids = [told.id, `${head}/${kind}`, `${head}/${kind} ${seal}`];
  const detail = JSON.stringify({ ...told, id: draw.oneOf(ids), kind, text: 'forged' });
  forger.putEvent(bus, { ...latest, atMs: clock.now() - draw.whole(0, 3_600_000), detail });
  return `${bus.name} is told of ${kind} by somebody else`;
}
