import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { SequenceStack, sequenceFromContext } from '../../infra/sequence-stack.ts';
import { CODE, HOME, quickApp, refused, variablesIn } from './deployment.ts';

const MEMBERS = [{ account: '222233334444' }];
const folder = mkdtempSync(join(tmpdir(), 'sequence-'));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const stackOf = (context: Readonly<Record<string, unknown>>) =>
  new SequenceStack(quickApp(context), 'EcsAmiDeploySequence', { ...HOME, code: CODE });
const faultsOf = (context: Readonly<Record<string, unknown>>) =>
  refused(() => sequenceFromContext(new Stack(quickApp(context), 'Context', HOME)));

describe('the app with -c sequence', () => {
  test('makes a stack of the sequence alone, whose outputs its members need', () => {
    const sequence = file('fleet.json', { stages: [{ name: 'all', members: MEMBERS, soakHours: 1 }] });
    const stack = stackOf({ sequence, clusters: 'web', logRetentionDays: '7', events: 'false' });
    expect(stack.stackName).toBe('ecs-ami-deploy-sequence');
    const template = Template.fromStack(stack);
    template.hasOutput('TableArn', { Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('Table'), 'Arn'] } });
    template.hasOutput('FunctionName', { Value: { Ref: Match.stringLikeRegexp('Function') } });
    template.resourceCountIs('AWS::Lambda::Function', 1);
    template.hasResourceProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
    const { SEQUENCE, EVENT_BUS } = variablesIn(template, 'sequence.sequence');
    expect(EVENT_BUS).toBeUndefined();
    expect(JSON.parse(String(SEQUENCE))).toMatchObject({
      stages: [{ name: 'all', members: MEMBERS, soakHours: 1 }],
    });
  });

  test('is refused with what is wrong with the file and the keys, at once', () => {
    const sequence = file('wrong.json', { stages: [{ name: 'all', members: MEMBERS, soakHour: -1 }] });
    expect(faultsOf({ sequence, alarmTopicArm: 'x', logRetentionDays: '8', clusters: 7 })).toEqual([
      "alarmTopicArm isn't a setting; did you mean alarmTopicArn?",
      expect.stringMatching(/^logRetentionDays was "8"; it may be a number of days/),
      `${sequence}: stages[0].soakHour isn't a key of a stage; did you mean soakHours?`,
    ]);
  });

  test('is refused with an alarm topic of another Region, by its key', () => {
    const sequence = file('right.json', { stages: [{ name: 'all', members: MEMBERS }] });
    const alarmTopicArn = 'arn:aws:sns:us-east-1:111122223333:on-call';
    expect(faultsOf({ sequence, alarmTopicArn })).toEqual([
      expect.stringMatching(/^alarmTopicArn was .*; it may be a topic in eu-west-1/),
    ]);
    expect(faultsOf({ sequence })).toEqual([]);
  });

  test('is refused without a file that can be read', () => {
    expect(faultsOf({ sequence: '' })).toEqual([
      'sequence was ""; it may be the path of a file with stages as JSON',
    ]);
    expect(faultsOf({ sequence: join(folder, 'none.json') })).toEqual([
      expect.stringMatching(/^sequence was ".*none\.json"; it may be the path of .*: ENOENT/),
    ]);
    const sequence = file('text.json', 'stages: all');
    expect(faultsOf({ sequence })).toEqual([expect.stringMatching(/text\.json: it isn't JSON: /)]);
  });
});
