import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { App, Stack } from 'aws-cdk-lib';
import { propsFromContext } from './context.ts';
import { DeploymentError } from './faults.ts';
import { EcsAmiDeployStack } from './stack.ts';
import { writeTemplate } from './template.ts';

try {
  // Before the build, which takes longer than all else: a typo is told at once.
  propsFromContext(new Stack(new App({ autoSynth: false }), 'Context'));
  execFileSync('npm', ['run', '--silent', 'build', '--', '--quiet'], { stdio: ['ignore', 2, 2] });
  const app = new App();
  // `npm run template`
  if (process.argv.includes('--template')) writeTemplate(app, 'dist/template');
  else
    new EcsAmiDeployStack(app, 'EcsAmiDeploy', {
      env: { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION },
    });
} catch (error) {
  // Print only what to fix: a stack trace would push it off the screen.
  if (!(error instanceof DeploymentError)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exit(1);
}
