import { createAws } from '../../lambda/aws/clients.ts';
import { DRAIN_HOOK, drainHookMetadata } from '../../lambda/contract.ts';
import type { EndedInstance } from '../../lambda/core/terminations.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import { drainInterrupted, drainTerminations } from '../../lambda/terminations.ts';
import { allClients } from '../aws/all-clients.ts';
import type { SimulatedAccount } from '../simulated-aws/account/account.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { retryOnClock } from '../simulated-aws/account/client-options.ts';
import { retrying } from '../simulated-aws/account/retrying.ts';
import { shortcut } from '../simulated-aws/account/shortcut.ts';
import type { VirtualClock } from '../simulated-aws/clock/clock.ts';
import { isHeldBy } from '../simulated-aws/world/autoscaling/lifecycle-hooks.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import type { Task } from '../simulated-aws/world/ecs/model.ts';
import type { WorldEvent } from '../simulated-aws/world/events.ts';
import type { World } from '../simulated-aws/world/world.ts';

const TICK_SECONDS = 300;
const LAMBDA_SECONDS = 15 * 60;

export interface TerminationsOptions {
  readonly clock: VirtualClock;
  readonly world: World;
  readonly account: SimulatedAccount;
  readonly groups: readonly string[];
  readonly clusters?: string;
  readonly timeoutSeconds?: number;
  /** The event bus loses what hooks tell. */
  readonly losesEvents?: boolean;
  /** What has come about shows no later than this. */
  readonly seenAfterSeconds?: number;
  /** Of each invocation, counted from 0. */
  readonly interceptors?: (invocation: number) => readonly Interceptor[];
  /** Of all calls, those of the function for Spot, too. */
  readonly throughout?: readonly Interceptor[];
}

/** When our hook held an instance, when the last task that counts stopped there, and when it let go. */
export interface Held {
  readonly heldAtMs: number;
  emptyAtMs: number;
  releasedAtMs?: number;
  /** How often an invocation that came to its end had looked at it, empty as it was. */
  looksAtEmpty: number;
}

/** A task that its host's end took along. */
export interface Lost {
  readonly task: Task;
  readonly instance: Instance;
}

const isPlainDaemon = ({ service }: Task) => service?.strategy === 'DAEMON' && !service.isLoadBalanced;

/** As the deployment puts it on a group. */
export const addDrainHook = (world: World, group: string, minutes = 30) =>
  world.owner.addLifecycleHook(group, {
    name: DRAIN_HOOK,
    transition: 'terminating',
    seconds: 1800,
    metadata: drainHookMetadata(minutes),
  });

