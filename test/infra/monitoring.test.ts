import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { EcsAmiDeployStack } from '../../infra/stack.ts';
import { METRIC_NAMESPACE } from '../../lambda/metric-names.ts';
import { CODE, HOME, quickApp } from './deployment.ts';

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html */
test('no alarm on what the function measures goes by a statistic that negative values of somebody else bring down', () => {
  const app = quickApp({ clusters: 'web', autoScalingGroupNames: 'web-ecs', terminations: true });
  const stack = new EcsAmiDeployStack(app, 'EcsAmiDeploy', { ...HOME, code: CODE });
  const alarms = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
  const own = alarms.filter(({ Properties }) => Properties.Namespace === METRIC_NAMESPACE);
  expect(own.length).toBeGreaterThan(3);
  expect(new Set(own.map(({ Properties }) => Properties.Statistic))).toEqual(new Set(['Maximum']));
});

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
