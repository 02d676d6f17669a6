import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { expect, test } from 'vitest';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { CODE, deployment, HOME } from './deployment.ts';
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
      /EC2, unless you list\n.* instanceRoles \(instanceRoleArns after -c\)\n {2}- write .*\n.* launchTemplates \(launchTemplateIds after -c\)\n \[ack: ecs-ami-deploy:wideRights\]$/,
    ),
  ]);
  const lines = warnings().flatMap((each) => each.split('\n'));
  expect(lines).toContain(
    '    the groups that it may roll in autoScalingGroups (autoScalingGroupNames after -c)',
  );
  for (const line of lines) expect(line.length).toBeLessThan(120);
});

test('warns about the one prop that is left out if the others narrow the role', () => {
  const left = (props: Parameters<typeof deployment>[0]) => warnings(props).map(propsNamed);
  expect(left({ ...scalingGroups, ...templates })).toEqual([['instanceRoles']]);
  expect(left({ ...instances, ...templates })).toEqual([['autoScalingGroups']]);
  expect(left({ ...scalingGroups, ...instances })).toEqual([['launchTemplates']]);
});

const propsNamed = (text: string) => text.match(/autoScalingGroups|instanceRoles|launchTemplates/g);

test('warns once in an app of what holds of several stacks', () => {
  const { app } = deployment();
  const other = new Stack(app, 'Other', HOME);
  new EcsAmiDeploy(other, 'Rollout', {
    clusters: [CfnCluster.fromClusterName(other, 'Web', 'web')],
    code: CODE,
  });
  expect(Annotations.fromStack(other).findWarning('*', Match.anyValue())).toEqual([]);
});

test('warns about nothing if all are set', () => {
  expect(warnings({ ...scalingGroups, ...instances, ...templates })).toEqual([]);
});
