import * as z from 'zod/mini';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { OwnInvariant } from '../simulated-aws/invariants/own.ts';
import type { State } from '../simulated-aws/world/state.ts';

const ENDINGS: ReadonlySet<string> = new Set(['completed', 'aborted', 'rolled-back']);

const TAGGED = z.object({
  Tags: z.array(
    z.object({
      Key: z.optional(z.string()),
      ResourceId: z.optional(z.string()),
      Value: z.optional(z.string()),
    }),
  ),
});
const TOLD = z.object({
  id: z.string(),
  kind: z.string(),
  group: z.string(),
  startedAt: z.optional(z.string()),
});

/**
 * 8. Where an event bus is told of rolls, it has been told of the beginning and the end of each before the
 * roll's tags go. Not of a group whose tags somebody has forged: it may have been forgotten. And nobody else
 * has told of anything first under the id of what is told.
 */
export const told: OwnInvariant = {
  number: 8,
  title: 'the beginning and the end of each roll are told',
  watch({ state }, ledger) {
    // Of two invocations that begin a roll at once, the one that writes last has begun it.
    const began = new Map<string, string>();
    return (event) => {
      if (event.kind !== 'called') return;
      if (event.operation === 'DeleteTags')
        ledger.expect(8, foreseenIn(state) === undefined, () => `somebody has foreseen ${foreseenIn(state)}`);
      for (const { group, value } of startsAmong(event.input))
        if (event.operation === 'CreateOrUpdateTags') began.set(group, value);
        else if (event.operation === 'DeleteTags') judge(group);
    };

    function judge(name: string): void {
      const group = state.groups.get(name);
      const start = began.get(name);
      if (group === undefined || start === undefined || state.forgeries.groups.has(group)) return;
      const missing = tellsNothing(state) ? undefined : missingOf(state, name, start);
      ledger.expect(8, missing === undefined, () => `${name}: ${missing}`);
    }
  },
};

/** The tags of a call that say when rolls began, without their seals. */
function startsAmong(input: object): { readonly group: string; readonly value: string }[] {
  const { success, data } = TAGGED.safeParse(input);
  if (!success) return [];
  return data.Tags.flatMap(({ Key, ResourceId = '', Value = '' }) =>
    Key === GROUP_TAGS.startedAt ? [{ group: ResourceId, value: Value.split(' ')[0] ?? '' }] : [],
  );
}

function tellsNothing(state: State): boolean {
  return eventsIn(state).every(({ isForged }) => isForged);
}

function eventsIn({ eventBuses, forgeries }: State) {
  return [...eventBuses.values()].flatMap(({ events }) =>
    events.map((each) => ({ ...TOLD.parse(JSON.parse(each.detail)), isForged: forgeries.events.has(each) })),
  );
}

/** The id of an event that came first from somebody else. */
function foreseenIn(state: State): string | undefined {
  if (state.forgeries.events.size === 0) return undefined;
  const first = new Map<string, boolean>();
  for (const { id, isForged } of eventsIn(state)) {
    if (!first.has(id)) first.set(id, isForged);
    if (!isForged && first.get(id)) return id;
  }
  return undefined;
}

function missingOf(state: State, group: string, start: string): string | undefined {
  const told = eventsIn(state).filter((event) => !event.isForged && event.group === group);
  const kinds = told.flatMap(({ kind, startedAt }) => (startedAt === start ? [kind] : []));
  if (!kinds.some((kind) => ENDINGS.has(kind))) return `no end was told of the roll that began ${start}`;
  // One that is called off when it is only announced has no beginning, and ends at once.
  const wasAnnounced = told.some(({ kind }) => kind === 'announced');
  if (wasAnnounced && kinds.every((kind) => kind === 'aborted')) return undefined;
  return kinds.includes('begun') ? undefined : `no beginning was told of the roll that began ${start}`;
}
