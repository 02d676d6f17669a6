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
  instances: z.object({ next: z.array(z.string()), outdated: z.array(z.string()) }),
});
const GO = z.object({ answer: z.literal('go') });

/** 9. Where there is a hook, no batch begins and no trial passes without its go. */
export const askedFirst: OwnInvariant = {
  number: 9,
  title: 'a hook has its say',
  watch({ state }, ledger) {
    const marked = new Set<string>();
    const expectGo = ({ Resources = [], Tags }: Tagging) => {
      const group = Tags.find(({ Key }) => Key === INSTANCE_TAGS.group)?.Value ?? '';
      const before = new Set(marked);
      for (const id of isForward(state, group) ? Resources.filter((each) => !marked.has(each)) : []) {
        marked.add(id);
        ledger.expect(9, isLetGo(state, id, before), () => `${id} was chosen without a go`);
      }
      for (const { ResourceId = '' } of Tags.filter(isPassed)) {
        const isAllowed = goes(state, 'trial-passed').some((asked) => asked.group === ResourceId);
        ledger.expect(9, isAllowed, () => `the trial of ${ResourceId} passed without a go`);
      }
    };
    return (event) => {
      const isTagging = event.kind === 'called' && /^Create\w*Tags$/.test(event.operation);
      if (isTagging && state.functions.size > 0) expectGo(TAGGING.parse(event.input));
    };
  },
};

/** A go is for the members that are outdated then: which of them is next may change until it is chosen. */
function isLetGo(state: State, id: string, marked: ReadonlySet<string>): boolean {
  const questions = goes(state, 'before-batch').map(({ instances }) => instances);
  const last = questions.at(-1)?.outdated ?? [];
  const isOfLast = last.includes(id) && !last.some((each) => marked.has(each));
  return isOfLast || questions.some(({ next }) => next.includes(id));
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
