import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../infra/nearest.ts';
import { parseSequence, SequenceError } from '../../lambda/settings/parse-sequence.ts';

const STAGING = { name: 'staging', members: [{ account: '111122223333' }] };
const PRODUCTION = { name: 'production', members: [{ account: '444455556666' }] };

const parse = (value: unknown) => parseSequence(JSON.stringify(value), nearest);

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SequenceError) return error.faults;
    throw error;
  }
  return [];
}

const faultsIn = (value: unknown) => faultsOf(() => parse(value));
const faultsOfStage = (stage: object) => faultsIn({ stages: [{ ...STAGING, ...stage }] });

describe('a sequence', () => {
  test('has defaults for all but the names and members of its stages', () => {
    expect(parse({ stages: [STAGING] })).toEqual({
      stages: [
        {
          ...STAGING,
          maxConcurrent: 1,
          tolerate: 0,
          completeWithinHours: 72,
          soakHours: 24,
          whenEmpty: 'hold',
          quorum: 1,
        },
      ],
      haltsSiblings: true,
      silentAfterHours: 6,
    });
  });

  test('is what it is given', () => {
    const given = {
      stages: [
        {
          name: 'Staging 1',
          members: [
            { account: '111122223333', regions: ['eu-west-1', 'us-gov-east-1'], stacks: ['web-*', '*'] },
            { account: '444455556666' },
          ],
          maxConcurrent: 3,
          tolerate: 2,
          completeWithinHours: 1.5,
          soakHours: 0,
          first: ['web-canary'],
          apart: 'region',
          beforeStage: 'approval',
          whenEmpty: 'pass',
          quorum: 2,
        },
      ],
      haltsSiblings: false,
      silentAfterHours: 720,
    };
    expect(parse(given)).toEqual(given);
  });

  test.each([
    ['{', /^it isn't JSON: /],
    ['[]', /^the sequence was \[\]; it may be an object with stages, haltsSiblings, silentAfterHours$/],
    ['null', /^the sequence was null; it may be an object/],
    ['{}', /^stages was missing; it may be one or more objects/],
    ['{"stages":[]}', /^stages was \[\]; it may be one or more objects/],
    ['{"stages":[7]}', /^stages\[0\] was 7; it may be an object with name, members, maxConcurrent/],
  ])('may not be %s', (text, fault) => {
    expect(faultsOf(() => parseSequence(text))).toEqual([expect.stringMatching(fault)]);
  });

  test('is refused with every fault at once', () => {
    expect(
      faultsIn({
        stages: [
          { ...STAGING, soakHour: 5, members: [] },
          { ...PRODUCTION, name: 'staging', soakHours: -1, members: [{ account: 111_122_223_333 }] },
        ],
        silentAfterHours: '6',
        colour: 'blue',
      }),
    ).toEqual([
      "colour isn't a key of the sequence; there are stages, haltsSiblings, silentAfterHours",
      "stages[0].soakHour isn't a key of a stage; did you mean soakHours?",
      'stages[0].members was []; it may be one or more objects, each with account, regions, stacks',
      'stages[1].members[0].account was 111122223333; it may be an account id of 12 digits, in quotes',
      'stages[1].soakHours was -1; it may be a number of hours from 0 to 8760',
      'silentAfterHours was "6"; it may be a number of hours from 1 to 720',
      'stages[1].name was "staging"; it may be another than that of stages[0]',
    ]);
  });

  test('says in the error what is wrong', () => {
    expect(() => parse({ stages: [{ ...STAGING, quorum: 0 }] })).toThrow(
      'The sequence is not usable: stages[0].quorum was 0; it may be a whole number from 1 to 10000',
    );
  });

  test('lets no more stacks of a stage roll at once than there is room to remember', () => {
    expect(faultsIn({ stages: [{ ...STAGING, maxConcurrent: 500, tolerate: 10_000 }] })).toEqual([]);
    expect(faultsIn({ stages: [{ ...STAGING, maxConcurrent: 501 }] })).toEqual([
      'stages[0].maxConcurrent was 501; it may be a whole number from 1 to 500',
    ]);
  });

  test('has no stage of which an earlier one has the whole account', () => {
    const some = { name: 'some', members: [{ account: '111122223333', stacks: ['web-*'] }] };
    expect(faultsIn({ stages: [some, STAGING] })).toEqual([]);
    expect(faultsIn({ stages: [STAGING, some] })).toEqual([
      'stages[1].members[0] names account 111122223333, of which stages[0].members[0] has all',
    ]);
  });
});

describe('a stage', () => {
  test.each(['', ' staging', 'stag\u0007ing', 'Größe', 'a'.repeat(65), '__proto__'])(
    'may not be called %j',
    (name) => {
      expect(faultsOfStage({ name })).toEqual([expect.stringMatching(/^stages\[0\]\.name was "/)]);
    },
  );

  test.each(['1', 'eu west', 'prod-eu_1.0'])('may be called %j', (name) => {
    expect(faultsOfStage({ name })).toEqual([]);
  });

  test('asks no more accounts for proof than it has', () => {
    const members = [{ account: '111122223333', stacks: ['a'] }, ...STAGING.members, ...PRODUCTION.members];
    expect(faultsOfStage({ members, quorum: 2 })).toEqual([]);
    expect(faultsOfStage({ members, quorum: 3 })).toEqual([
      "stages[0].quorum was 3; it may be no more than the stage's accounts, 2",
    ]);
  });

  test.each([
    ['maxConcurrent', 0],
    ['maxConcurrent', 1.5],
    ['tolerate', -1],
    ['completeWithinHours', 0],
    ['soakHours', 8761],
    ['first', []],
    ['first', ['web prod']],
    ['apart', 'account'],
    ['beforeStage', true],
    ['whenEmpty', 'skip'],
    ['members', [{ account: '11112222333' }]],
    ['members', [{ account: '111122223333', regions: ['eu-west'] }]],
    ['members', [{ account: '111122223333', regions: [] }]],
    ['members', [{ account: '111122223333', stacks: ['a#b'] }]],
    ['members', [{ acount: '111122223333', account: '111122223333' }]],
  ])('may not have %s %j', (key, value) => {
    expect(faultsOfStage({ [key]: value })).toEqual([
      expect.stringMatching(new RegExp(`^stages\\[0\\]\\.${key}\\b`)),
    ]);
  });

  test('is told of in few words, however much it was', () => {
    const [fault = ''] = faultsOfStage({ name: 'x'.repeat(100_000) });
    expect(fault.length).toBeLessThan(200);
  });
});

test('keys that JSON takes and objects treat apart are unknown like others', () => {
  const text = `{"stages":[${JSON.stringify(STAGING)}],"__proto__":{"haltsSiblings":false}}`;
  expect(faultsOf(() => parseSequence(text))).toEqual([
    "__proto__ isn't a key of the sequence; there are stages, haltsSiblings, silentAfterHours",
  ]);
});

test('docs/settings.md has a row for each key, with its default', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)`<br>`\w+: [^`]+` \| `?([\w]+)`? \|/gm)].map(
    ([, key, otherwise]) => [key, otherwise],
  );
  const { stages, ...whole } = parse({ stages: [STAGING] });
  const defaults = { ...stages[0], ...whole, stages: 'required', name: 'required', members: 'required' };
  const without = Object.fromEntries(['first', 'apart', 'beforeStage'].map((key) => [key, 'none']));
  const expected = Object.entries({ ...defaults, ...without }).map(([key, value]) => [key, String(value)]);
  expect(rows.filter(([key]) => key !== 'code').sort()).toEqual(expected.sort());
});
