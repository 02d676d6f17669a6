import { expect, test } from 'vitest';
import { jsonLength, LONGEST, SHORTEST, USUAL } from '../../infra/policy-length.ts';

const ARN = {
  'Fn::Join': [
    '',
    ['arn:', { Ref: 'AWS::Partition' }, ':ecs:', { Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }],
  ],
};

test.each([
  [{ Action: 'ec2:CreateTags', Resource: ['*', 'a'], Condition: { Null: { 'aws:TagKeys': 'false' } } }],
  [{ Statement: [], quoted: 'say "web"', yes: true, count: 12, nothing: null }],
  [[]],
])('is that of the JSON: %j', (value) => {
  for (const guess of [LONGEST, SHORTEST])
    expect(jsonLength(value, guess)).toBe(JSON.stringify(value).length);
});

test('leaves out what is undefined, as JSON does', () => {
  expect(jsonLength({ Action: 'a', Condition: undefined }, USUAL)).toBe('{"Action":"a"}'.length);
});

test.each([
  [LONGEST, '"arn:aws-us-gov:ecs:us-isof-south-1:111122223333"'],
  [USUAL, '"arn:aws:ecs:ap-southeast-1:111122223333"'],
  [SHORTEST, '"arn:aws:ecs:us-east-1:111122223333"'],
])('has account, partition and Region at their own lengths: %j', (guess, text) => {
  expect(jsonLength(ARN, guess)).toBe(text.length);
});

test('has a name that only CloudFormation knows as long as one may be, or not at all', () => {
  expect(jsonLength({ Ref: 'Cluster' }, LONGEST)).toBe(255 + 2);
  expect(jsonLength({ Ref: 'Cluster' }, SHORTEST)).toBe(2);
  expect(jsonLength({ 'Fn::ImportValue': 'cluster' }, LONGEST)).toBe(255 + 2);
  expect(jsonLength({ 'Fn::Join': [',', ['web', { Ref: 'Cluster' }]] }, LONGEST)).toBe(
    'web,'.length + 255 + 2,
  );
});

test('has all that an ARN has besides its name', () => {
  const shortest = 'arn:aws:ecs:us-east-1:111122223333:cluster/';
  expect(jsonLength({ 'Fn::GetAtt': ['Cluster', 'Arn'] }, { ...SHORTEST, name: 0 })).toBe(
    shortest.replace('ecs:', 'logs:').replace('cluster/', 'log-group:').length + 2,
  );
});
