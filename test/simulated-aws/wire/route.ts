import { SERVICES, type Service } from '../account/operation.ts';
import { awsJson, awsJson10, awsQueryCompatibleJson } from './json.ts';
import type { Protocol, WireRequest } from './protocol.ts';
import { awsQuery, ec2Query } from './query.ts';
import { restJson } from './rest-json.ts';

/** How each simulated service speaks; the values are the `protocolSettings` of its SDK client. */
export const WIRES: Readonly<Record<Service, Wire>> = {
  autoscaling: {
    protocol: awsQuery('http://autoscaling.amazonaws.com/doc/2011-01-01/'),
    namespace: 'com.amazonaws.autoscaling',
    version: '2011-01-01',
  },
  cloudwatch: {
    protocol: awsQueryCompatibleJson,
    namespace: 'com.amazonaws.cloudwatch',
    target: 'GraniteServiceVersion20100801',
  },
  cloudwatchlogs: {
    protocol: awsJson,
    namespace: 'com.amazonaws.cloudwatchlogs',
    target: 'Logs_20140328',
  },
  dynamodb: { protocol: awsJson10, namespace: 'com.amazonaws.dynamodb', target: 'DynamoDB_20120810' },
  ec2: {
    protocol: ec2Query('http://ec2.amazonaws.com/doc/2016-11-15/'),
    namespace: 'com.amazonaws.ec2',
    version: '2016-11-15',
  },
  ecs: { protocol: awsJson, namespace: 'com.amazonaws.ecs', target: 'AmazonEC2ContainerServiceV20141113' },
  elasticloadbalancing: {
    protocol: awsQuery('http://elasticloadbalancing.amazonaws.com/doc/2012-06-01/'),
    namespace: 'com.amazonaws.elasticloadbalancing',
    version: '2012-06-01',
  },
  elasticloadbalancingv2: {
    protocol: awsQuery('http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/'),
    namespace: 'com.amazonaws.elasticloadbalancingv2',
    version: '2015-12-01',
  },
  eventbridge: { protocol: awsJson, namespace: 'com.amazonaws.eventbridge', target: 'AWSEvents' },
  iam: {
    protocol: awsQuery('https://iam.amazonaws.com/doc/2010-05-08/'),
    namespace: 'com.amazonaws.iam',
    version: '2010-05-08',
  },
  kms: { protocol: awsJson, namespace: 'com.amazonaws.kms', target: 'TrentService' },
  lambda: { protocol: restJson, namespace: 'com.amazonaws.lambda' },
  resourcegroupstaggingapi: {
    protocol: awsJson,
    namespace: 'com.amazonaws.resourcegroupstaggingapi',
    target: 'ResourceGroupsTaggingAPI_20170126',
  },
  sns: {
    protocol: awsQuery('http://sns.amazonaws.com/doc/2010-03-31/'),
    namespace: 'com.amazonaws.sns',
    version: '2010-03-31',
  },
  ssm: { protocol: awsJson, namespace: 'com.amazonaws.ssm', target: 'AmazonSSM' },
  sts: {
    protocol: awsQuery('https://sts.amazonaws.com/doc/2011-06-15/'),
    namespace: 'com.amazonaws.sts',
    version: '2011-06-15',
  },
};

export interface Wire {
  readonly protocol: Protocol;
  /** Of the service's shapes. */
  readonly namespace: string;
  /** The form's `Version`, of a query protocol. */
  readonly version?: string;
  /** The prefix of `X-Amz-Target`, of a JSON protocol. */
  readonly target?: string;
}

/** What a request asks for; without a `service` where it is none of the simulated ones. */
export interface Route {
  readonly service?: Service;
  readonly operation: string;
}

export function routeOf(request: WireRequest): Route {
  const target = request.headers['x-amz-target'];
  if (target) {
    const [prefix, operation = ''] = target.split('.', 2);
    return { ...serviceWith((wire) => wire.target === prefix), operation };
  }
  const [, ofFunction] = /^\/2015-03-31\/functions\/[^/]+\/(\w+)$/.exec(request.path) ?? [];
  const called = ofFunction && OF_FUNCTIONS[ofFunction];
  if (called) return { service: 'lambda', operation: called };
  // The protocols of newer services name both in the path:
  // https://smithy.io/2.0/additional-specs/protocols/smithy-rpc-v2.html
  const [, prefix, operation] = /^\/service\/([^/]+)\/operation\/([^/]+)/.exec(request.path) ?? [];
  if (prefix && operation) return { operation: `${prefix}.${operation}` };
  const [, version = 'none'] = /(?:^|&)Version=([^&]*)/.exec(request.body) ?? [];
  const [, action = 'without an Action'] = /(?:^|&)Action=([^&]*)/.exec(request.body) ?? [];
  return {
    ...serviceWith((wire) => wire.version === version),
    operation: action,
  };
}

/** https://docs.aws.amazon.com/lambda/latest/api/API_Operations.html */
const OF_FUNCTIONS: Readonly<Record<string, string>> = {
  configuration: 'GetFunctionConfiguration',
  invocations: 'Invoke',
};

function serviceWith(matches: (wire: Wire) => boolean): { service?: Service } {
  const service = SERVICES.find((name) => matches(WIRES[name]));
  return service ? { service } : {};
}
