import type { Call, Interceptor } from '../account/call.ts';
import { AwsError, type Service } from '../account/operation.ts';
import type { Clock } from '../clock/clock.ts';

export interface Throttling {
  /** Keep to AWS's token buckets. */
  readonly buckets?: boolean;
  /** Refuse every nth call, whatever the buckets hold. */
  readonly everyNth?: number;
}

interface Limit {
  readonly burst: number;
  readonly refillPerSecond: number;
}

/**
 * By account and Region. A bucket's operations are those that the pattern matches, the first match counts.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/request-throttling.html
 * https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/elb-api-throttling.html
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
 * https://docs.aws.amazon.com/kms/latest/developerguide/requests-per-second.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
 * Auto Scaling's one bucket is unpublished and known to be small; Parameter Store's is its default
 * throughput.
 */
const BUCKETS: readonly (readonly [RegExp, Limit])[] = [
  [/^ecs\.(Register|Deregister|Update)ContainerInstance/, { burst: 100, refillPerSecond: 40 }],
  [/^ecs\.(Describe|List)(ContainerInstances|Tasks)$/, { burst: 100, refillPerSecond: 20 }],
  [/^ecs\.(Describe|List)Services$/, { burst: 100, refillPerSecond: 20 }],
  [/^ecs\.(Describe|List)Clusters$/, { burst: 50, refillPerSecond: 20 }],
  [/^ec2\.Describe/, { burst: 100, refillPerSecond: 20 }],
  [/^ec2\.(Create|Delete)Tags$/, { burst: 100, refillPerSecond: 10 }],
  [/^ec2\.TerminateInstances$/, { burst: 100, refillPerSecond: 5 }],
  [/^ec2\..*LaunchTemplate/, { burst: 100, refillPerSecond: 5 }],
  [/^autoscaling\./, { burst: 60, refillPerSecond: 10 }],
  [/^cloudwatch\.DescribeAlarms$/, { burst: 9, refillPerSecond: 9 }],
  [/^elasticloadbalancing\.Describe/, { burst: 40, refillPerSecond: 10 }],
  [/^elasticloadbalancingv2\.Describe/, { burst: 40, refillPerSecond: 10 }],
  // For all cryptographic operations with symmetric and HMAC keys of smaller Regions.
  [/^kms\.GenerateMac$/, { burst: 10_000, refillPerSecond: 10_000 }],
  // What a new table on demand sustains.
  [/^dynamodb\.PutItem$/, { burst: 4000, refillPerSecond: 4000 }],
  [/^dynamodb\.(GetItem|Query)$/, { burst: 12_000, refillPerSecond: 12_000 }],
  [/^ssm\./, { burst: 40, refillPerSecond: 40 }],
];

export function throttle(clock: Clock, throttling: Throttling): Interceptor {
  const buckets = BUCKETS.map(([operations, limit]) => ({ operations, take: tokenBucket(clock, limit) }));
  return {
    before(call) {
      const { everyNth } = throttling;
      if (everyNth && call.number % everyNth === 0) throw tooMany(call);
      if (!throttling.buckets) return;
      const bucket = buckets.find(({ operations }) => operations.test(call.key));
      if (bucket && !bucket.take()) throw tooMany(call);
    },
  };
}

/** The answer takes one token, or says that there is none. */
function tokenBucket(clock: Clock, limit: Limit): () => boolean {
  let tokens = limit.burst;
  let filledAt = clock.now();
  return () => {
    const now = clock.now();
    const refill = ((now - filledAt) / 1000) * limit.refillPerSecond;
    tokens = Math.min(limit.burst, tokens + refill);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/**
 * What Auto Scaling refuses by, in turn: what it is known to answer, and what its pages have.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/Welcome.html
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/CommonErrors.html
 */
const OF_AUTO_SCALING = ['Throttling', 'RateExceeded', 'ThrottlingException'] as const;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const OF_DYNAMODB = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
] as const;

const IN_TURN: Readonly<Partial<Record<Service, readonly string[]>>> = {
  autoscaling: OF_AUTO_SCALING,
  dynamodb: OF_DYNAMODB,
};

const CODES: Readonly<Record<Service, readonly [string, number]>> = {
  autoscaling: ['Throttling', 400],
  cloudwatch: ['Throttling', 400],
  cloudwatchlogs: ['ThrottlingException', 400],
  dynamodb: ['ThrottlingException', 400],
  ec2: ['RequestLimitExceeded', 503],
  ecs: ['ThrottlingException', 400],
  elasticloadbalancing: ['ThrottlingException', 400],
  elasticloadbalancingv2: ['ThrottlingException', 400],
  eventbridge: ['ThrottlingException', 400],
  iam: ['Throttling', 400],
  kms: ['ThrottlingException', 400],
  lambda: ['TooManyRequestsException', 429],
  resourcegroupstaggingapi: ['ThrottledException', 400],
  sns: ['Throttled', 429],
  ssm: ['ThrottlingException', 400],
  sts: ['Throttling', 400],
};

function tooMany(call: Call): AwsError {
  const { service, number } = call;
  const [first, statusCode] = CODES[service];
  const codes = IN_TURN[service] ?? [first];
  const code = codes[number % codes.length] ?? first;
  return new AwsError(code, 'Rate exceeded', statusCode);
}
