import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Expectations } from '../invariants/invariants.ts';
import { textOn } from '../sealed.ts';
import { Killed } from '../simulated-aws/account/call.ts';
import { launchesOf } from '../simulated-aws/world/autoscaling/launch-sources.ts';
import { isEnding } from '../simulated-aws/world/autoscaling/members.ts';
import type { Group, LaunchSpec, TemplateReference } from '../simulated-aws/world/autoscaling/model.ts';
import { recommendedImageId } from '../simulated-aws/world/ec2/images.ts';
import { resolveVersion } from '../simulated-aws/world/ec2/launch-templates.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { failWhatDrains } from './happenings.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { Stage, StageOptions } from './stage.ts';
import { BRISK } from './sweep.ts';

/** How a roll that went wrong, or that somebody stopped, is over. */
export type Ending = 'rolled-back' | 'aborted' | 'completed';

/** What goes wrong with a roll, or is asked for in its middle. */
export interface Mishap {
  readonly name: string;
  readonly ending: Ending;
  readonly environment?: Readonly<Record<string, string>>;
  readonly lambdaSeconds?: number;
  /** What is wrong from the beginning. */
  befall?(world: World): void;
  /** Mends it. */
  mend?(world: World): void;
  /** From the first invocation until nothing but `continue` is needed. Default: one invocation. */
  play?(stage: Stage): Promise<void>;
}

/** Ids of the images that the families of a world recommend now: what is rolled onto. */
export function newImages({ state }: World): string[] {
  const families = new Set([...state.images.values()].flatMap(({ family }) => family ?? []));
  return [...families].flatMap((family) => recommendedImageId(state, family) ?? []);
}

/** Another image launches fine. */
const BROKEN = 'Invalid device name /dev/xvdcz. Launching EC2 instance failed.';
const NO_CAPACITY = 'We currently do not have sufficient m5.large capacity in the Availability Zone.';

function failLaunches({ state, faults }: World) {
  for (const { name } of state.groups.values()) faults.failLaunches(name, { message: NO_CAPACITY });
}

/** The launches of a group fail for as long as it would launch a new image. */
function failLaunchesOfNew(world: World) {
  const { state, faults } = world;
  const images = newImages(world);
  return world.subscribe((event) => {
    if (event.kind !== 'called') return;
    for (const { name, launchSpec } of state.groups.values()) {
      const isNew = launchesOf(state, launchSpec).some((launch) => images.includes(launch?.imageId ?? ''));
      faults.failLaunches(name, { message: BROKEN, ...(!isNew && { count: 0 }) });
    }
  });
}

function launchAgain({ state, faults }: World) {
  for (const { name } of state.groups.values()) faults.failLaunches(name, { message: '', count: 0 });
}

function crashOnNew(world: World) {
  for (const imageId of newImages(world)) world.faults.crashTasksOn({ imageId });
}

/** An invocation is killed right after this has happened. */
export async function rollUntil(staged: Stage, isSo: (world: World) => boolean): Promise<void> {
  const { world, invoke } = staged;
  const outcome = await invoke({ action: 'roll' }, [
    {
      after({ key }) {
        if (!/\.(Describe|Generate|Get|List)/.test(key) && isSo(world)) throw new Killed('far enough');
      },
    },
  ]);
  if (outcome.kind !== 'killed') throw new Error('it never came so far');
}

/** Somebody orders it right then. */
const orders =
  (action: 'rollback' | 'abort', isSo: (world: World) => boolean) =>
  async (staged: Stage): Promise<void> => {
    await rollUntil(staged, isSo);
    await staged.invoke({ action });
  };

const isLaunched = ({ state }: World) => {
  const images = newImages({ state } as World);
  return [...state.instances.values()].some(({ imageId }) => images.includes(imageId));
};

export const isDraining = ({ state }: World) =>
  [...state.instances.values()].some(({ containerInstance }) => containerInstance?.status === 'DRAINING');

const isReplacing = ({ state }: World) =>
  [...state.instances.values()].some((instance) => instance.state === 'terminated');

/** What ends the failing of launches in a world. */
const ends = new WeakMap<World, () => void>();

