import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ECSClient } from '@aws-sdk/client-ecs';
import { IAMClient } from '@aws-sdk/client-iam';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SSMClient } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { invokeLambda } from './invoke.ts';
import { callersLogs } from './logs.ts';
import { type Answered, recording } from './recorder.ts';
import { roleByCalls } from './role.ts';
import { roleBySimulation } from './role-by-simulation.ts';
import type { Clients, Clock, Role, Smoke } from './smoke.ts';
import { deployedStack } from './stack.ts';

/** Longer than an invocation may last. */
const INVOCATION_MS = 16 * 60_000;

export interface AccountOptions {
  readonly clock: Clock;
  readonly say: (line: string) => void;
  readonly tell?: (answered: Answered) => void;
  /** Breaks off whatever takes long: deployment, invocations. */
  readonly signal?: AbortSignal;
}

/** The caller's own account, by the credentials, Region and endpoint that the environment names. */
export function callersAccount({ clock, say, tell, signal }: AccountOptions): Smoke {
  const lambda = new LambdaClient({ maxAttempts: 1, requestHandler: { requestTimeout: INVOCATION_MS } });
  const cloudFormation = new CloudFormationClient({});
  const kms = new KMSClient({});
  const sts = new STSClient({});
  return {
    aws: recorded(clients({}), tell),
    clock,
    say,
    logs: callersLogs(),
    stack: deployedStack({ cloudFormation, kms, lambda, clock, signal }),
    async place() {
      const { Account: account } = await sts.send(new GetCallerIdentityCommand({}));
      return `account ${account}, ${await sts.config.region()}`;
    },
    role: (arn) => roleOf(sts, arn),
    invoke: (name, event) => invokeLambda(lambda, name, event, signal),
  };
}

type Configuration = ConstructorParameters<typeof EC2Client>[0];

export const clients = (configuration: NonNullable<Configuration>): Clients => ({
  autoScaling: new AutoScalingClient(configuration),
  ec2: new EC2Client(configuration),
  ecs: new ECSClient(configuration),
  ssm: new SSMClient(configuration),
});

/** The same clients, with their answers recorded. */
export function recorded(aws: Clients, tell: AccountOptions['tell']): Clients {
  if (tell === undefined) return aws;
  aws.autoScaling.middlewareStack.use(recording(tell));
  aws.ec2.middlewareStack.use(recording(tell));
  aws.ecs.middlewareStack.use(recording(tell));
  aws.ssm.middlewareStack.use(recording(tell));
  return aws;
}

/**
 * By its own credentials, which the stack of the test lets the account have; an organization may forbid it
 * all the same.
 */
async function roleOf(sts: STSClient, RoleArn: string): Promise<Role> {
  try {
    const assumed = await sts.send(
      new AssumeRoleCommand({ RoleArn, RoleSessionName: 'ecs-ami-deploy-smoke' }),
    );
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken } = assumed.Credentials ?? {};
    const credentials = {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
    };
    return roleByCalls(clients({ credentials }));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDenied') throw error;
    return roleBySimulation(new IAMClient({}), RoleArn, await instanceArns(sts, RoleArn));
  }
}

/** In the partition and account of an ARN that is known. */
async function instanceArns(sts: STSClient, knownArn: string): Promise<(id: string) => string> {
  const [, partition, , , account] = knownArn.split(':');
  const region = await sts.config.region();
  return (id) => `arn:${partition}:ec2:${region}:${account}:instance/${id}`;
}
