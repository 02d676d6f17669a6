import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { App, Stack } from 'aws-cdk-lib';
import { ONE_AT_A_TIME, propsFromContext, SEQUENCE_KEY } from './context.ts';
import { DeploymentError, refuse } from './faults.ts';
import { SequenceStack, sequenceFromContext } from './sequence-stack.ts';
import { EcsAmiDeployStack } from './stack.ts';

const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
const env = { account, region };

try {
  process.stderr.write(`${whereTo()}\n`);
  // Before the build, which takes longer than all else: a typo is told at once.
  const context = new Stack(new App({ autoSynth: false }), 'Context', { env });
  const isSequence = context.node.tryGetContext(SEQUENCE_KEY) !== undefined;
  if (isSequence) sequenceFromContext(context);
  else if (propsFromContext(context).drainConcurrency === undefined)
    process.stderr.write(`${ONE_AT_A_TIME}\n`);
  const built = spawnSync('npm', ['run', '--silent', 'build', '--', '--quiet'], { stdio: ['ignore', 2, 2] });
  if (built.status !== 0) refuse(["the function wasn't built; `npm run build` says why"]);
  const app = new App();
  if (isSequence) new SequenceStack(app, 'EcsAmiDeploySequence', { env });
  else new EcsAmiDeployStack(app, 'EcsAmiDeploy', { env });
} catch (error) {
  // Print only what to fix: a stack trace would push it off the screen.
  if (!(error instanceof DeploymentError)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exit(1);
}

/** The CDK takes us-east-1 where nothing names a Region, and says neither that nor which account it found. */
function whereTo(): string {
  const whose = account === undefined ? 'no account, as no credentials were found' : `account ${account}`;
  return `For Region ${region} and ${whose}. AWS_REGION or --profile name others.`;
}
