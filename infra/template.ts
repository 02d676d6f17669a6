import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, DefaultStackSynthesizer } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { BUNDLE } from '../lambda/contract.ts';
import { PACKAGE_ROOT } from './bundle.ts';
import { EcsAmiDeployStack } from './stack.ts';

interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties: Record<string, unknown> }>
  >;
}

/**
 * Writes the stack as CloudFormation alone deploys it: a template, and beside it the folder that its
 * functions name as their code, which `aws cloudformation package` uploads. Neither CDK nor bootstrap is
 * needed from there on.
 * https://docs.aws.amazon.com/cli/latest/reference/cloudformation/package.html
 */
export function writeTemplate(app: App, folder: string): void {
  const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
  const stack = new EcsAmiDeployStack(app, 'EcsAmiDeploy', { synthesizer });
  const template: Template = app.synth().getStackByName(stack.stackName).template;
  for (const { Type, Properties } of Object.values(template.Resources))
    if (Type === CfnFunction.CFN_RESOURCE_TYPE_NAME) Properties.Code = './function';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'template.json'), `${JSON.stringify(template)}\n`);
  cpSync(join(PACKAGE_ROOT, BUNDLE.folder), join(folder, 'function'), { recursive: true });
}
