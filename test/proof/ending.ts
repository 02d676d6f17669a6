import type { GroupResult } from '../../lambda/core/result.ts';
import type { Stage } from '../rollout/stage.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { giveOldImage } from './owners.ts';

/** Every five minutes, as the deployment invokes it. */
const CONTINUE_SECONDS = 300;

/** A roll may take this many invocations to its end, once the weather is over. */
const MOST_INVOCATIONS = 40;

/** After it has ended, the next schedule begins what was killed before it began, or has drifted since. */
const MOST_ROLLS = 4;

/** ECS lets a stage of a deployment take so long. */
const DEPLOYMENT_STAGE_SECONDS = 24 * 3600;

const OVER: ReadonlySet<string> = new Set(['completed', 'aborted', 'rolled-back', 'up-to-date', 'skipped']);

/** Invokes until nothing is left to do; if that never happens, throws with everything that is waited for. */
export async function finishRoll(staged: Stage): Promise<void> {
  let last: Answered;
  for (let rolls = 0; rolls < MOST_ROLLS; rolls++) {
    await continueUntilOver(staged);
    // Schedules are further apart than any read lags.
    staged.clock.advance(CONTINUE_SECONDS);
    last = await answerTo(staged, 'roll');
    if (last?.every((each) => needsNothing(each, staged))) return;
    if (last?.some(({ reason }) => reason.includes('gone but still registered'))) deregisterRefused(staged);
    // Nothing begins before there is room.
    for (const each of last ?? []) makeRoom(staged.world, each);
  }
  throw new Error(`it never ends: the last of ${MOST_ROLLS} schedules still comes to ${inWords(last)}`);
}

/**
 * The owner deregisters by force what they are told to, as far as ECS has refused the roll to do it without.
 * Anything else that a roll left registered would be its own fault.
 */
function deregisterRefused({ world, account, tell }: Stage): void {
  const refused = account.calls.log.filter(
    ({ operation, tookEffect }) => operation === 'DeregisterContainerInstance' && !tookEffect,
  );
  for (const { containerInstances, name } of world.state.clusters.values())
    for (const each of containerInstances.values()) {
      const isRefused = refused.some(({ input }) => JSON.stringify(input).includes(each.arn));
      if (!isRefused || each.status === 'INACTIVE' || each.instance.state !== 'terminated') continue;
      world.owner.deregister(each);
      tell(name, `its owner deregisters what ${each.instance.id} left`);
    }
}

/** Invokes as the deployment does for so many simulated seconds. */
export async function continueFor(staged: Stage, seconds: number): Promise<void> {
  const untilMs = staged.clock.now() + seconds * 1000;
  while (staged.clock.now() < untilMs) {
    await staged.invoke({ action: 'continue' });
    staged.clock.advance(CONTINUE_SECONDS);
  }
}

async function continueUntilOver(staged: Stage): Promise<void> {
  let answered = await answerTo(staged, 'roll');
  for (let count = 0; !answered?.every(({ state }) => OVER.has(state)); count++) {
    if (count > MOST_INVOCATIONS) throw new Error(`it never ends: ${inWords(answered)}`);
    staged.clock.advance(CONTINUE_SECONDS);
    const heeded = count >= MOST_INVOCATIONS / 2 ? heed(staged, answered ?? []) : 'continue';
    answered = await answerTo(staged, heeded);
  }
}

/** By what asks for them. */
const ORDERS = [
  ['abort', '`ecs-ami-deploy abort`'],
  ['rollback', 'only if somebody asks, with `ecs-ami-deploy rollback`'],
  ['roll', 'only if somebody asks, with `ecs-ami-deploy roll`'],
] as const;

/**
 * The owner finally does what they are asked to, each time they are, and that must help. Returns what they
 * invoke.
 */
