import type { UpdateContainerInstancesStateRequest } from '@aws-sdk/client-ecs';
import { DRAIN_HOOK } from '../../lambda/contract.ts';
import type { Stage } from '../rollout/stage.ts';
import { addDrainHook, deployTerminations } from '../rollout/terminations.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { endMember } from '../simulated-aws/world/autoscaling/ending.ts';
import { isHeldBy } from '../simulated-aws/world/autoscaling/lifecycle-hooks.ts';
import { touchGroup } from '../simulated-aws/world/autoscaling/touch.ts';
import { setStatus } from '../simulated-aws/world/ecs/container-instances.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { failHealthCheck, interruptSpot } from './fate.ts';
import { scaleIn } from './owners.ts';
import type { Draw } from './random.ts';
import type { Scene } from './scene.ts';
import type { Weather } from './weather.ts';

/** What somebody does by hand, or makes others believe, ends instances that nobody could drain. */
export const NOT_WITH_ENDS: ReadonlySet<Weather> = new Set(['forged tags', 'interference']);

/** A group may lose so many to its own ends in one roll. */
const MOST_ENDS = 4;

const TICK_SECONDS = 300;
const LEFT_SECONDS = 2700;

/** An invocation makes fewer calls than that, mostly. */
const MOST_CALLS_BEFORE_KILL = 60;

interface ScheduledEnds {
  /** Time passes until all that ends has been let go of; throws unless it was drained. */
  finish(): Promise<void>;
}

export function addDrainHooks(world: World, endsToo: boolean): void {
  if (!endsToo) return;
  for (const name of world.state.groups.keys()) addDrainHook(world, name);
}

/** The invariants take what is called for the roll's: what this function drains counts as another's. */
const drainsForOwner = (world: World): Interceptor => ({
  before({ operation, input }) {
    if (operation !== 'UpdateContainerInstancesState') return;
    const { containerInstances = [] } = input as UpdateContainerInstancesStateRequest;
    const all = [...world.state.clusters.values()].flatMap((each) => [...each.containerInstances.values()]);
    for (const one of all)
      if (containerInstances.includes(one.arn) && one.status === 'ACTIVE')
        setStatus(world.state, one, 'DRAINING', 'owner');
  },
});

/** What Auto Scaling ends by itself for a while, and the function that drains it, killed now and then. */
export function scheduleEnds(
  { world, clock, account, tell, invoke, isLooking }: Stage,
  draw: Draw,
  { forSeconds, seenAfterSeconds }: { readonly forSeconds: number; readonly seenAfterSeconds: number },
): ScheduledEnds {
  const isKilled = draw.chance(0.5);
  const drains = deployTerminations({
    ...{ world, clock, account },
    groups: [...world.state.groups.keys()],
    clusters: [...world.state.clusters.keys()].join(','),
    timeoutSeconds: LEFT_SECONDS,
    losesEvents: draw.chance(0.3),
    seenAfterSeconds,
    throughout: [drainsForOwner(world)],
    interceptors: (invocation) =>
      isKilled && invocation < 8 && draw.chance(0.5)
        ? [killAfter(draw.whole(1, MOST_CALLS_BEFORE_KILL))]
        : [],
  });
  /** They died, or Spot has reclaimed them. */
  const dead = new Set<string>();
  world.subscribe((event) => {
    if (event.kind === 'instance-terminating' && event.cause === 'fault') dead.add(event.instance.id);
  });
  const ends: readonly ((scene: Scene) => string | undefined)[] = [
    scaleIn,
    failHealthCheck,
    interruptSpot,
    // A maximum lifetime, capacity rebalancing and somebody's call end one alike.
    ({ group, member }) => {
      if (!member) return undefined;
      endMember(world.state, group, member, { why: 'a user request', cause: 'owner' });
      touchGroup(world.state, group);
      return `${member.instance.id} is ended by its group`;
    },
  ];
  const happen = () => {
    // What changes between a look and its deeds, nobody can know.
    if (isLooking()) return void clock.schedule(1, happen);
    const group = draw.oneOf([...world.state.groups.values()].filter(({ members }) => members.size > 1));
    if (group === undefined) return;
    const member = draw.oneOf(
      [...group.members.values()].filter(({ lifecycleState }) => lifecycleState === 'InService'),
    );
    const scene = {
      world,
      group,
      member,
      raisesMaxSize: false,
      isLooking: () => false,
      isSettingSizes: () => false,
      draw,
    };
    const what = draw.oneOf(ends)?.(scene);
    if (what !== undefined) tell('ends', what);
  };
  for (let count = draw.whole(1, MOST_ENDS); count > 0; count--)
    clock.schedule(draw.between(0, forSeconds), happen);
  const tick = () => {
    drains.wake();
    clock.schedule(TICK_SECONDS, tick);
  };
  clock.schedule(TICK_SECONDS, tick);
  return {
    async finish() {
      for (let seconds = 0; seconds < 2 * LEFT_SECONDS; seconds += TICK_SECONDS) {
        await drains.pass(TICK_SECONDS);
        await invoke({ action: 'continue' });
      }
      for (const line of drains.log) tell('drains', line);
      const longAgo = clock.now() - (LEFT_SECONDS + 2 * TICK_SECONDS) * 1000;
      const waiting = [...world.state.groups.values()].flatMap(({ members }) =>
        [...members.values()].filter(
          // ECS's managed draining may hold it longer, as any other hook.
          (member) =>
            isHeldBy(member, DRAIN_HOOK) && (drains.held.get(member.instance.id)?.heldAtMs ?? 0) < longAgo,
        ),
      );
      const excused = new Set([
        ...dead,
        ...drains.ended.flatMap(({ step, instanceId }) =>
          step.because === 'late' || step.because === 'away' ? [instanceId] : [],
        ),
      ]);
      const lost = drains
        .lostTooSoon()
        // Nothing reports the tasks of a registration that its agent has left.
        .filter(({ task }) => task.containerInstance.agentConnected)
        .filter(({ instance: { id } }) => drains.held.has(id) && !excused.has(id));
      // One that was empty from the beginning drains by the first, and is let go of by the second.
      const keptEmpty = [...drains.held].filter(
        ([id, { looksAtEmpty }]) => looksAtEmpty > 2 && !dead.has(id),
      );
      const broken = [
        ...keptEmpty.map(([id, each]) => `${id} was kept, empty as it was, at ${each.looksAtEmpty} looks`),
        ...waiting.map(({ instance }) => `${instance.id} is never let go of`),
        ...lost.map(({ task, instance }) => `${task.arn} was lost with ${instance.id}, which had time left`),
      ];
      if (broken.length > 0) throw new Error(broken.join('\n'));
    },
  };
}
