import * as z from 'zod/mini';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import type { OwnInvariant } from '../simulated-aws/invariants/own.ts';
import type { State } from '../simulated-aws/world/state.ts';

const TAG = z.object({ Key: z.string(), Value: z.optional(z.string()), ResourceId: z.optional(z.string()) });
const TAGGING = z.object({ Resources: z.optional(z.array(z.string())), Tags: z.array(TAG) });
type Tagging = z.infer<typeof TAGGING>;
const ASKED = z.object({
  stage: z.string(),
  group: z.string(),
  instances: z.object({ outdated: z.array(z.string()) }),
});
const GO = z.object({ answer: z.literal('go') });

/** So long after the first by a go others may be chosen by it: of the same batch, or by who looked before. */
const AT_ONCE_MS = 60_000;

/** 9. Where there is a hook, no batch begins and no trial passes without its go. */
export const askedFirst: OwnInvariant = {
  number: 9,
  title: 'a hook has its say',
  watch({ state }, ledger) {
    const marked = new Set<string>();
    /** When each go was first used to choose a batch. */
    const spentAtMs: number[] = [];
    const expectGo = ({ Resources = [], Tags }: Tagging) => {
      const group = Tags.find(({ Key }) => Key === INSTANCE_TAGS.group)?.Value ?? '';
      const chosen = Resources.filter(
        (id) =>
          !marked.has(id) &&
          !isLaunchedBy(state, group, id) &&
          // What no longer runs its group replaces in any case.
          state.instances.get(id)?.state === 'running',
      );
      // It is for all that are outdated then: which of them is next may change until it is chosen.
      const nowMs = state.clock.now();
      const given = goes(state, 'before-batch');
      const good = given.filter((_, index) => nowMs - (spentAtMs[index] ?? nowMs) <= AT_ONCE_MS);
      for (const id of chosen) {
        // What is chosen as its roll's tags go leaves later without another.
        marked.add(id);
        const isLetGo = good.some(({ instances }) => instances.outdated.includes(id));
        if (isForward(state, group)) ledger.expect(9, isLetGo, () => `${id} was chosen without a go`);
      }
      if (chosen.length > 0) for (const index of given.keys()) spentAtMs[index] ??= nowMs;
      for (const { ResourceId = '' } of Tags.filter(isPassed)) {
        const isAllowed = goes(state, 'trial-passed').some((asked) => asked.group === ResourceId);
        ledger.expect(9, isAllowed, () => `the trial of ${ResourceId} passed without a go`);
      }
    };
    return (event) => {
      if (event.kind !== 'called' || !hasHook(state)) return;
      if (/^Create\w*Tags$/.test(event.operation)) expectGo(TAGGING.parse(event.input));
      // Without its mark it stays, and needs another go to leave.
      if (event.operation === 'DeleteTags')
        for (const id of TAGGING.parse(event.input).Resources ?? []) marked.delete(id);
    };
  },
};

/** The functions of a deployment are tagged as what they are. */
function hasHook({ functions }: State): boolean {
  return [...functions.values()].some(({ tags }) => tags === undefined);
}

/** What the roll launched and gives back is no batch. */
function isLaunchedBy({ groups, instances }: State, name: string, id: string): boolean {
  const [began = ''] = groups.get(name)?.tags.get(GROUP_TAGS.startedAt)?.value.split(' ') ?? [];
  return (instances.get(id)?.launchedAtMs ?? 0) > Date.parse(began);
}

function isPassed({ Key, Value = '' }: Tagging['Tags'][number]): boolean {
  return Key === GROUP_TAGS.canary && Value.startsWith('passed');
}

function isForward({ groups }: State, name: string): boolean {
  return groups.get(name)?.tags.get(GROUP_TAGS.course)?.value.startsWith('forward') ?? false;
}

function goes({ functions }: State, stage: string) {
  const asked = [...functions.values()].flatMap(({ events, answers }) =>
    events.filter((_, index) => GO.safeParse(answers[index]).success),
  );
  return asked.map((event) => ASKED.parse(event)).filter((each) => each.stage === stage);
}
