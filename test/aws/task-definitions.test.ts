import { DescribeTaskDefinitionCommand, ECSClient } from '@aws-sdk/client-ecs';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeTaskDefinition } from '../../lambda/aws/task-definitions.ts';
import { mocked } from './mocked.ts';

const ecs = mocked(ECSClient);
const aws = createAws({ region: 'eu-west-1' });

test.each([
  ['2', 2],
  ['ALL', 1],
])('a container with %s GPUs needs an instance with at least %i', async (value, gpus) => {
  const containerDefinitions = [{ resourceRequirements: [{ type: 'GPU' as const, value }] }];
  ecs.on(DescribeTaskDefinitionCommand).resolves({ taskDefinition: { containerDefinitions } });
  const read = await describeTaskDefinition(aws, 'train:1');
  expect(read).toMatchObject({ kind: 'read', answer: { resources: { gpus } } });
});
