import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { setLifecycleState } from './members.ts';
import type { Group, LifecycleHook, Member } from './model.ts';

const TRANSITIONS = {
  Pending: 'launching',
  'Warmed:Pending': 'launching',
  Terminating: 'terminating',
  'Warmed:Terminating': 'terminating',
  ReplacingRootVolume: 'terminating',
} as const satisfies Record<string, LifecycleHook['transition']>;

type HeldIn = keyof typeof TRANSITIONS;

export type HookResult = LifecycleHook['defaultResult'];

/** What a hook waits for, of one member. */
interface Action {
  readonly hook: LifecycleHook;
  /** From then on no heartbeat holds it any longer. */
  readonly endsAtMs: number;
  /** Counts its heartbeats, so that a timer which one of them has made void does nothing. */
  heartbeats: number;
}

interface Wait {
  readonly actions: Map<string, Action>;
  readonly end: (result: HookResult) => void;
}

const waits = new WeakMap<Member, Wait>();

const MOST_SECONDS = 48 * 3600;

/** How long a hook holds an instance at most, however many heartbeats there are. */
export const globalTimeoutOf = ({ seconds }: LifecycleHook) => Math.min(100 * seconds, MOST_SECONDS);

export interface Steps {
  /** Once all hooks have let go of it. */
  readonly proceed: () => void;
  /** One of them said ABANDON, by a call or as its default result. */
  readonly abandoned: () => void;
  /** It returns to the warm pool, where terminate hooks hold it in `Warmed:Pending:Wait`. */
  readonly isReturning?: boolean;
}

/**
 * Goes on once the hooks of a transition have let go of the member; they all hold it at once, and ABANDON
 * ends the others. Whoever takes it out of its wait meanwhile takes it away from them.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/lifecycle-hooks-overview.html
 */
export function passHooks(
  state: State,
  { group, member }: { readonly group: Group; readonly member: Member },
  heldIn: HeldIn,
  cause: Cause,
  { proceed, abandoned, isReturning = false }: Steps,
) {
  const held = isReturning ? 'terminating' : TRANSITIONS[heldIn];
  const hooks = group.lifecycleHooks.filter(({ transition }) => transition === held);
  if (hooks.length === 0) return proceed();
  const end = (result: HookResult) => {
    waits.delete(member);
    if (member.lifecycleState !== `${heldIn}:Wait`) return;
    setLifecycleState(state, group, member, `${heldIn}:Proceed`, cause);
    state.after('inServiceSeconds', () => {
      if (member.lifecycleState !== `${heldIn}:Proceed`) return;
      if (result === 'ABANDON') abandoned();
      else proceed();
    });
  };
  const now = state.clock.now();
  const actions = hooks.map((hook): [string, Action] => [
    hook.name,
    { hook, endsAtMs: now + globalTimeoutOf(hook) * 1000, heartbeats: 0 },
  ]);
  waits.set(member, { actions: new Map(actions), end });
  for (const [, action] of actions) expireLater(state, member, action);
  setLifecycleState(state, group, member, `${heldIn}:Wait`, cause);
  for (const hook of hooks)
    state.emit({ kind: 'lifecycle-action', group, member, hook, destination: DESTINATIONS[heldIn] });
}

/**
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/warm-pools-eventbridge-events.html,
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-refresh-eventbridge-events.html
 */
const DESTINATIONS = {
  Pending: 'AutoScalingGroup',
  'Warmed:Pending': 'WarmPool',
  Terminating: 'EC2',
  'Warmed:Terminating': 'EC2',
  ReplacingRootVolume: 'AutoScalingGroup',
} as const satisfies Record<HeldIn, string>;

function expireLater(state: State, member: Member, action: Action) {
  const { hook, heartbeats, endsAtMs } = action;
  const left = Math.max(0, (endsAtMs - state.clock.now()) / 1000);
  state.clock.schedule(Math.min(hook.seconds, left), () => {
    if (action.heartbeats === heartbeats && waits.get(member)?.actions.get(hook.name) === action)
      completeAction(member, hook.name, hook.defaultResult);
  });
}

/** @returns whether the hook was holding the member */
export function completeAction(member: Member, hookName: string, result: HookResult): boolean {
  const wait = waits.get(member);
  if (!wait?.actions.delete(hookName)) return false;
  if (wait.actions.size === 0 || result === 'ABANDON') wait.end(result);
  return true;
}

/**
 * Restarts its time.
 *
 * @returns whether the hook was holding the member
 */
export function recordHeartbeat(state: State, member: Member, hookName: string): boolean {
  const action = waits.get(member)?.actions.get(hookName);
  if (!action) return false;
  action.heartbeats++;
  expireLater(state, member, action);
  return true;
}

export function isHeldBy(member: Member, hookName: string): boolean {
  return waits.get(member)?.actions.has(hookName) ?? false;
}
