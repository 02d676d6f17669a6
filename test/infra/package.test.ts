import { execFileSync, spawnSync } from 'node:child_process';
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

const FORMATS = [
  ['import', 'module'],
  ['require', 'commonjs'],
] as const;

test.each(FORMATS)(
  'the built package gives other CDK apps the construct and the bundle, by %s',
  (by, format) => {
    const args = ['--no-experimental-require-module', `--input-type=${format}`, '--eval', BY[by] + APP];
    const out = execFileSync(process.execPath, args, { encoding: 'utf8' });
    expect(out.trim()).toBe('index.handler bundle');
  },
);

test.each(FORMATS)(
  'an app of others with a mistake ends with the list of what to mend alone, by %s',
  (by, format) => {
    const mistaken = `new EcsAmiDeploy(new Stack(new App(), 'Platform'), 'Rollout', { clusters: [] });`;
    const args = ['--no-experimental-require-module', `--input-type=${format}`, '--eval', BY[by] + mistaken];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stderr).toMatch(
      /^\W*DeploymentError: This can't be deployed:\n {2}- clusters was \[\]; [^\n]+\n+Node\.js v\S+\s*$/,
    );
    expect(status).toBe(1);
  },
);
