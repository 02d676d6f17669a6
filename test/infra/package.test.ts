import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/**
 * Like the CDK app of another project, in plain JavaScript. Node resolves the package's own name by its
 * `exports`.
 */
const APP = `
  import { App, Stack } from 'aws-cdk-lib';
  import { EcsAmiDeploy } from 'ecs-ami-deploy';
  const stack = new Stack(new App(), 'Platform');
  const { function: deployed } = new EcsAmiDeploy(stack, 'Rollout', { clusters: ['web'] });
  const { Properties } = Object.values(stack._toCloudFormation().Resources).find(({ Type }) => Type === 'AWS::Lambda::Function');
  console.log(Properties.Handler, Properties.Code.S3Key === undefined ? 'no bundle' : 'bundle');
`;

test('the built package gives other CDK apps the construct and the bundle', () => {
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', APP], { encoding: 'utf8' });
  expect(out.trim()).toBe('index.handler bundle');
});