export const MISHAPS = {
  agents: {
    name: 'its agents never register',
    ending: 'rolled-back',
    befall: (world) => newImages(world).forEach(world.faults.spoilImage),
    mend({ state }) {
      for (const image of state.images.values()) image.isBad = false;
    },
  },
  launches: {
    name: 'its launches fail',
    ending: 'rolled-back',
    befall(world) {
      ends.set(world, failLaunchesOfNew(world));
    },
    mend(world) {
      ends.get(world)?.();
      launchAgain(world);
    },
  },
  crashes: {
    name: 'tasks crash on it',
    ending: 'rolled-back',
    befall: crashOnNew,
    mend: ({ faults }) => faults.stopCrashing(),
  },
  capacity: {
    name: 'no launch succeeds for an hour',
    ending: 'completed',
    befall(world) {
      failLaunches(world);
      world.clock.schedule(3600, () => launchAgain(world));
    },
    mend: launchAgain,
  },
  later: {
    name: 'tasks crash on it once the canary has passed',
    ending: 'rolled-back',
    environment: { CANARY: '1' },
    befall(world) {
      const end = world.subscribe((event) => {
        if (event.kind !== 'called') return;
        const groups = [...world.state.groups.values()];
        if (!groups.some((group) => textOn(group, GROUP_TAGS.canary)?.startsWith('passed'))) return;
        crashOnNew(world);
        end();
      });
    },
    mend: ({ faults }) => faults.stopCrashing(),
  },
  rollback: {
    name: 'somebody takes it back as it launches',
    ending: 'rolled-back',
    play: orders('rollback', isLaunched),
  },
  'rollback late': {
    name: 'somebody takes it back as it drains',
    ending: 'rolled-back',
    play: orders('rollback', isDraining),
  },
  abort: {
    name: 'somebody aborts it as it launches',
    ending: 'aborted',
    play: orders('abort', isLaunched),
  },
  'abort late': {
    name: 'somebody aborts it when one is replaced',
    ending: 'aborted',
    play: orders('abort', isReplacing),
  },
  pause: {
    name: 'somebody pauses it for an hour',
    ending: 'completed',
    async play(staged) {
      await rollUntil(staged, isDraining);
      await staged.invoke({ action: 'pause' });
      for (let minutes = 0; minutes < 60; minutes += 5) {
        staged.clock.advance(300);
        await staged.invoke({ action: 'continue' });
      }
      await staged.invoke({ action: 'resume' });
    },
  },
} as const satisfies Record<string, Mishap>;
export type MishapName = keyof typeof MISHAPS;

/** One way for a roll to go wrong. */
export interface RollbackKind {
  readonly kind: Kind;
  readonly mishap: Mishap;
  /** Each of its groups has a capacity provider. */
  readonly provider: boolean;
  /** Its groups may have more members than they have. */
  readonly room: boolean;
}

export function nameOf({ kind, mishap, provider, room }: RollbackKind): string {
  const more = [...(provider ? ['a capacity provider'] : []), ...(room ? ['room'] : [])];
  return `${kind.name}${more.length > 0 ? ` with ${more.join(' and ')}` : ''}: ${mishap.name}`;
}

/**
 * Kinds of groups that launch what a roll writes down for them; an alias launches what its parameter says.
 */
export const CHANGED_KINDS = KINDS.filter(({ name }) => !/alias/.test(name));

const ENDINGS = ['completed', 'rolled-back', 'aborted'] as const;

/**
 * The options of a stage for it, with what its groups launched from before by their names; of the latest such
 * stage.
 */
