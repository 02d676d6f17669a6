import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ECSClient } from '@aws-sdk/client-ecs';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { IAMClient } from '@aws-sdk/client-iam';
import { SSMClient } from '@aws-sdk/client-ssm';

/** What both accounts hold under the same names before they are asked anything. */
export const NAMES = {
  cluster: 'main',
  service: 'web',
  /** Launches from a launch configuration; its instances are the cluster's. */
  group: 'workers',
  launchConfiguration: 'workers-launch-configuration',
  members: 3,
  /** Launches from a launch template, which it names by its number. */
  templateGroup: 'jobs',
  template: 'jobs-launch-template',
  /**
   * Launches by a mixed instances policy of two instance types; a target group and a load balancer are
   * attached.
   */
  mixedGroup: 'spots',
  mixedMembers: 2,
  /** Has no members, and one instance in its warm pool. */
  poolGroup: 'reserves',
  targetGroup: 'web',
  loadBalancer: 'classic',
  /** Of the mixed group. */
  capacityProvider: 'spots-provider',
  image: 'golden-1',
  newerImage: 'golden-2',
  deprecatedImage: 'golden-0',
  parameter: '/images/golden',
  /** Its first version bears a label, its second holds the newer image. */
  labelledParameter: '/images/labelled',
  label: 'stable',
  alarm: 'errors',
  instanceProfile: 'workers',
  role: 'workers-role',
  profileWithoutRole: 'idle',
  /** Empty; its keys are `pk` and `sk`. */
  table: 'fleet',
} as const;

export const REGION = 'eu-central-1';
export const ACCOUNT = '123456789012';

/** One of the two accounts that are compared. */
export interface Account {
  readonly name: string;
  readonly ecs: ECSClient;
  readonly ec2: EC2Client;
  readonly autoScaling: AutoScalingClient;
  readonly ssm: SSMClient;
  readonly elb: ElasticLoadBalancingClient;
  readonly elbV2: ElasticLoadBalancingV2Client;
  readonly cloudWatch: CloudWatchClient;
  readonly iam: IAMClient;
  readonly dynamoDb: DynamoDBClient;
  /** Ids that AWS gives, in the order in which they were given. */
  readonly instances: readonly string[];
  /** ARNs, of the instances in their order. */
  readonly containerInstances: readonly string[];
  readonly image: string;
  readonly newerImage: string;
  readonly deprecatedImage: string;
  readonly template: string;
  readonly mixedTemplate: string;
  /** ARN. */
  readonly targetGroup: string;
  /** Lets what was set going come to its end. */
  settle(): void;
  close(): Promise<void>;
}

export type Clients = Pick<
  Account,
  'ecs' | 'ec2' | 'autoScaling' | 'ssm' | 'elb' | 'elbV2' | 'cloudWatch' | 'iam' | 'dynamoDb'
>;

/** The same clients for both, but for the address. */
export function clientsOf(endpoint: string): Clients {
  const options = {
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'anybody', secretAccessKey: 'anything' },
    maxAttempts: 1,
  };
  return {
    ecs: new ECSClient(options),
    ec2: new EC2Client(options),
    autoScaling: new AutoScalingClient(options),
    ssm: new SSMClient(options),
    elb: new ElasticLoadBalancingClient(options),
    elbV2: new ElasticLoadBalancingV2Client(options),
    cloudWatch: new CloudWatchClient(options),
    iam: new IAMClient(options),
    dynamoDb: new DynamoDBClient(options),
  };
}

export function present<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`no ${what}`);
  return value;
}
