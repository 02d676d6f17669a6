import { AutoScalingClient, DescribeAccountLimitsCommand } from '@aws-sdk/client-auto-scaling';
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
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
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
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
  autoscaling(options) {
    const { middlewareStack, config } = new AutoScalingClient(options);
    const command = new DescribeAccountLimitsCommand({});
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  cloudwatch(options) {
    const { middlewareStack, config } = new CloudWatchClient(options);
    const command = new DescribeAlarmsCommand({});
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  ec2(options) {
    const { middlewareStack, config } = new EC2Client(options);
    const command = new DescribeInstancesCommand({});
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  ecs(options) {
    const { middlewareStack, config } = new ECSClient(options);
    const command = new ListClustersCommand({});
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  elasticloadbalancing(options) {
    const { middlewareStack, config } = new ElasticLoadBalancingClient(options);
    const command = new DescribeClassicCommand({});
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  elasticloadbalancingv2(options) {
    const { middlewareStack, config } = new ElasticLoadBalancingV2Client(options);
    const command = new DescribeLoadBalancersCommand({});
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  eventbridge(options) {
    const { middlewareStack, config } = new EventBridgeClient(options);
    const command = new PutEventsCommand({ Entries: [{ Source: 'us', DetailType: 'told', Detail: '{}' }] });
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  iam(options) {
    const { middlewareStack, config } = new IAMClient(options);
    const command = new GetInstanceProfileCommand({ InstanceProfileName: 'profile' });
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  kms(options) {
    const { middlewareStack, config } = new KMSClient(options);
    const command = new GenerateMacCommand({
      KeyId: 'alias/key',
      MacAlgorithm: 'HMAC_SHA_256',
      Message: new Uint8Array(1),
    });
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  lambda(options) {
    const { middlewareStack, config } = new LambdaClient(options);
    const command = new InvokeCommand({ FunctionName: 'hook' });
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  sns(options) {
    const { middlewareStack, config } = new SNSClient(options);
    const command = new PublishCommand({ Message: 'a question' });
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  ssm(options) {
    const { middlewareStack, config } = new SSMClient(options);
    const command = new GetParametersCommand({ Names: ['/parameter'] });
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
  sts(options) {
    const { middlewareStack, config } = new STSClient(options);
    const command = new GetCallerIdentityCommand({});
    return command.resolveMiddleware(middlewareStack, config, {})(command);
  },
};
