import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { askPeople } from '../../lambda/aws/topics.ts';
import { QUESTION } from '../core/hooks/people.ts';
import { mocked } from './mocked.ts';

const sns = mocked(SNSClient);
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:approvals';

test('a topic gets a subject and a message', async () => {
  sns.on(PublishCommand).resolves({ MessageId: '1' });
  await askPeople(createAws({ region: 'eu-west-1' }), TOPIC, { cluster: 'web', group: 'web-ecs' }, QUESTION);
  expect(sns.commandCalls(PublishCommand).map(({ args: [{ input }] }) => input)).toEqual([
    {
      TopicArn: TOPIC,
      Subject: 'Approve the next batch? web/web-ecs',
      Message: expect.stringContaining('ecs-ami-deploy --region eu-west-1 approve web-ecs 00c0ffee'),
    },
  ]);
});
