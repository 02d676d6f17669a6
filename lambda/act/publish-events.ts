import { explain, StaleObservation } from '../aws/errors.ts';
import { rare } from '../aws/rare.ts';
import { GROUP_TAGS } from '../contract.ts';
import { dueEvents } from '../core/events/due.ts';
import type { GroupDecision } from '../core/group-decision.ts';
import type { Group, Instance } from '../core/model/group.ts';
import type { Request } from '../core/model/request.ts';
import type { RollEvent } from '../core/model/roll-event.ts';
import { secondsBetween } from '../core/model/time.ts';
import type { Told } from '../core/model/told.ts';
import { type Invocation, MARGIN_SECONDS } from '../invocation.ts';
import type { Memory } from '../look/memory.ts';
import { writeTold } from '../tags/told-tag.ts';
import { recordOnRoll } from './guarded-writes.ts';
import type { Target } from './target.ts';

/** After a failure the next try comes no sooner, so that an event bus out of order delays no look. */
const PAUSE_SECONDS = 60;

/**
 * Tells the event bus what has become of a group's roll, and then notes on its tag that it was told: so an
 * invocation may be killed in between, and the next one tells it again, under the same id. A failure stops
 * nothing: a later look tries again.
 */
export async function tell(
  invocation: Invocation,
  memory: Memory,
  target: Target,
  decided: GroupDecision,
  request: Request,
): Promise<void> {
  const { settings, clock, journal, remainingSeconds } = invocation;
  const { eventBus } = settings;
  if (eventBus === undefined) return;
  const { group } = decided.assessment;
  const told = toldOf(memory, target.group);
  seeMarked(told, group);
  const due = dueEvents(decided, request, [...told.marked.values()]);
  const untold = due.events.filter(({ id }) => !told.ids.has(id));
  const { busFailedAt } = memory;
  const isPausing = busFailedAt !== undefined && secondsBetween(busFailedAt, clock.now()) < PAUSE_SECONDS;
  if (isPausing || remainingSeconds() < MARGIN_SECONDS / 2) return;
  try {
    await tellAll(invocation, eventBus, untold);
    for (const { id } of untold) told.ids.add(id);
    if (untold.some(({ kind }) => kind === 'batch-done')) told.marked.clear();
    const since = group.roll?.startedAt ?? group.notice?.givenAt;
    if (due.told !== undefined && since !== undefined)
      await note(invocation, memory, target, since, due.told);
    memory.busFailedAt = undefined;
    told.failure = undefined;
  } catch (error) {
    // Another invocation has ended the roll, and told so.
    if (error instanceof StaleObservation) return;
    memory.busFailedAt = clock.now();
    told.failure = explain(error);
    journal.untold(target.cluster, target.group, error);
  }
}

/** Why a group's events couldn't be published last; undefined if they were, or there were none. */
export function failureToTell(memory: Memory, group: string): string | undefined {
  return memory.told.get(group)?.failure;
}

function toldOf(memory: Memory, group: string) {
  const told = memory.told.get(group) ?? { ids: new Set<string>(), marked: new Map<string, Instance>() };
  memory.told.set(group, told);
  return told;
}

/** One that lives on without its mark isn't to be replaced any more, or not yet. */
function seeMarked({ marked }: { readonly marked: Map<string, Instance> }, { instances }: Group): void {
  for (const each of instances) {
    if (each.mark !== undefined) marked.set(each.instanceId, each);
    else if (each.alive) marked.delete(each.instanceId);
  }
}

async function tellAll({ aws }: Invocation, eventBus: string, events: readonly RollEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { publish } = await rare.events();
  await publish(aws, eventBus, events);
}

async function note(
  { aws, clock }: Invocation,
  memory: Memory,
  target: Target,
  since: Date,
  told: Told,
): Promise<void> {
  const tags = writeTold(GROUP_TAGS.told, since, told);
  const noted = toldOf(memory, target.group);
  const text = tags[GROUP_TAGS.told];
  // What follows in the same look still sees the tag as it was.
  if (noted.text === text) return;
  const wrote: Target['wrote'] = (written) => memory.writes.note(target.group, written, clock.now());
  await recordOnRoll(aws, { ...target, wrote }, tags);
  noted.text = text;
}
