import { AutoScalingClient, type AutoScalingClientConfig } from '@aws-sdk/client-auto-scaling';
import type { CloudWatchClientConfig } from '@aws-sdk/client-cloudwatch';
import { EC2Client, type EC2ClientConfig } from '@aws-sdk/client-ec2';
import { ECSClient, type ECSClientConfig } from '@aws-sdk/client-ecs';
import type { ElasticLoadBalancingClientConfig } from '@aws-sdk/client-elastic-load-balancing';
import type { ElasticLoadBalancingV2ClientConfig } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import type { IAMClientConfig } from '@aws-sdk/client-iam';
import { KMSClient, type KMSClientConfig } from '@aws-sdk/client-kms';
import type { LambdaClientConfig } from '@aws-sdk/client-lambda';
import type { SSMClientConfig } from '@aws-sdk/client-ssm';
import { DEFAULT_STATE_KEY } from '../contract.ts';
import type { Seal } from '../tags/trusted-tags.ts';
import { LimitedHandler, type TimeLimits } from './limited-handler.ts';
import { type NotedClient, noteOperations, retryRateExceeded } from './operations.ts';
import { type StateKey, stateSeal } from './state-key.ts';

/** What an invocation calls AWS with. Pass it to the functions of this folder; only they look inside. */
export interface Aws extends Clients {
  /** The seal of our tags. @throws StateKeyUnusable */
  readonly seal: () => Promise<Seal>;
  /** Names of the configured clusters: a group's tags are sealed for one of them. */
  readonly clusters: readonly string[];
  /** What the clients were made with, for those that `rareClient` makes later. */
  readonly config: ClientConfig;
}

/** Those that almost every invocation calls. `rare.ts` has the others. */
export interface Clients {
  readonly autoScaling: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly ecs: ECSClient;
  readonly kms: KMSClient;
}

/** Configuration that all clients share. */
export type ClientConfig = AutoScalingClientConfig &
  CloudWatchClientConfig &
  EC2ClientConfig &
  ECSClientConfig &
  ElasticLoadBalancingClientConfig &
  ElasticLoadBalancingV2ClientConfig &
  EventBridgeClientConfig &
  IAMClientConfig &
  KMSClientConfig &
  LambdaClientConfig &
  SSMClientConfig;

/**
 * Adaptive retries slow our calls down to what AWS lets through. Eight attempts outlast the throttling seen
 * in a busy account, which has a single rate limit for Auto Scaling.
 */
const DEFAULTS: ClientConfig = { retryMode: 'adaptive', maxAttempts: 8 };

/** With eight attempts, a call that never gets an answer ends in less than three minutes. */
const LIMITS: TimeLimits = { connect: 3, attempt: 20, remaining: () => Number.POSITIVE_INFINITY };

/** Settings for reading and writing our state in tags. */
export interface StateSettings extends StateKey {
  readonly clusters: readonly string[];
}

const DEFAULT_STATE: StateSettings = {
  clusters: [],
  stateKey: DEFAULT_STATE_KEY,
  stateKeyGeneration: 1,
};

/**
 * Region, credentials and endpoints come from the environment, as Lambda and the AWS tools set them.
 *
 * @param limits overrides our time limits; has no effect with a `requestHandler` in the config
 */
export function createAws(
  config: ClientConfig = {},
  limits: Partial<TimeLimits> = {},
  state = DEFAULT_STATE,
): Aws {
  const requestHandler = new LimitedHandler({ ...LIMITS, ...limits });
  const merged = { ...DEFAULTS, requestHandler, ...config };
  const clients = createClients(merged);
  return { ...clients, seal: stateSeal(clients.kms, state), clusters: state.clusters, config: merged };
}

function createClients(config: ClientConfig): Clients {
  return {
    autoScaling: retryRateExceeded(noteOperations(new AutoScalingClient(config), 'autoscaling')),
    ec2: noteOperations(new EC2Client(config), 'ec2'),
    ecs: noteOperations(new ECSClient(config), 'ecs'),
    kms: noteOperations(new KMSClient(config), 'kms'),
  };
}

/**
 * Makes a client at its first call, and keeps it as long as the others.
 *
 * @param service its prefix in IAM
 * @param maxAttempts for what is tried again with a later look
 */
export function rareClient<Input extends object, Output extends object, C>(
  Client: new (config: ClientConfig) => C & NotedClient<Input, Output>,
  service: string,
  maxAttempts?: number,
): (aws: Aws) => C {
  const made = new WeakMap<ClientConfig, C>();
  return ({ config }) => {
    const own: ClientConfig = maxAttempts ? { ...config, retryMode: 'standard', maxAttempts } : config;
    const client = made.get(config) ?? noteOperations(new Client(own), service);
    made.set(config, client);
    return client;
  };
}
