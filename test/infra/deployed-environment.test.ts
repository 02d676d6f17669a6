import { Template } from 'aws-cdk-lib/assertions';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { describe, expect, test } from 'vitest';
import type { EcsAmiDeployProps } from '../../infra/props.ts';
import { deployment, faultsOf } from './deployment.ts';
import { autoScalingGroups, clusters } from './imported.ts';

const HANDLER = 'index.handler';

/** The function that rolls, and the logical id of its version. */
function rolling(change: Parameters<typeof deployment>[0]) {
  const synthesized = Template.fromStack(deployment(change).stack);
  const functions = synthesized.findResources('AWS::Lambda::Function', { Properties: { Handler: HANDLER } });
  const [created] = Object.values(functions);
  const [version] = Object.keys(synthesized.findResources('AWS::Lambda::Version'));
  return { version, properties: created?.Properties };
}

describe('the environment', () => {
  const groups = (count: number): Partial<EcsAmiDeployProps> => ({
    groups: autoScalingGroups(
      ...Array.from({ length: count }, (_, index) => `${index}-`.padEnd(80, 'x')),
    ).map((autoScalingGroup) => ({ autoScalingGroup })),
  });

  test('that Lambda would refuse is refused, with what is long in it', () => {
    expect(faultsOf(groups(60))).toEqual([
      expect.stringMatching(
        /^the environment of a function has \d{4} characters, and Lambda takes 4096; GROUPS has 4861 of them: list less there, or deploy several stacks$/,
      ),
    ]);
  });

  test('may have all the characters that Lambda takes', () => {
    const lengthOf = (count: number) =>
      JSON.stringify(rolling(groups(count)).properties.Environment.Variables).length;
    expect(lengthOf(46)).toBeLessThan(4_096);
    expect(faultsOf(groups(46))).toEqual([]);
    expect(lengthOf(46) + 3 * 81).toBeGreaterThan(4_096);
    expect(faultsOf(groups(49))).toHaveLength(1);
  });

  test('may be longer where only CloudFormation knows the names, which may be short', () => {
    const many = faultsOf((stack) => ({
      clusters: Array.from({ length: 100 }, (_, index) => new CfnCluster(stack, `Cluster${index}`)),
    }));
    expect(many).toEqual([]);
  });
});

describe('a function whose cluster is named in text, and then by a reference', () => {
  const text = { clusters: clusters('web') };
  const reference = rolling((stack) => ({
    clusters: [new CfnCluster(stack, 'Cluster', { clusterName: 'web' })],
  }));

  test('gets a further version, for which Lambda finds it changed', () => {
    const before = rolling(text);
    expect(before.properties.Environment.Variables.CLUSTERS).toBe('web');
    expect(reference.properties.Environment.Variables.CLUSTERS).toEqual({ Ref: 'Cluster' });
    expect(reference.version).not.toBe(before.version);
    // For Lambda both environments are the same.
    expect(reference.properties.Description).not.toBe(before.properties.Description);
  });

  test('gets none where nothing of it is written anew', () => {
    expect(rolling(text)).toEqual(rolling(text));
  });
});
