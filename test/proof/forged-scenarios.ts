import { GROUP_TAGS } from '../../lambda/contract.ts';
import { kindNamed } from '../rollout/kinds.ts';
import type { Stage } from '../rollout/stage.ts';
import { BRISK } from '../rollout/sweep.ts';
import { isAlive } from '../simulated-aws/world/ec2/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { forgedGroupTags, forgedMarks, STRANGERS } from './forged-values.ts';
import { furnishForger, type Memory, rememberTags, type Victim, victimsIn } from './forger.ts';
import type { Scenario } from './scenarios.ts';

/** Tags that somebody forges all at once, in the middle of a roll. */
interface Forging {
  readonly name: string;
  /** By its name. */
  readonly kind: string;
  forge(world: World, memory: Memory): void;
}

const FORGINGS: readonly Forging[] = [
  {
    name: 'sizes and processes',
    kind: 'target group, above the maximum',
    forge: forgeKeys([GROUP_TAGS.addedSizes, GROUP_TAGS.minSize, GROUP_TAGS.suspended]),
  },
  {
    name: 'images and dates',
    kind: 'launch template by $Latest',
    forge: forgeKeys([
      GROUP_TAGS.image,
      GROUP_TAGS.exact,
      GROUP_TAGS.startedAt,
      GROUP_TAGS.forceBefore,
      GROUP_TAGS.rejected,
    ]),
  },
  {
    name: 'a rollback onto what is somebody else’s',
    kind: 'launch configuration',
    forge: forgeKeys([GROUP_TAGS.previous, GROUP_TAGS.course]),
  },
  {
    name: 'nothing is left of what a group remembers',
    kind: 'launch template by 1',
    forge: (world) => removeAll(victimsIn(world).filter(({ sort }) => sort === 'group')),
  },
  {
    name: 'no instance bears a mark any more',
    kind: 'target group, within the maximum',
    forge: (world) => removeAll(victimsIn(world).filter(({ sort }) => sort === 'instance')),
  },
  {
    name: 'all that was said first is said again',
    kind: 'batches',
    forge(world, memory) {
      for (const { name, write } of victimsIn(world))
        for (const [key, [first]] of memory.get(name) ?? []) write(key, first);
    },
  },
  {
    name: 'strangers bear what is ours',
    kind: 'launch template by $Default',
    forge: copyToStrangers,
  },
];

/** Somebody forges all tags of these keys on our groups, the last of the values that there are. */
function forgeKeys(keys: readonly string[]) {
  return (world: World) => {
    for (const group of world.state.groups.values()) {
      if (group.clusterName === undefined) continue;
      for (const [key, value] of forgedGroupTags(world, group))
        if (keys.includes(key)) world.forger.tagGroup(group, key, value);
    }
  };
}

function removeAll(victims: readonly Victim[]): void {
  for (const { tags, write } of victims) for (const key of tags().keys()) write(key, undefined);
}

function copyToStrangers(world: World): void {
  const { state, forger } = world;
  const strangers = state.groups.get(STRANGERS);
  const group = [...state.groups.values()].find(({ clusterName }) => clusterName !== undefined);
  if (strangers === undefined || group === undefined) return;
  for (const [key, { value }] of group.tags) forger.tagGroup(strangers, key, value);
  const [mark = {}] = forgedMarks(group, state.clock.now());
  const marked = [...state.instances.values()].find(
    ({ launchedBy, tags }) => launchedBy === group && tags.size > 2,
  );
  const tags = { ...mark, ...Object.fromEntries(marked?.tags ?? []) };
  for (const instance of instancesOfStrangers(world))
    for (const [key, value] of Object.entries(tags))
      if (!key.startsWith('aws:')) forger.tagInstance(instance, key, value);
}

const instancesOfStrangers = ({ state }: World) =>
  [...state.instances.values()].filter(({ launchedBy }) => launchedBy?.clusterName === undefined);

function scenarioOf({ name, kind: kindName, forge }: Forging): Scenario {
  const { environment, expectations, furnish } = kindNamed(kindName);
  const memories = new WeakMap<World, Memory>();
  return {
    name: `forged: ${name}`,
    options: {
      ...BRISK,
      environment: { ...BRISK.environment, ...environment },
      expectations: {
        ...expectations,
        // Whoever may tag a group may ask for it.
        endings: ['completed', 'rolled-back', 'aborted'],
        surplus: 4,
        choosesNewest: true,
      },
      furnish(world) {
        furnish(world);
        furnishForger(world);
        memories.set(world, rememberTags(world));
      },
    },
    strike: ({ world }) => forge(world, memories.get(world) ?? new Map()),
    play: async ({ invoke }) => void (await invoke()),
    check: ({ world }) => expectAlive(world),
  };
}

/** The strangers' four have nothing to do with the roll. */
function expectAlive(world: Stage['world']): void {
  const alive = instancesOfStrangers(world).filter(isAlive).length;
  if (alive !== 4) throw new Error(`${alive} of the strangers' instances live, not 4`);
}

/** A roll in whose course somebody forges tags, once, after one of its writes. */
export const FORGED_SCENARIOS: readonly Scenario[] = FORGINGS.map(scenarioOf);
