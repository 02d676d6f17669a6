import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Stage } from '../rollout/stage.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { Memory } from './forger.ts';
import type { Draw } from './random.ts';

const DAY_SECONDS = 86_400;

/** Some look again after a change. */
const INVOCATIONS = 3;

/**
 * Somebody puts back all that a completed roll's tags have said, sooner or much later, and asks for a
 * rollback: nothing is left of the roll, so nothing may come of it.
 */
export async function putBackFinished(storm: Stage, memory: Memory, draw: Draw): Promise<void> {
  const { world, clock, invoke, tell } = storm;
  const victims = [...world.state.groups.values()].filter((group) => isCompleted(group, memory));
  if (victims.length === 0) return;
  clock.advance((draw.oneOf([0, 1, 30, 60]) ?? 0) * DAY_SECONDS);
  for (const group of victims) {
    for (const [key, values] of memory.get(group.name) ?? [])
      world.forger.tagGroup(group, key, values.at(-1));
    world.forger.tagGroup(group, GROUP_TAGS.course, 'rollback');
    tell('forged tags', `all tags of the completed roll of ${group.name} are put back, with a request`);
  }
  for (let count = 0; count < INVOCATIONS; count++) {
    await invoke({ action: 'continue' });
    clock.advance(300);
  }
  // Only a schedule tells what is left running in no group.
  await invoke({ action: 'roll' });
  // Its own scaling may have launched others.
  const wentBack = victims.filter((group) => !runsItsImages(group, memory));
  if (wentBack.length > 0)
    throw new Error(
      `put back, tags of a completed roll took ${wentBack.map(({ name }) => name).join(' and ')} back`,
    );
}

/** Its roll has ended, and left no tag. */
function isCompleted(group: Group, memory: Memory): boolean {
  return !group.tags.has(GROUP_TAGS.cluster) && group.members.size > 0 && runsItsImages(group, memory);
}

/** All members run what its roll was onto. */
function runsItsImages({ name, members }: Group, memory: Memory): boolean {
  const images = memory.get(name)?.get(GROUP_TAGS.image)?.at(-1)?.split(' ') ?? [];
  return [...members.values()].every(({ instance }) => images.includes(instance.imageId));
}
