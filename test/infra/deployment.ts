import { App, Stack, type StackProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { EcsAmiDeploy } from '../../infra/ecs-ami-deploy.ts';
import { DeploymentError } from '../../infra/faults.ts';
import type { EcsAmiDeployProps } from '../../infra/props.ts';
import { EcsAmiDeployStack } from '../../infra/stack.ts';

export const HOME: StackProps = { env: { account: '111122223333', region: 'eu-west-1' } };

/** Stands in for the bundle, so that no test here waits for a build. */
export const CODE = Code.fromInline('exports.handler = async () => {}');

/**
 * An app without data that only the CLI would read: a stack trace for each construct takes longer than
 * everything else.
 */
export function quickApp(context: Readonly<Record<string, unknown>> = {}): App {
  const quick = { stackTraces: false, treeMetadata: false, analyticsReporting: false };
  return new App({ ...quick, context: { ...context } });
}

type Change = Partial<EcsAmiDeployProps>;

/** A stack with the construct for the cluster `web`, with these props changed. */
export function deployment(change: Change | ((stack: Stack) => Change) = {}) {
  const app = quickApp();
  const stack = new Stack(app, 'Stack', HOME);
  const changed = typeof change === 'function' ? change(stack) : change;
  const clusters = [CfnCluster.fromClusterName(stack, 'NamedWeb', 'web')];
  const construct = new EcsAmiDeploy(stack, 'Rollout', { clusters, code: CODE, ...changed });
  return { app, stack, construct };
}

/** The CloudFormation template of such a stack. */
export function template(change: Change | ((stack: Stack) => Change) = {}): Template {
  return Template.fromStack(deployment(change).stack);
}

/** The template of the stack that takes its settings from the context, where all is named by text. */
export function templateFrom(context: Readonly<Record<string, unknown>>): Template {
  const app = quickApp({ clusters: ['web'], ...context });
  return Template.fromStack(new EcsAmiDeployStack(app, 'EcsAmiDeploy', { ...HOME, code: CODE }));
}

/** The environment of the function that rolls, or of another. */
export function variablesIn(synthesized: Template, handler = 'index.handler'): Record<string, unknown> {
  const wanted = { Properties: { Handler: handler } };
  const [found] = Object.values(synthesized.findResources('AWS::Lambda::Function', wanted));
  return found?.Properties.Environment.Variables;
}

/** The faults that the construct finds in these props. */
export function faultsOf(change: Change | ((stack: Stack) => Change)): readonly string[] {
  return refused(() => deployment(change));
}

/** The faults of the DeploymentError that the call throws; none if it doesn't throw. */
export function refused(synthesize: () => unknown): readonly string[] {
  try {
    synthesize();
  } catch (error) {
    if (error instanceof DeploymentError) return error.faults;
    throw error;
  }
  return [];
}
