import { App } from 'aws-cdk-lib';
import { DeploymentError } from './faults.ts';
import { EcsAmiDeployStack } from './stack.ts';

const app = new App();
try {
  new EcsAmiDeployStack(app, 'EcsAmiDeploy', {
    env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION },
  });
} catch (error) {
  // Print only what to fix: a stack trace would push it off the screen.
  if (!(error instanceof DeploymentError)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exit(1);
}
