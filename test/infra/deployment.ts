import { App, Stack, type StackProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { DeploymentError, EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import type { EcsAmiDeployProps } from '../../infra/props.ts';

export const HOME: StackProps = { env: { account: '111122223333', region: 'eu-west-1' } };

/** Stands for the bundle, so that no test here waits for a build. */
export const CODE = Code.fromInline('exports.handler = async () => {}');

/** An app without what only the CLI would read: stack traces of each construct take longer than all the rest. */
export function quickApp(context: Readonly<Record<string, unknown>> = {}): App {
  const quick = { stackTraces: false, treeMetadata: false, analyticsReporting: false };
  return new App({ ...quick, context: { ...context } });
}

type Change = Partial<EcsAmiDeployProps>;

/** A stack with the construct for the cluster `web` in it, with some props otherwise. */
export function deployment(change: Change | ((stack: Stack) => Change) = {}) {
  const app = quickApp();
  const stack = new Stack(app, 'Stack', HOME);
  const changed = typeof change === 'function' ? change(stack) : change;
  const construct = new EcsAmiDeploy(stack, 'Rollout', { clusters: ['web'], code: CODE, ...changed });
  return { app, stack, construct };
}

/** The CloudFormation template of such a stack. */
export function template(change: Change | ((stack: Stack) => Change) = {}): Template {
  return Template.fromStack(deployment(change).stack);
}

/** What the construct refuses of its props. */
export function faultsOf(change: Change | ((stack: Stack) => Change)): readonly string[] {
  return refused(() => deployment(change));
}

/** The faults that something is refused for; none when it isn't. */
export function refused(synthesize: () => unknown): readonly string[] {
  try {
    synthesize();
  } catch (error) {
    if (error instanceof DeploymentError) return error.faults;
    throw error;
  }
  return [];
}
