import type { Logger } from '@aws-lambda-powertools/logger';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { HELD_BACK_DAYS_FIELD, REQUESTED_BY_TAG_FIELD, UNTRUSTED_TAGS_FIELD } from '../../lambda/contract.ts';
import type { GroupDecision } from '../../lambda/core/group-decision.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { loggedJournal } from '../../lambda/journal.ts';
import { CODE, HOME, quickApp, template } from './deployment.ts';

const NOW = new Date('2026-01-15T12:00:00Z');
const clock = { now: () => NOW, sleep: async () => {} };

/**
 * The last line that the journal writes for a group; its roll began an hour before, unless it didn't begin.
 */
function lineOf(
  state: GroupResult['state'],
  startedAt: Date | undefined,
  more: Partial<GroupResult> = {},
): Record<string, unknown> {
  const lines: Record<string, unknown>[] = [];
  const logger = { info: (message: string, rest: object) => lines.push({ message, ...rest }) };
  const journal = loggedJournal(logger as unknown as Logger, clock);
  const group = { name: 'web', roll: startedAt && { startedAt } };
  const decision = { kind: 'blocked', reason: { code: 'group-deleting' } };
  journal.decided('web', { assessment: { group, obstacle: '' }, decision } as unknown as GroupDecision);
  journal.concluded([{ cluster: 'web', group: 'web', state, ...more } as GroupResult]);
  return lines.at(-1) ?? {};
}

/**
 * The patterns of the metric filters. In those that we use all terms must hold, and of each term any
 * comparison.
 */
const patterns = Object.values(template().findResources('AWS::Logs::MetricFilter')).map(({ Properties }) =>
  String(Properties.FilterPattern),
);

function matches(pattern: string, line: Record<string, unknown>): boolean {
  return pattern.split(' && ').every((term) => term.split(' || ').some((each) => holds(each, line)));
}

function holds(comparison: string, line: Record<string, unknown>): boolean {
  const [, field, absent, text, least] =
    /\$\.(\w+) (?:(NOT EXISTS)|= "([^"]*)"|>= (\d+))/.exec(comparison) ?? [];
  if (field === undefined) throw new Error(`No comparison of ours: ${comparison}`);
  const value = line[field];
  if (absent) return value === undefined;
  return text === undefined ? Number(value) >= Number(least) : value === text;
}

const matching = (line: Record<string, unknown>) => patterns.filter((pattern) => matches(pattern, line));
const AN_HOUR_AGO = new Date(NOW.getTime() - 3_600_000);

describe("metrics of the function's closing log lines count", () => {
  const keys = ['ecs-ami-deploy-image', 'ecs-ami-deploy-held'];

  test('every tag without a valid seal', () => {
    const line = lineOf('skipped', undefined, { untrusted: [{ kind: 'group', resource: 'web', keys }] });
    expect(matching(line)).toEqual([expect.stringContaining('untrustedTags >= 1')]);
    expect(line[UNTRUSTED_TAGS_FIELD]).toBe(2);
  });

  test('an abort or rollback requested by a tag', () => {
    const line = lineOf('rolled-back', undefined, { requestedByTag: true });
    expect(matching(line)).toEqual([expect.stringContaining('requestedByTag >= 1')]);
    expect(line[REQUESTED_BY_TAG_FIELD]).toBe(1);
  });

  test('the days a group has missed an image, zero included', () => {
    const line = { ...lineOf('skipped', undefined), [HELD_BACK_DAYS_FIELD]: 0 };
    expect(matching(line)).toEqual([expect.stringContaining('heldBackDays >= 0')]);
  });
});

describe("the function's closing log lines", () => {
  test.each(['blocked', 'paused'] as const)(
    'one of a group that is %s counts for the alarm on these until the roll has begun',
    (state) => {
      expect(matching(lineOf(state, undefined))).toEqual([expect.stringContaining(`result: ${state}`)]);
    },
  );

  test.each(['blocked', 'paused', 'in-progress', 'failed'] as const)(
    'one of a roll that is %s has its age',
    (state) => {
      expect(matching(lineOf(state, AN_HOUR_AGO))).toEqual([
        expect.stringContaining('rolloutAgeSeconds >= 0'),
      ]);
    },
  );

  test.each(['up-to-date', 'completed', 'skipped'] as const)(
    'one of a group that is %s counts for none',
    (state) => {
      expect(matching(lineOf(state, undefined))).toEqual([]);
    },
  );
});

test("the beginnings of the alarms' names tell them apart", () => {
  const stack = new EcsAmiDeployStack(quickApp({ clusters: 'web' }), 'EcsAmiDeploy', { ...HOME, code: CODE });
  const names = Object.keys(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
  expect(names.map((name) => /^\w+?Alarm/.exec(name)?.[0]).sort()).toEqual([
    'BlockedAlarm',
    'ErrorsAlarm',
    'FailuresAlarm',
    'HeldBackAlarm',
    'RequestByTagAlarm',
    'RolloutAlarm',
    'UntrustedTagsAlarm',
  ]);
});
