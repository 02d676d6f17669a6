import { expect, test } from 'vitest';
import { endOfArn } from '../../../lambda/core/model/end-of-arn.ts';

test.each([
  ['arn:aws:ecs:eu-west-1:1:task/web/1', '1'],
  ['arn:aws:ecs:eu-west-1:1:task/1', '1'],
  ['arn:aws:ecs:eu-west-1:1:capacity-provider/FARGATE', 'FARGATE'],
  ['FARGATE', 'FARGATE'],
])('%s ends with %s', (arn, end) => {
  expect(endOfArn(arn)).toBe(end);
});