/** The functions, as the deployment has them invoked: one at a time, and one for Spot. */
export function deployTerminations(options: TerminationsOptions) {
  const {
    clock,
    world,
    account,
    groups,
    timeoutSeconds = 1800,
    losesEvents = false,
    seenAfterSeconds = 0,
    throughout = [],
  } = options;
  const looks: Interceptor = {
    before({ operation }) {
      // A look's first call may be tried again.
      if (operation !== 'DescribeAutoScalingGroups' || hasLooked) return;
      hasLooked = true;
      const latest = clock.now() - seenAfterSeconds * 1000;
      for (const [id, one] of held)
        if (isHeld(id) && one.emptyAtMs < latest && !hasTasks(id)) empty.push(one);
    },
  };
  const settings = parseSettings({ CLUSTERS: options.clusters ?? 'demo' });
  const log: string[] = [];
  const ended: EndedInstance[] = [];
  const lost: Lost[] = [];
  const faults: unknown[] = [];
  const held = new Map<string, Held>();
  /** By the looks of the invocation under way: what was empty then, and its hook held it. */
  let empty: Held[] = [];
  let hasLooked = false;
  let invocations = 0;
  let kills = 0;
  /** A killed process forgets. */
  let over = new Set<string>();
  let lambdaSeconds = 0;
  let isBusy = false;
  let isWaiting = false;

  function session(interceptors: readonly Interceptor[] = []) {
    const made = account.session({
      interceptors: [...throughout, ...interceptors],
      afterKill: 'hangs',
    });
    const retryStrategy = retryOnClock(clock, 8);
    const aws = createAws({ ...made.clientOptions, retryStrategy });
    shortcut(allClients(aws), retrying(made, retryStrategy));
    return { aws, whenKilled: made.whenKilled };
  }

  async function invoke() {
    if (isBusy) {
      isWaiting = true;
      return;
    }
    isBusy = true;
    const begun = clock.now();
    const before = faults.length + kills;
    empty = [];
    hasLooked = false;
    const { aws, whenKilled } = session([looks, ...(options.interceptors?.(invocations) ?? [])]);
    invocations++;
    const work = drainTerminations({
      aws,
      settings,
      clock: { now: () => new Date(clock.now()), sleep },
      remainingSeconds: () => LAMBDA_SECONDS - (clock.now() - begun) / 1000,
      groups,
      timeoutSeconds,
      over,
      said: (text) => log.push(`${new Date(clock.now()).toISOString().slice(11, 19)} ${text}`),
      ended: async (each) => void ended.push(each),
    });
    const killed = whenKilled.then(() => {
      kills++;
      over = new Set();
    });
    await Promise.race([work.catch((error: unknown) => void faults.push(error)), killed]);
    isBusy = false;
    if (faults.length + kills === before) for (const one of empty) one.looksAtEmpty++;
    lambdaSeconds += (clock.now() - begun) / 1000;
    if (!isWaiting) return;
    isWaiting = false;
    await invoke();
  }

  const sleep = (seconds: number) => {
    hasLooked = false;
    return clock.sleep(seconds);
  };

  /** Its hook's own time may have let go of it. */
  function isHeld(id: string): boolean {
    return [...world.state.groups.values()].some(({ members, warmPool }) => {
      const member = members.get(id) ?? warmPool?.members.get(id);
      return member !== undefined && isHeldBy(member, DRAIN_HOOK);
    });
  }

  /** Also of a registration in another cluster. */
  function hasTasks(id: string): boolean {
    return [...world.state.clusters.values()].some(({ tasks }) =>
      [...tasks.values()].some(
        (task) =>
          task.containerInstance.instance.id === id && task.lastStatus !== 'STOPPED' && !isPlainDaemon(task),
      ),
    );
  }

  const isOfOurs = ({ name }: { readonly name: string }) => name === DRAIN_HOOK;
  const heardBy: { readonly [Kind in WorldEvent['kind']]?: (event: WorldEvent & { kind: Kind }) => void } = {
    'lifecycle-action'({ hook, member, destination }) {
      if (!isOfOurs(hook)) return;
      held.set(member.instance.id, { heldAtMs: clock.now(), emptyAtMs: clock.now(), looksAtEmpty: 0 });
      if (!losesEvents && destination !== 'WarmPool') void invoke();
    },
    called({ operation, input }) {
      const { InstanceId: id = '', LifecycleHookName: name = '' } = input as Record<string, string>;
      const one = held.get(id);
      if (operation === 'CompleteLifecycleAction' && one && isOfOurs({ name }))
        one.releasedAtMs ??= clock.now();
    },
    'task-stopped'({ task }) {
      const one = held.get(task.containerInstance.instance.id);
      if (one === undefined || one.releasedAtMs !== undefined) return;
      // ECS counts daemons too: a look that one stops in finds more counted than listed.
      empty = empty.filter((each) => each !== one);
      one.looksAtEmpty = 0;
      if (!isPlainDaemon(task)) one.emptyAtMs = clock.now();
    },
    'host-lost'({ tasks, containerInstance: { instance } }) {
      lost.push(...tasks.map((task) => ({ task, instance })));
    },
    'spot-warning'({ to, instance }) {
      if (to !== 'event-bus') return;
      const drained = drainInterrupted(session().aws, settings.clusters, instance.id);
      drained.catch((error: unknown) => faults.push(error));
    },
  };
  world.subscribe((event) => {
    const hear = heardBy[event.kind] as ((event: WorldEvent) => void) | undefined;
    hear?.(event);
  });

  return {
    ...{ log, ended, lost, held, faults },
    count: () => ({ invocations, kills, lambdaSeconds }),
    /** The tick; it waits for nobody. */
    wake: () => void invoke(),
    /** Time passes, with a tick every five minutes. */
    async pass(seconds: number) {
      await clock.drive(
        (async () => {
          const until = clock.now() + seconds * 1000;
          while (clock.now() < until) {
            void invoke();
            await clock.sleep(Math.min(TICK_SECONDS, (until - clock.now()) / 1000));
          }
        })(),
      );
    },
    /** Tasks that were lost though they had time left, but for daemons that no load balancer knows. */
    lostTooSoon: () => lost.filter(({ task }) => !isPlainDaemon(task)),
  };
}