export function optionsOf({ kind, mishap, provider, room }: RollbackKind): {
  readonly options: StageOptions;
  readonly before: ReadonlyMap<string, string>;
  /** Members that their group has ended by itself while they drained. */
  readonly endedUndrained: readonly string[];
  /** Expects of what was launched before this time that it is replaced, from now on. */
  expectForced(beforeMs: number): void;
} {
  const { environment, furnish } = kind;
  // An abort gives back by how much a group has been made larger for a batch: with members that run the
  // image.
  const surplus = (kind.expectations?.surplus ?? 0) + (mishap.ending === 'aborted' ? 4 : 0);
  let forcedBeforeMs = Number.NEGATIVE_INFINITY;
  const expectations: Expectations = {
    ...kind.expectations,
    isDue: (instance) =>
      instance.launchedAtMs < forcedBeforeMs || (kind.expectations?.isDue?.(instance) ?? false),
    endings: ENDINGS,
    surplus,
  };
  const before = new Map<string, string>();
  const endedUndrained: string[] = [];
  return {
    before,
    endedUndrained,
    expectForced(beforeMs) {
      forcedBeforeMs = beforeMs;
    },
    options: {
      ...BRISK,
      lambdaSeconds: 3000,
      environment: { ...BRISK.environment, CANARY: '1', ...environment, ...mishap.environment },
      expectations,
      furnish(world) {
        furnish(world);
        endedUndrained.length = 0;
        noteUndrained(world, endedUndrained);
        for (const group of world.state.groups.values()) {
          if (room) group.maxSize += 10;
          if (provider) provideFor(world, group);
          before.set(group.name, describeLaunchSpec(group.launchSpec));
        }
        failWhatDrains(world);
        mishap.befall?.(world);
      },
    },
  };
}

/** What ECS drains because a group ends it is not meant: only what drained before the group chose it. */
function noteUndrained(world: World, noted: string[]) {
  const ended = new Set<string>();
  world.subscribe((event) => {
    if (event.kind !== 'member-changed' || !isEnding(event.member)) return;
    const { id, containerInstance } = event.member.instance;
    const isChosen = event.cause === 'group' && !ended.has(id);
    if (isChosen && containerInstance?.status === 'DRAINING') noted.push(id);
    ended.add(id);
  });
}

function provideFor(world: World, { name }: Group) {
  const isProvided = [...world.state.capacityProviders.values()].some(
    ({ provider }) => provider.kind === 'auto-scaling-group' && provider.group.name === name,
  );
  if (!isProvided) world.addCapacityProvider({ name, cluster: 'demo', group: name });
}

/** What a group launches from, by the reference that its owner chose, and what that resolves to. */
export function describeLaunchSpec(spec: LaunchSpec): string {
  switch (spec.kind) {
    case 'launch-configuration':
      return spec.name;
    case 'launch-template':
      return describeReference(spec);
    case 'mixed-instances':
      return [
        describeReference(spec),
        ...spec.overrides.map(
          ({ instanceType, imageId, weightedCapacity, ownTemplate }) =>
            `${instanceType} ${imageId} ${weightedCapacity} ${ownTemplate && describeReference(ownTemplate)}`,
        ),
        JSON.stringify(spec.distribution),
      ].join('; ');
  }
}

function describeReference({ template, version }: TemplateReference): string {
  const { number, data } = resolveVersion(template, version) ?? {};
  return `${template.id} by ${version}: ${number} with ${data?.ImageId}, ${template.defaultVersion} by default`;
}

/** Every mishap meets some kind, and every kind some mishaps; all of them meet if somebody has the time. */
export function rollbackKinds(all: boolean): RollbackKind[] {
  const names = Object.keys(MISHAPS) as MishapName[];
  const flags = [false, true];
  if (all)
    return CHANGED_KINDS.flatMap((kind) =>
      names.flatMap((name) =>
        flags.flatMap((provider) => flags.map((room) => ({ kind, mishap: MISHAPS[name], provider, room }))),
      ),
    );
  const some = CHANGED_KINDS.flatMap((kind, index) =>
    [0, 1, 2].map((nth) => {
      const mishap = MISHAPS[names[(index + nth * 3) % names.length] ?? 'agents'];
      return { kind, mishap, provider: (index + nth) % 2 === 0, room: (index + nth) % 3 !== 0 };
    }),
  );
  return [...some, ...CHANGED_KINDS.flatMap(brokenOnce)];
}

/** What has broken once, by the names of kinds. */
const BROKEN_ONCE: Readonly<Record<string, readonly MishapName[]>> = {
  'no surge behind a target group': ['agents', 'capacity', 'later'],
  'no surge, managed draining': ['agents', 'capacity', 'pause'],
  'target group, above the maximum': ['agents'],
  'terminate hooks run': ['abort', 'pause'],
};

function brokenOnce(kind: Kind): RollbackKind[] {
  const names = BROKEN_ONCE[kind.name] ?? [];
  return names.map((name) => ({ kind, mishap: MISHAPS[name], provider: true, room: true }));
}
