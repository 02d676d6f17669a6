import { AutoScalingClient, DescribeAccountLimitsCommand } from '@aws-sdk/client-auto-scaling';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { ECSClient, ListClustersCommand } from '@aws-sdk/client-ecs';
import {
  DescribeLoadBalancersCommand as DescribeClassicCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetResourcesCommand,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Command, MetadataBearer, MiddlewareStack } from '@smithy/types';
import { AwsError, type Service } from '../simulated-aws/account/operation.ts';
import { refusalOf } from '../simulated-aws/wire/errors.ts';
import { inProcess } from '../simulated-aws/wire/in-process.ts';
import { WIRES } from '../simulated-aws/wire/route.ts';

/**
 * The error that the SDK makes of a service's refusal, read from the bytes that such an answer has.
 *
 * @param code as it is on the wire, such as `ResourceContention`
 * @param statusCode that of the service's model, or 400
 */
export async function refusal(
  service: Service,
  code: string,
  message = code,
  statusCode?: number,
): Promise<Error> {
  const error =
    refusalOf({ service, key: service }, new AwsError(code, message)) ?? new AwsError(code, message);
  const told = new AwsError(error.code, message, statusCode ?? error.statusCode);
  const answer = WIRES[service].protocol.encodeError(told, '00000000-0000-4000-8000-000000000001');
  const requestHandler = inProcess(() => Promise.resolve(answer));
  const thrown = await SENDERS[service]({ ...OPTIONS, requestHandler }).catch((reason: unknown) => reason);
  if (thrown instanceof Error) return thrown;
  throw new Error(`${code} of ${service} was no error`);
}

const OPTIONS = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  maxAttempts: 1,
};
type Options = typeof OPTIONS & { readonly requestHandler: ReturnType<typeof inProcess> };

/** Each sends a command through its client's real `send`, which tests otherwise mock. */
const SENDERS: Readonly<Record<Service, (options: Options) => Promise<unknown>>> = {
  autoscaling: (options) => through(new AutoScalingClient(options), new DescribeAccountLimitsCommand({})),
  cloudwatch: (options) => through(new CloudWatchClient(options), new DescribeAlarmsCommand({})),
  cloudwatchlogs: (options) => through(new CloudWatchLogsClient(options), new FilterLogEventsCommand({})),
  dynamodb: (options) =>
    through(
      new DynamoDBClient(options),
      new GetItemCommand({ TableName: 'fleet', Key: { pk: { S: 'a' }, sk: { S: 'b' } } }),
    ),
  ec2: (options) => through(new EC2Client(options), new DescribeInstancesCommand({})),
  ecs: (options) => through(new ECSClient(options), new ListClustersCommand({})),
  elasticloadbalancing: (options) =>
    through(new ElasticLoadBalancingClient(options), new DescribeClassicCommand({})),
  elasticloadbalancingv2: (options) =>
    through(new ElasticLoadBalancingV2Client(options), new DescribeLoadBalancersCommand({})),
  eventbridge: (options) =>
    through(
      new EventBridgeClient(options),
      new PutEventsCommand({ Entries: [{ Source: 'us', DetailType: 'told', Detail: '{}' }] }),
    ),
  iam: (options) =>
    through(new IAMClient(options), new GetInstanceProfileCommand({ InstanceProfileName: 'profile' })),
  kms: (options) =>
    through(
      new KMSClient(options),
      new GenerateMacCommand({
        KeyId: 'alias/key',
        MacAlgorithm: 'HMAC_SHA_256',
        Message: new Uint8Array(1),
      }),
    ),
  lambda: (options) => through(new LambdaClient(options), new InvokeCommand({ FunctionName: 'hook' })),
  resourcegroupstaggingapi: (options) =>
    through(new ResourceGroupsTaggingAPIClient(options), new GetResourcesCommand({})),
  sns: (options) => through(new SNSClient(options), new PublishCommand({ Message: 'a question' })),
  ssm: (options) => through(new SSMClient(options), new GetParametersCommand({ Names: ['/parameter'] })),
  sts: (options) => through(new STSClient(options), new GetCallerIdentityCommand({})),
};

function through<In extends object, Input extends In, Out extends MetadataBearer, Output extends Out, Config>(
  {
    middlewareStack,
    config,
  }: { readonly middlewareStack: MiddlewareStack<In, Out>; readonly config: Config },
  command: Command<In, Input, Out, Output, Config>,
): Promise<unknown> {
  return command.resolveMiddleware(middlewareStack, config, {})(command);
}
