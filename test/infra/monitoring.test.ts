import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { CODE, HOME, quickApp } from './deployment.ts';

test("the beginnings of the alarms' names tell them apart", () => {
  const stack = new EcsAmiDeployStack(quickApp({ clusters: 'web' }), 'EcsAmiDeploy', { ...HOME, code: CODE });
  const names = Object.keys(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
  expect(names.map((name) => /^\w+?Alarm/.exec(name)?.[0]).sort()).toEqual([
    'BlockedAlarm',
    'ErrorsAlarm',
    'FailuresAlarm',
    'HeldBackAlarm',
    'ImageAgeAlarm',
    'LostEventsAlarm',
    'LostOrdersAlarm',
    'RequestByTagAlarm',
    'RolloutAlarm',
    'UntrustedTagsAlarm',
  ]);
});
