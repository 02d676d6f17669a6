import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { deployment } from './deployment.ts';

/** What is warned of at synth. */
function warnings(props: Parameters<typeof deployment>[0] = {}): string[] {
  const { stack } = deployment(props);
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
}

const autoScalingGroupNames = ['web'];
const instanceRoleArns = ['arn:aws:iam::111122223333:role/instances'];

test('a role that may mark members of any group, and pass any role, is warned of by what narrows it', () => {
  expect(warnings()).toEqual([
    expect.stringMatching(/ autoScalingGroupNames\. \[ack: ecs-ami-deploy:anyGroup\]$/),
    expect.stringMatching(/ instanceRoleArns\. \[ack: ecs-ami-deploy:anyInstanceRole\]$/),
  ]);
});

test('of a role that is narrowed in one respect, the other is told', () => {
  expect(warnings({ autoScalingGroupNames })).toEqual([expect.stringContaining('anyInstanceRole')]);
  expect(warnings({ instanceRoleArns })).toEqual([expect.stringContaining('anyGroup')]);
});

test('nothing is warned of where both are named', () => {
  expect(warnings({ autoScalingGroupNames, instanceRoleArns })).toEqual([]);
});
