import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { askPeople } from '../../lambda/aws/topics.ts';
import { mocked } from './mocked.ts';

const sns = mocked(SNSClient);
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:approvals';
const NOON = new Date('2026-11-21T12:00:00.000Z');

test('a topic gets a subject and a message', async () => {
  sns.on(PublishCommand).resolves({ MessageId: '1' });
  await askPeople(
    createAws({ region: 'eu-west-1' }),
    TOPIC,
    { cluster: 'web', group: 'web-ecs' },
    {
      stage: 'before-batch',
      key: '00c0ffee',
      since: NOON,
      until: NOON,
      startedAt: NOON,
      attempt: 1,
      images: { from: ['ami-01d'], to: ['ami-7a2'] },
      replacements: [],
      outdated: ['i-2'],
      next: ['i-2'],
    },
  );
  expect(sns.commandCalls(PublishCommand).map(({ args: [{ input }] }) => input)).toEqual([
    {
      TopicArn: TOPIC,
      Subject: 'Approve the next batch? web/web-ecs',
      Message: expect.stringContaining('approve 00c0ffee --region eu-west-1'),
    },
  ]);
});
