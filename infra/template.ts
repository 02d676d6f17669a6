import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, DefaultStackSynthesizer, Stack } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import cdk from '../cdk.json' with { type: 'json' };
import { BUNDLE } from '../lambda/contract.ts';
import { PACKAGE_ROOT } from './bundle.ts';
import { ONE_AT_A_TIME, propsFromContext, SEQUENCE_KEY } from './context.ts';
import { refuse } from './faults.ts';
import { EcsAmiDeployStack } from './stack.ts';

interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties: Record<string, unknown> }>
  >;
}

/** Without what only its command line reads. */
const QUICK = { stackTraces: false, treeMetadata: false, analyticsReporting: false };
/** The CDK's own report names a file that is gone by then. */
const UNREPORTED = { '@aws-cdk/core:annotationsInValidationReport': false };

/** @throws DeploymentError if the settings are wrong. It takes no build */
export function checkContext(context: Readonly<Record<string, string>>): void {
  refuseSequence(context);
  const app = new App({ autoSynth: false, context: { ...cdk.context, ...context } });
  propsFromContext(new Stack(app, 'Context'));
}

/**
 * Writes the stack as CloudFormation alone deploys it, to any account and Region: a template, and beside it
 * the folder that its functions name as their code, which `aws cloudformation package` uploads. Neither the
 * CDK's command line nor bootstrap is needed.
 * https://docs.aws.amazon.com/cli/latest/reference/cloudformation/package.html
 *
 * @returns what is to be told of it
 * @throws DeploymentError
 */
export function writeTemplate(context: Readonly<Record<string, string>>, folder: string): string[] {
  refuseSequence(context);
  const outdir = mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-'));
  try {
    const app = new App({ ...QUICK, outdir, context: { ...cdk.context, ...UNREPORTED, ...context } });
    const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
    const stack = new EcsAmiDeployStack(app, 'EcsAmiDeploy', { synthesizer });
    const { template, messages } = app.synth().getStackByName(stack.stackName);
    const { Resources }: Template = template;
    for (const { Type, Properties } of Object.values(Resources))
      if (Type === CfnFunction.CFN_RESOURCE_TYPE_NAME) Properties.Code = './function';
    const code = join(folder, 'function');
    // What lies beside is somebody's own.
    rmSync(code, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'template.json'), `${JSON.stringify(template)}\n`);
    cpSync(join(PACKAGE_ROOT, BUNDLE.folder), code, { recursive: true });
    const hints = context.drainConcurrency === undefined ? [ONE_AT_A_TIME] : [];
    return [...hints, ...messages.map(({ level, entry }) => `${level}: ${entry.data}`)];
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Otherwise the template would be that of a rollout, without a word of the sequence. */
function refuseSequence(context: Readonly<Record<string, string>>): void {
  if (context[SEQUENCE_KEY] === undefined) return;
  refuse([
    `${SEQUENCE_KEY} was set; a sequence is deployed in a clone: \`npx cdk deploy -c ${SEQUENCE_KEY}=${context[SEQUENCE_KEY]}\``,
  ]);
}
