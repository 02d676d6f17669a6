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

/** Which group asks, and by what. */
export function askedIn(message: string): { readonly group: string; readonly question: string } {
  const [, group = '', question = ''] = / approve (\S+) ([0-9a-f]{8})$/m.exec(message) ?? [];
  return { group, question };
}

/** The last question's. */
export const questionOf = (world: World) => askedIn(published(world).at(-1)?.message ?? '').question;

export const noteOn = ({ state }: World, group = 'demo-ecs') =>
  state.groups.get(group)?.tags.get(GROUP_TAGS.hook)?.value;

/**
 * Somebody who subscribes to the topic, and answers after a while.
 *
 * @param answer gets what they read, and how much came before, this included
 */
export function answering(answer: (message: string, times: number) => Answer) {
  return ({ world, clock, order }: Stage): void => {
    world.state.topics.get(TOPIC)?.subscribers.push(({ message }) => {
      const action = answer(message, published(world).length);
      const asked = askedIn(message);
      if (action === undefined) return;
      void clock.sleep(THINKING_SECONDS).then(() => {
        if (action === 'approve') approvals.given.add(asked.question);
        return order({ action, ...asked });
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
