import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { Stage } from './stage.ts';

export const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:approvals';

/** What people do who are asked; nothing if undefined. */
export type Answer = 'approve' | 'refuse' | undefined;

const THINKING_SECONDS = 70;

/** What people have approved, and what the group's tag said when an instance was chosen without. */
export const approvals = { given: new Set<string>(), lacking: [] as string[] };

export function addTopic({ state }: World): void {
  state.topics.set(TOPIC, { arn: TOPIC, notifications: [], subscribers: [] });
}

export const published = ({ state }: World) => state.topics.get(TOPIC)?.notifications ?? [];

export const questionIn = (message: string) => /approve ([0-9a-f]{8})/.exec(message)?.[1] ?? '';

/** The last question's. */
export const questionOf = (world: World) => questionIn(published(world).at(-1)?.message ?? '');

export const noteOn = ({ state }: World) => state.groups.get('demo-ecs')?.tags.get(GROUP_TAGS.hook)?.value;

/**
 * Somebody who subscribes to the topic, and answers after a while.
 *
 * @param answer gets what they read, and how much came before, this included
 */
export function answering(answer: (message: string, times: number) => Answer) {
  return ({ world, clock, order }: Stage): void => {
    world.state.topics.get(TOPIC)?.subscribers.push(({ message }) => {
      const action = answer(message, published(world).length);
      const question = questionIn(message);
      if (action === undefined) return;
      void clock.sleep(THINKING_SECONDS).then(() => {
        if (action === 'approve') approvals.given.add(question);
        return order({ action, question });
      });
    });
    world.subscribe((event) => {
      if (event.kind !== 'called' || event.operation !== 'CreateTags') return;
      const { Tags = [] } = event.input as { readonly Tags?: readonly { readonly Key: string }[] };
      if (!Tags.some(({ Key }) => Key === INSTANCE_TAGS.terminate)) return;
      const [, stageAsked, key = '', said] = noteOn(world)?.split(' ') ?? [];
      // The trial's question follows the first batch, whose instance may be tagged once more.
      if (stageAsked === 'before-batch' && !(said === 'go' && approvals.given.has(key)))
        approvals.lacking.push(`${noteOn(world)}`);
    });
  };
}
