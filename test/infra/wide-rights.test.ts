import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { deployment } from './deployment.ts';
import { autoScalingGroups, launchTemplates, roles } from './imported.ts';

/** The warnings at synth. */
function warnings(props: Parameters<typeof deployment>[0] = {}): string[] {
  const { stack } = deployment(props);
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
}

const scalingGroups = { autoScalingGroups: autoScalingGroups('web') };
const templates = { launchTemplates: launchTemplates('lt-0123456789abcdef0') };
const instances = { instanceRoles: roles('arn:aws:iam::111122223333:role/instances') };

test('warns about a role that may tag members of any group, pass any role and write any template, and says what narrows it', () => {
  expect(warnings()).toEqual([
    expect.stringMatching(
      / autoScalingGroups \(autoScalingGroupNames after -c\)\. \[ack: ecs-ami-deploy:anyGroup\]$/,
    ),
    expect.stringMatching(
      / instanceRoles \(instanceRoleArns after -c\)\. \[ack: ecs-ami-deploy:anyInstanceRole\]$/,
    ),
    expect.stringMatching(
      / launchTemplates \(launchTemplateIds after -c\)\. \[ack: ecs-ami-deploy:anyLaunchTemplate\]$/,
    ),
  ]);
});

test('warns about the one prop that is left out if the others narrow the role', () => {
  expect(warnings({ ...scalingGroups, ...templates })).toEqual([expect.stringContaining('anyInstanceRole')]);
  expect(warnings({ ...instances, ...templates })).toEqual([expect.stringContaining('anyGroup')]);
  expect(warnings({ ...scalingGroups, ...instances })).toEqual([
    expect.stringContaining('anyLaunchTemplate'),
  ]);
});

test('warns about nothing if all are set', () => {
  expect(warnings({ ...scalingGroups, ...instances, ...templates })).toEqual([]);
});
