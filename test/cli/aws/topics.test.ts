import { GetTopicAttributesCommand, NotFoundException, SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { whyDeaf } from '../../../cli/aws/topics.ts';
import { mocked } from '../../aws/mocked.ts';

const sns = mocked(SNSClient);
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:chat';
const Service = 'events.amazonaws.com';
const RIGHT = { Effect: 'Allow', Principal: { Service }, Action: 'sns:Publish', Resource: TOPIC };

test.each([
  [true, 'its service', [RIGHT]],
  [true, 'a statement that stands alone', RIGHT],
  [true, 'one of several', [{ ...RIGHT, Effect: 'Deny' }, RIGHT]],
  [
    true,
    'one of several services',
    [{ ...RIGHT, Principal: { Service: ['budgets.amazonaws.com', Service] } }],
  ],
  [true, 'anybody', [{ ...RIGHT, Principal: '*', Action: ['SNS:Subscribe', 'SNS:Publish'] }]],
  [true, 'any account', [{ ...RIGHT, Principal: { AWS: '*' }, Action: 'sns:*' }]],
  [false, 'nobody', []],
  [false, 'another service', [{ ...RIGHT, Principal: { Service: 'cloudwatch.amazonaws.com' } }]],
  [false, 'another action', [{ ...RIGHT, Action: 'sns:Subscribe' }]],
  [false, 'only others', [{ ...RIGHT, Effect: 'Deny' }]],
  [
    false,
    'a condition',
    [{ ...RIGHT, Condition: { StringEquals: { 'aws:SourceAccount': '123456789012' } } }],
  ],
])('whether EventBridge may publish is %s by a policy of %s', async (may, _, statement) => {
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: statement });
  sns.on(GetTopicAttributesCommand, { TopicArn: TOPIC }).resolves({ Attributes: { Policy } });
  const why = await whyDeaf(TOPIC, new SNSClient({ region: 'eu-west-1' }));
  expect(why === undefined).toBe(may);
});

test('a topic that is gone hears nothing, and what may not be read is unknown', async () => {
  const client = new SNSClient({ region: 'eu-west-1' });
  sns.on(GetTopicAttributesCommand).rejectsOnce(new NotFoundException({ message: 'gone', $metadata: {} }));
  expect(await whyDeaf(TOPIC, client)).toBe('there is no such topic');
  sns.on(GetTopicAttributesCommand).rejects(new Error('not authorized'));
  await expect(whyDeaf(TOPIC, client)).rejects.toThrow('not authorized');
});
