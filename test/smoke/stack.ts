import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CloudFormationClient,
  DeleteStackCommand,
  type Stack as Described,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeKeyCommand, type KMSClient, ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { STACK, TAG, TAG_VALUE } from './names.ts';
import { BrokenOff } from './runner.ts';
import type { Clock, Stack } from './smoke.ts';
import { secondsUntil } from './wait.ts';

interface StackReach {
  readonly cloudFormation: CloudFormationClient;
  readonly kms: KMSClient;
  readonly lambda: LambdaClient;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** Deployed by the CDK, as the README says; removed by CloudFormation itself, which needs no synthesis. */
export function deployedStack(reach: StackReach): Stack {
  return {
    async deploy(badImage) {
      const reserves = await hasConcurrencyToSpare(reach.lambda);
      await cdkDeploy({ smokeBadImage: badImage, smokeReservesConcurrency: String(reserves) }, reach.signal);
    },
    async outputs() {
      const { Outputs: outputs = [] } = (await describe(reach)) ?? {};
      const outputNamed = (name: string) =>
        outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue ?? '';
      if (outputs.length === 0) return undefined;
      return {
        functionName: outputNamed('FunctionName'),
        ordersFunctionName: outputNamed('OrdersFunctionName'),
        roleArn: outputNamed('RoleArn'),
        instanceProfileName: outputNamed('InstanceProfileName'),
        historyName: outputNamed('HistoryName'),
      };
    },
    remove: () => remove(reach),
  };
}

/**
 * A function that reserves one must leave 100 to the rest:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
async function hasConcurrencyToSpare(lambda: LambdaClient): Promise<boolean> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  return (AccountLimit?.UnreservedConcurrentExecutions ?? 0) > 100;
}

async function cdkDeploy(context: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
  const output = mkdtempSync(join(tmpdir(), 'ecs-ami-deploy-smoke-'));
  const given = Object.entries(context).flatMap(([key, value]) => ['--context', `${key}=${value}`]);
  const build = ['--build', 'npm run --silent build -- --quiet >&2'];
  const app = ['--app', 'npx tsx test/smoke/app.ts', ...build, '--output', output];
  const options = [...app, '--tags', `${TAG}=${TAG_VALUE}`];
  try {
    const deploy = ['--no-install', 'cdk', 'deploy', STACK, ...options, '--require-approval', 'never'];
    await run('npx', [...deploy, ...given], signal);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Broken off, CloudFormation goes on for itself. */
function run(command: string, args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], signal });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(signal?.aborted ? new BrokenOff('stopped') : error));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else if (signal?.aborted) reject(new BrokenOff('stopped'));
      else reject(new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${code}`));
    });
  });
}

async function describe({ cloudFormation }: StackReach): Promise<Described | undefined> {
  try {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: STACK }));
    return Stacks.find(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

const SETTLED = { what: `the stack ${STACK} at rest`, seconds: 1800, everySeconds: 10 };
const GONE = { what: `the end of the stack ${STACK}`, seconds: 1800, everySeconds: 10 };

/** The key first: without its stack nobody would find it again, and the stack keeps it. */
async function remove(reach: StackReach): Promise<string[]> {
  const stack = await describe(reach);
  if (stack === undefined) return [];
  if (!stack.Tags?.some(({ Key }) => Key === TAG)) throw new Error(`The stack ${STACK} lacks the tag ${TAG}`);
  // A deployment that was broken off may be about to make the key.
  await secondsUntil(reach, SETTLED, async () => !isUnderWay(await describe(reach)));
  const keys = await removeKeys(reach);
  await reach.cloudFormation.send(new DeleteStackCommand({ StackName: STACK }));
  await secondsUntil(reach, GONE, async () => {
    const left = await describe(reach);
    if (left?.StackStatus === 'DELETE_FAILED') throw new Error(`${STACK}: ${left.StackStatusReason}`);
    return left === undefined;
  });
  return [...keys, `stack ${STACK}`];
}

/** What is in review waits for a change set that nobody is going to execute. */
const isUnderWay = (stack: Described | undefined) =>
  stack?.StackStatus?.endsWith('_IN_PROGRESS') === true && stack.StackStatus !== 'REVIEW_IN_PROGRESS';

async function removeKeys({ cloudFormation, kms }: StackReach): Promise<string[]> {
  const { StackResources = [] } = await cloudFormation.send(
    new DescribeStackResourcesCommand({ StackName: STACK }),
  );
  const ids = StackResources.flatMap(({ ResourceType, PhysicalResourceId: id }) =>
    ResourceType === 'AWS::KMS::Key' && id ? [id] : [],
  );
  for (const KeyId of ids) {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
    if (KeyMetadata?.KeyState === 'PendingDeletion') continue;
    await kms.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 }));
  }
  return ids.map((id) => `key ${id}, in 7 days`);
}
