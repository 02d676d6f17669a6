import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Stage } from '../rollout/stage.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { isAlive } from '../simulated-aws/world/ec2/model.ts';
import type { Memory } from './forger.ts';
import type { Draw } from './random.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

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
  letPass(storm, draw.oneOf([0, 1, 30, 60]) ?? 0);
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

/** Days, unless groups keep launching and ending members by themselves, which takes minutes to simulate. */
function letPass({ world, clock }: Stage, days: number): void {
  if (days === 0) return;
  const groups = [...world.state.groups.values()];
  const activities = () => groups.reduce((sum, group) => sum + group.activities.length, 0);
  const before = activities();
  clock.advance(HOUR_SECONDS);
  if (activities() === before) clock.advance(days * DAY_SECONDS - HOUR_SECONDS);
}

/**
 * Somebody puts back what a roll's tags said before it was taken back, its trial as passed, and takes its
 * rejection away: its image, which nobody wants, may not be launched again.
 */
export async function putBackTakenBack(storm: Stage, memory: Memory): Promise<void> {
  const { world, clock, invoke, tell } = storm;
  for (const group of world.state.groups.values()) {
    const before = wasTakenBack(group, memory) ? tagsInMidroll(group, memory, storm) : undefined;
    if (before === undefined) continue;
    const rejection = REJECTION.map((key) => [key, group.tags.get(key)?.value] as const);
    for (const [key, value] of before) world.forger.tagGroup(group, key, value);
    tell('forged tags', `the tags of ${group.name} are put back as they were before its roll was taken back`);
    for (let count = 0; count < INVOCATIONS; count++) {
      await invoke({ action: 'continue' });
      clock.advance(300);
    }
    if (runsOne(group, memory))
      throw new Error(`put back, tags of a roll taken back had ${group.name} rolled`);
    // It tells how the roll ended.
    for (const [key, value] of rejection) world.forger.tagGroup(group, key, value);
    // Only a schedule tells what is left running in no group.
    await invoke({ action: 'roll' });
  }
}

/** What stayed on the image would show that there is a roll. */
function wasTakenBack(group: Group, memory: Memory): boolean {
  const { tags } = group;
  return !tags.has(GROUP_TAGS.cluster) && tags.has(GROUP_TAGS.rejected) && !runsOne(group, memory);
}

/**
 * A trial that somebody has forged has not been passed, so that the roll might still wait for its turn.
 *
 * @returns undefined if there was no trial that it passed
 */
function tagsInMidroll({ name }: Group, memory: Memory, { account }: Stage) {
  const written = account.calls.log.filter(({ operation }) => operation === 'CreateOrUpdateTags');
  const isOfRoll = (value: string) => written.some(({ input }) => JSON.stringify(input).includes(value));
  const said = [...(memory.get(name) ?? [])];
  const values = new Map<string, string | undefined>(said.map(([key, all]) => [key, all.at(-1)]));
  for (const [key, begins] of [
    [GROUP_TAGS.canary, 'passed '],
    [GROUP_TAGS.course, 'forward '],
  ] as const)
    values.set(
      key,
      memory
        .get(name)
        ?.get(key)
        ?.findLast((each) => each.startsWith(begins) && isOfRoll(each)),
    );
  for (const key of REJECTION) values.set(key, undefined);
  return values.get(GROUP_TAGS.canary) === undefined ? undefined : values;
}

const REJECTION = [GROUP_TAGS.rejected, GROUP_TAGS.rejectedBecause];

/**
 * Somebody puts back all that members were marked by, a day after their rolls: no roll may begin by it, and
 * nothing may be ended.
 */
export async function putBackMarks({ world, clock, invoke, tell }: Stage, memory: Memory): Promise<void> {
  const groups = [...world.state.groups.values()];
  const members = groups.flatMap((each) => [...each.members.values()].map(({ instance }) => instance));
  const marked = members.filter((each) => isAlive(each) && memory.has(each.id));
  if (marked.length === 0 || groups.some(({ tags }) => tags.has(GROUP_TAGS.cluster))) return;
  clock.advance(DAY_SECONDS);
  for (const instance of marked)
    for (const [key, values] of memory.get(instance.id) ?? [])
      world.forger.tagInstance(instance, key, values.at(-1));
  tell('forged tags', `the marks of ${marked.map(({ id }) => id).join(' and ')} are put back`);
  const changes: string[] = [];
  const stop = world.subscribe((event) => {
    if (event.kind === 'called' && CHANGES.test(event.operation)) changes.push(event.operation);
  });
  for (let count = 0; count < INVOCATIONS; count++) {
    await invoke({ action: 'continue' });
    clock.advance(300);
  }
  stop();
  if (changes.length > 0)
    throw new Error(`put back, marks of rolls that are over had ${changes.join(', ')} called`);
  // Only a schedule tells what is left running in no group.
  await invoke({ action: 'roll' });
}

const CHANGES = /^(?!Describe|List|Get|Generate|Invoke|Put)/;

/** Its roll has ended, and left no tag. */
function isCompleted(group: Group, memory: Memory): boolean {
  return !group.tags.has(GROUP_TAGS.cluster) && group.members.size > 0 && runsItsImages(group, memory);
}

/** All members run what its roll was onto. */
function runsItsImages({ name, members }: Group, memory: Memory): boolean {
  const images = imagesIn(name, memory);
  return [...members.values()].every(({ instance }) => images.includes(instance.imageId));
}

/** As a member or in the warm pool, where one may take an hour to end. */
function runsOne({ name, members, warmPool }: Group, memory: Memory): boolean {
  const images = imagesIn(name, memory);
  return [...members.values(), ...(warmPool?.members.values() ?? [])].some(({ instance }) =>
    images.includes(instance.imageId),
  );
}

function imagesIn(group: string, memory: Memory): string[] {
  return memory.get(group)?.get(GROUP_TAGS.image)?.at(-1)?.split(' ') ?? [];
}