function heed({ world, clock, tell }: Stage, answered: readonly GroupResult[]): string {
  const blocked = answered.filter(({ state }) => state === 'blocked');
  activateForgotten(world, blocked);
  if (blocked.some(({ reason }) => reason.includes('stop by themselves on'))) world.faults.stopCrashing();
  for (const each of blocked) makeRoom(world, each);
  for (const { group, warnings = [] } of blocked)
    if (warnings.some((each) => each.includes('ReplaceUnhealthy process is suspended')))
      world.owner.resume(group, 'ReplaceUnhealthy');
  // One that shifts traffic and finds no room: ECS ends it after a day, as the runbook says.
  if (blocked.some(({ reason }) => reason.includes('has a deployment in progress since')))
    clock.advance(DEPLOYMENT_STAGE_SECONDS);
  for (const { reason } of blocked)
    for (const [, service = ''] of reason.matchAll(
      /latest deployment of service (\S+) has failed: deploy it again/g,
    ))
      world.owner.startDeployment(service);
  const given = blocked.filter(({ group: name, reason }) => {
    const group = world.state.groups.get(name);
    return (
      reason.includes('give it another launch spec') && group !== undefined && giveOldImage(world, group)
    );
  });
  for (const { group } of given) tell(group, 'its owner gives it the old image');
  const others = blocked.filter((each) => !given.includes(each));
  const asked = ORDERS.find(([, what]) => others.some(({ reason }) => reason.includes(what)));
  return asked?.[0] ?? 'continue';
}

/**
 * Without its marks, or its group's tags, a roll can't know that it was itself who drained it. Marks of a
 * roll that nothing else tells of are ignored, and the owner takes them away, as they are told.
 */
function activateForgotten({ state, owner }: World, blocked: readonly GroupResult[]): void {
  const { groups, instances } = state.forgeries;
  const areForged = (id: string, name: string) =>
    [...instances].some((each) => each.id === id) || [...groups.keys()].some((each) => each.name === name);
  for (const { group, reason, untrusted = [] } of blocked)
    for (const [, id = ''] of reason.matchAll(
      /(i-\w+) is DRAINING in the cluster: somebody else drained it/g,
    )) {
      if (!areForged(id, group)) continue;
      owner.setContainerInstanceStatus(id, 'ACTIVE');
      const ignored = untrusted.filter(({ resource }) => resource === id).flatMap(({ keys }) => keys);
      for (const key of ignored) state.instances.get(id)?.tags.delete(key);
    }
}

function makeRoom({ state, owner }: World, { group, reason }: GroupResult): void {
  // The roll's own are at most one more than the group, but others may have taken places.
  if (/The requested reservation does not have sufficient|make the reservation larger/.test(reason))
    for (const reservation of state.capacityReservations.values()) reservation.total += 2;
  const { desiredCapacity = 0, minSize = 0, maxSize = 0 } = state.groups.get(group) ?? {};
  // A policy may have filled it.
  if (reason.includes('raise its maximum size')) owner.setSizes(group, { maxSize: maxSize + 1 });
  // A spread placement group takes no more, and old instances keep their places: a smaller group has room.
  const fewer = desiredCapacity - 1;
  // Its minimum may be kept as large as it is, which the roll, blocked, says too.
  if (/Placement Group '|spread placement group/.test(reason))
    owner.scheduledAction(group, { desiredCapacity: fewer, minSize: Math.min(minSize, fewer) });
}

/**
 * With a schedule that leaves things as they are. An image that a group was rolled back from is not tried
 * again; a stray would be one of ours, unless somebody has removed everything that said so.
 */
function needsNothing({ group, state, reason }: GroupResult, { world }: Stage): boolean {
  const isNobodys = [...world.state.forgeries.instances].some(({ id }) => reason.includes(id));
  return state === 'up-to-date' || (state === 'skipped' && (group !== '*' || isNobodys));
}

/** Nothing when the invocation was killed. */
type Answered = readonly GroupResult[] | undefined;

async function answerTo({ invoke }: Stage, action: string): Promise<Answered> {
  const outcome = await invoke({ action });
  return outcome.kind === 'answered' ? outcome.groups : undefined;
}

const inWords = (answered: Answered) =>
  answered?.map(({ group, state, reason }) => `${group} ${state} (${reason})`).join(', ') ?? 'killed';
