import { AutoScalingClient, type AutoScalingClientConfig } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ECSClient } from '@aws-sdk/client-ecs';
import { SSMClient } from '@aws-sdk/client-ssm';

/** What all clients are made with. */
export type ClientOptions = Pick<
  AutoScalingClientConfig,
  'region' | 'credentials' | 'endpoint' | 'requestHandler' | 'retryStrategy'
>;

export interface Clients {
  readonly autoScaling: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly ecs: ECSClient;
  readonly ssm: SSMClient;
}

/** What a roller is given: a cluster with one Auto Scaling group, which has a launch template. */
export interface Job extends Clients {
  readonly cluster: string;
  sleep(seconds: number): Promise<void>;
}

/** A program of somebody else's that replaces the instances of a cluster by such of the newest image. */
export interface Roller {
  readonly name: string;
  /** Whose algorithm it is, and what is left out of it. */
  readonly source: string;
  /** @throws Error when it gives up */
  roll(job: Job): Promise<void>;
}

export function clientsWith(options: ClientOptions): Clients {
  return {
    autoScaling: new AutoScalingClient(options),
    ec2: new EC2Client(options),
    ecs: new ECSClient(options),
    ssm: new SSMClient(options),
  };
}
