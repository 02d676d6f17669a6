import { GetTopicAttributesCommand, PublishCommand } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import type { Call } from '../../account/call.ts';
import { virtualClock } from '../../clock/clock.ts';
import { checksOf } from '../../iam/context.ts';
import { directCalls } from '../direct-calls.ts';
import { resourceFacts } from '../resource-facts.ts';
import { createWorld } from '../world.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:approvals';

function setUp() {
  const world = createWorld({ clock: virtualClock(START), seed: 1 });
  const told: string[] = [];
  const subscribers = [({ message }: { readonly message: string }) => void told.push(message)];
  world.state.topics.set(TOPIC, { arn: TOPIC, notifications: [], subscribers });
  const call = directCalls(world);
  return {
    world,
    told,
    attributes: (arn = TOPIC) => call(GetTopicAttributesCommand, { TopicArn: arn }).Attributes,
    publish: (input: object) =>
      call(PublishCommand, { TopicArn: TOPIC, Message: 'May it go on?', ...input } as never),
    published: () => world.state.topics.get(TOPIC)?.notifications ?? [],
  };
}

test('a topic takes messages, in their order, and tells its subscribers', () => {
  const { publish, published, told } = setUp();
  const first = publish({ Subject: 'A question' });
  const second = publish({ Message: 'Or not?' });
  expect(first.MessageId).not.toBe(second.MessageId);
  expect(published()).toMatchObject([
    { subject: 'A question', message: 'May it go on?', atMs: START },
    { message: 'Or not?' },
  ]);
  expect(told).toEqual(['May it go on?', 'Or not?']);
});

test.each([
  ['a topic that is not there', { TopicArn: `${TOPIC}-2` }, 'does not exist'],
  ['what is no topic', { TopicArn: 'approvals' }, 'TopicArn'],
  ['no message', { Message: '' }, 'Empty message'],
  ['a message that is too long', { Message: 'x'.repeat(262_145) }, 'Message too long'],
  ['a subject that is too long', { Subject: 'x'.repeat(100) }, 'Subject'],
  ['a subject of two lines', { Subject: 'one\ntwo' }, 'Subject'],
  ['a subject that is not ASCII', { Subject: 'für dich' }, 'Subject'],
])('refuses %s', (_, input, says) => {
  const { publish, published } = setUp();
  expect(() => publish(input)).toThrow(says);
  expect(published()).toEqual([]);
});

test('a topic tells its policy, which is what a new one has until it gets another', () => {
  const { world, attributes } = setUp();
  expect(attributes()).toMatchObject({
    TopicArn: TOPIC,
    Policy: expect.stringContaining('"Condition":{"StringEquals":{"AWS:SourceAccount":"123456789012"}}'),
  });
  world.state.topics.set(TOPIC, { arn: TOPIC, policy: '{}', notifications: [], subscribers: [] });
  expect(attributes()).toMatchObject({ Policy: '{}' });
  expect(() => attributes(`${TOPIC}-2`)).toThrow('does not exist');
});

test('Publish asks IAM for the topic', () => {
  const call = { service: 'sns', operation: 'Publish', input: { TopicArn: TOPIC } } as Call;
  expect(checksOf(call, resourceFacts(setUp().world))).toMatchObject([
    { action: 'sns:Publish', resource: TOPIC },
  ]);
});
