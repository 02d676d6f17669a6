import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../../lambda/core/placement/cluster-query.ts';
import { matches } from '../../../lambda/core/placement/cluster-query-match.ts';
import type { Place } from '../../../lambda/core/placement/place.ts';

const PLACE: Place = {
  instanceId: 'i-1',
  attributes: new Map([
    ['ecs.ami-id', 'ami-2'],
    ['ecs.instance-type', 'm5.large'],
    ['ecs.availability-zone', 'eu-central-1a'],
    ['stack', 'blue'],
    ['rank', '10'],
    ['ecs.capability.task-eni', ''],
  ]),
  guessed: new Set(['stack']),
  agentVersion: '1.9.0',
  registeredAt: new Date('2026-11-21T00:00:00Z'),
  resources: {},
};

/** The result of an expression; undefined if it can't be parsed. */
function told(expression: string, place: Partial<Place> = {}) {
  const query = parseQuery(expression);
  return query && matches(query, { ...PLACE, ...place });
}

describe('an expression of the cluster query language', () => {
  test.each([
    ['attribute:ecs.ami-id == ami-2', 'yes'],
    ['attribute:ecs.ami-id==ami-2', 'yes'],
    ['attribute:ecs.ami-id equals "ami-2"', 'yes'],
    ['attribute:ecs.ami-id != ami-2', 'no'],
    ['attribute:ecs.ami-id not_equals ami-1', 'yes'],
    ["attribute:ecs.availability-zone in [eu-central-1a, 'eu-central-1b']", 'yes'],
    ['attribute:ecs.availability-zone !in [eu-central-1a]', 'no'],
    ['attribute:ecs.availability-zone not_in [eu-central-1b]', 'yes'],
    ['attribute:ecs.capability.task-eni exists', 'yes'],
    ['attribute:gone exists', 'no'],
    ['attribute:gone !exists', 'yes'],
    ['attribute:gone not_exists', 'yes'],
    ['attribute:gone == blue', 'no'],
    ['attribute:ecs.instance-type =~ m5.*', 'yes'],
    ['attribute:ecs.instance-type matches t2.*', 'no'],
    ['attribute:ecs.instance-type !~ t2.*', 'yes'],
    ['attribute:ecs.instance-type =~ m..large', 'yes'],
    ['attribute:ecs.instance-type =~ .*5.*large.*', 'yes'],
    ['attribute:ecs.instance-type !~ .*xlarge', 'yes'],
    ['(attribute:ecs.instance-type =~ m5.*)', 'yes'],
    ['attribute:rank > 9', 'yes'],
    ['attribute:rank less_than_equal 9', 'no'],
    ['agentVersion >= 1.10.0', 'no'],
    ['agentVersion < 1.10', 'yes'],
    ['attribute:rank > 10', 'no'],
    ['attribute:rank >= 10', 'yes'],
    ['attribute:rank >= 11', 'no'],
    ['attribute:rank < 10', 'no'],
    ['attribute:rank <= 10', 'yes'],
    ['attribute:rank < 100', 'yes'],
    ['agentVersion > 1.9', 'no'],
    ['agentVersion >= 1.9', 'yes'],
    ['agentVersion < 1.9.0.1', 'yes'],
    ['agentVersion < 1.100.0', 'yes'],
    ['registeredAt < 2026-11-22', 'yes'],
    ['registeredAt < 2026-11-20', 'no'],
    ['registeredAt greater_than 2026-11-20', 'yes'],
    ['ec2InstanceId in [i-1,i-2]', 'yes'],
    ['not(attribute:gone exists)', 'yes'],
    ['!(attribute:rank == 10)', 'no'],
    ['attribute:rank == 10 and attribute:gone exists', 'no'],
    ['attribute:rank == 10 || attribute:gone exists && attribute:rank == 1', 'yes'],
    ['(attribute:rank == 10 or attribute:gone exists) && attribute:rank == 1', 'no'],
  ])('%s is %s', (expression, truth) => {
    expect(told(expression)).toBe(truth);
  });

  test.each([
    ['an attribute that may or may not come', 'attribute:stack == blue'],
    ['inequality to what is missing', 'attribute:gone != blue'],
    ['a pattern that matches a part', 'attribute:ecs.instance-type =~ m5'],
    ['a pattern that only Java knows', 'attribute:rank =~ (?i'],
    ['a pattern of alternatives', 'attribute:ecs.instance-type =~ (m5|c5)\\..*'],
    ['a pattern that repeats one letter', 'attribute:ecs.instance-type =~ m5.larg*'],
    ['a pattern that would take for ever', 'attribute:ecs.ami-id =~ ^((([a-z0-9-]+)+)+)+!'],
    ['the opposite of one', 'attribute:ecs.ami-id not_matches (a|a|a-)*b'],
    ['a comparison of words', 'attribute:ecs.ami-id > b'],
    ['a comparison of words with numbers in them', 'attribute:ecs.ami-id > ami-1'],
    ['a comparison of a word with the name of a month', 'registeredAt > may-2026'],
    ['a comparison of a word with another word of a number', 'attribute:ecs.ami-id > blue-5'],
    ['a comparison of a word with a digit', 'attribute:ecs.ami-id < 5'],
    ['a comparison of a number with a word', 'attribute:rank > x'],
    ['a comparison of a word with a number', 'attribute:ecs.instance-type > 5'],
    ['a comparison of a number with a version that begins with a letter', 'attribute:rank > v1'],
    [
      'a pattern of a class, wherever it is',
      'attribute:rank == 10 and attribute:ecs.instance-type =~ [a-z]5.*',
    ],
    ['a pattern that ends with a parenthesis of its own', 'attribute:ecs.instance-type =~ .*(large)'],
    ['a pattern with a parenthesis in it', 'attribute:rank =~ a)b'],
    ['how many tasks run', 'runningTasksCount < 3'],
    ['which tasks run', 'task:group == service:web'],
    ['the connection', 'agentConnected == true'],
  ])('%s is not guessed at', (_, expression) => {
    expect(told(expression)).toBe('unknown');
  });

  test('what is known decides if it is enough', () => {
    expect(told('attribute:stack == blue or attribute:rank == 10')).toBe('yes');
    expect(told('attribute:stack == blue and attribute:rank == 1')).toBe('no');
    expect(told('ec2InstanceId == i-1', { instanceId: undefined })).toBe('unknown');
  });

  test('may have blanks around it', () => {
    expect(told('  attribute:rank == 10  ')).toBe('yes');
  });

  test('has its quotes taken off only around a whole value', () => {
    const attributes = new Map([['half', 'a"b"']]);
    expect(told('attribute:half =~ a"b"', { attributes })).toBe('yes');
    expect(told('attribute:half =~ "a.b."', { attributes })).toBe('yes');
  });

  test('on when it was registered is not guessed at if ECS does not say', () => {
    expect(told('registeredAt > 2026-11-20', { registeredAt: undefined })).toBe('unknown');
  });

  test('is as long as ECS takes, and no longer', () => {
    expect(told('attribute:rank == 10'.padEnd(2000))).toBe('yes');
    expect(told('attribute:rank == 10'.padEnd(2001))).toBeUndefined();
  });

  test('opens a hundred parentheses and negations at most, and has any number of words', () => {
    expect(told(`${'!'.repeat(100)}attribute:rank == 10`)).toBe('yes');
    expect(told(`${'!'.repeat(101)}attribute:rank == 10`)).toBeUndefined();
    expect(told(Array.from({ length: 40 }, () => 'attribute:rank == 10').join(' or '))).toBe('yes');
  });

  test.each([
    '',
    'attribute:stack',
    'attribute:stack ==',
    'attribute:stack == blue green',
    '(attribute:stack == blue',
    'attribute:stack == blue)',
    'attribute:stack in blue',
    'attribute:stack in [blue',
    'attribute:stack is blue',
    'attribute:stack == blue and',
    'attribute:stack in []',
    'attribute:stack is and attribute:rank == 10',
    'attribute:rank == "10',
    '(attribute:rank =~ )',
    '"',
  ])('%j is not understood', (expression) => {
    expect(told(expression)).toBeUndefined();
  });
});
