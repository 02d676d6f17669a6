import { Duration } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { BeforeStage, StacksApart, WhenEmpty } from '../../infra/choices.ts';
import { jsonOf, propsOf, variableOf } from '../../infra/stages.ts';
import { parseSequence } from '../../lambda/settings/parse-sequence.ts';

const STAGE = {
  name: 'production',
  members: [{ account: '111122223333', regions: ['eu-west-1'], stacks: ['web-*'] }],
  maxConcurrent: 3,
  tolerate: 2,
  completeWithin: Duration.days(2),
  soakTime: Duration.minutes(90),
  first: ['web-canary'],
  apart: StacksApart.REGION,
  beforeStage: BeforeStage.APPROVAL,
  whenEmpty: WhenEmpty.PASS,
  quorum: 1,
};
const PROPS = { stages: [STAGE], haltsSiblings: false, silentAfter: Duration.hours(3) };

test('each prop of a sequence is in what the function reads', () => {
  expect(parseSequence(jsonOf(PROPS))).toEqual({
    stages: [
      {
        name: 'production',
        members: [{ account: '111122223333', regions: ['eu-west-1'], stacks: ['web-*'] }],
        maxConcurrent: 3,
        tolerate: 2,
        completeWithinHours: 48,
        soakHours: 1.5,
        first: ['web-canary'],
        apart: 'region',
        beforeStage: 'approval',
        whenEmpty: 'pass',
        quorum: 1,
      },
    ],
    haltsSiblings: false,
    silentAfterHours: 3,
  });
});

test.each([PROPS, { stages: [{ name: 'all', members: [{ account: '111122223333' }] }] }])(
  'what a file says is the same by way of props',
  (props) => {
    const parsed = parseSequence(jsonOf(props));
    expect(parseSequence(jsonOf(propsOf(parsed)))).toEqual(parsed);
  },
);

test('a person can read it in the environment as long as it is short', () => {
  expect(variableOf(PROPS)).toBe(jsonOf(PROPS));
});
