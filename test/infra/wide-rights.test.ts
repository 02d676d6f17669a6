import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { deployment } from './deployment.ts';
import { autoScalingGroups, roles } from './imported.ts';

/** The warnings at synth. */
function warnings(props: Parameters<typeof deployment>[0] = {}): string[] {
  const { stack } = deployment(props);
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
}

const scalingGroups = { autoScalingGroups: autoScalingGroups('web') };
const instances = { instanceRoles: roles('arn:aws:iam::111122223333:role/instances') };

test('warns about a role that may tag members of any group and pass any role, and says what narrows it', () => {
  expect(warnings()).toEqual([
    expect.stringMatching(/ autoScalingGroups\. \[ack: ecs-ami-deploy:anyGroup\]$/),
    expect.stringMatching(/ instanceRoles\. \[ack: ecs-ami-deploy:anyInstanceRole\]$/),
  ]);
});

test('warns about the other prop if only one narrows the role', () => {
  expect(warnings(scalingGroups)).toEqual([expect.stringContaining('anyInstanceRole')]);
  expect(warnings(instances)).toEqual([expect.stringContaining('anyGroup')]);
});

test('warns about nothing if both are set', () => {
  expect(warnings({ ...scalingGroups, ...instances })).toEqual([]);
});
