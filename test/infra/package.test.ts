import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/**
 * Like the CDK app of another project, in plain JavaScript. Node resolves the package's own name by its
 * `exports`.
 */
const APP = `
  const stack = new Stack(new App(), 'Platform');
  const { function: deployed } = new EcsAmiDeploy(stack, 'Rollout', { clusters: [CfnCluster.fromClusterName(stack, 'Web', 'web')] });
  const { Properties } = Object.values(stack._toCloudFormation().Resources).find(
    ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties.Handler === 'index.handler',
  );
  console.log(Properties.Handler, Properties.Code.S3Key === undefined ? 'no bundle' : 'bundle');
`;

/** Jest, which runs the tests of a stock CDK app, can only `require`: Node's own option has it fail alike. */
const BY = {
  import: `import { App, Stack } from 'aws-cdk-lib'; import { CfnCluster } from 'aws-cdk-lib/aws-ecs'; import { EcsAmiDeploy } from 'ecs-ami-deploy';`,
  require: `const { App, Stack } = require('aws-cdk-lib'); const { CfnCluster } = require('aws-cdk-lib/aws-ecs'); const { EcsAmiDeploy } = require('ecs-ami-deploy');`,
} as const;

test.each([
  ['import', 'module'],
  ['require', 'commonjs'],
] as const)('the built package gives other CDK apps the construct and the bundle, by %s', (by, format) => {
  const args = ['--no-experimental-require-module', `--input-type=${format}`, '--eval', BY[by] + APP];
  const out = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(out.trim()).toBe('index.handler bundle');
});
