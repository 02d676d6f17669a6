import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { ECSClient } from '@aws-sdk/client-ecs';
import type { SSMClient } from '@aws-sdk/client-ssm';

/** What the smoke test calls AWS by, with the caller's own credentials or as the function's role. */
export interface Clients {
  readonly autoScaling: AutoScalingClient;
  readonly ec2: EC2Client;
  readonly ecs: ECSClient;
  readonly ssm: SSMClient;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects once the run is broken off. */
  sleep(seconds: number): Promise<void>;
}

/** The deployed stack's outputs. */
export interface StackOutputs {
  readonly functionName: string;
  readonly ordersFunctionName: string;
  readonly roleArn: string;
  readonly instanceProfileName: string;
  /** Of its log group. */
  readonly historyName: string;
}

export interface Logs {
  /** How many of the ten resource policies are taken that the Region has for all its log groups together. */
  policies(): Promise<number>;
  /** What a log group got, from an hour before that time on. */
  lines(logGroup: string, sinceMs: number): Promise<readonly string[]>;
}

/** The deployed function; CloudFormation is not simulated, so there is a stand-in. */
export interface Stack {
  /** @param badImage the id of an image that groups may name by tag */
  deploy(badImage: string): Promise<void>;
  /** None: it is not deployed, or not to the end. */
  outputs(): Promise<StackOutputs | undefined>;
  /** Returns what it removed; empty if there is nothing. */
  remove(): Promise<readonly string[]>;
}

/** What an invocation came to. */
export type Answer =
  /** `states` of the groups, such as `in-progress`. */
  | { readonly kind: 'answered'; readonly states: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }
  /** Another invocation runs. */
  | { readonly kind: 'busy' }
  /** The connection was; the invocation goes on. */
  | { readonly kind: 'lost' };

/** Whether somebody may do something. */
export type Right = 'allowed' | 'denied';

/** Tells for the function's role what it may do, and by what that was found out. */
export interface Role {
  readonly by: 'calls as the role' | 'iam:SimulatePrincipalPolicy';
  /** Changes nothing. */
  mayTerminate(instanceId: string): Promise<Right>;
  mayTag(instanceId: string): Promise<Right>;
  mayRead(): Promise<Right>;
}

/** One run, and all that it reaches. */
export interface Smoke {
  readonly aws: Clients;
  readonly clock: Clock;
  readonly stack: Stack;
  readonly logs: Logs;
  /** Where it runs, for a person: account and Region. */
  readonly place: () => Promise<string>;
  readonly role: (roleArn: string) => Promise<Role>;
  readonly invoke: (functionName: string, event: object) => Promise<Answer>;
  readonly say: (line: string) => void;
}

/** Something that the run makes, and removes. Both look up in AWS what they need, and may be repeated. */
export interface Step {
  readonly name: string;
  /** For `--plan`. */
  readonly makes: string;
  /** US cents for one run, estimated generously. */
  readonly cents: number;
  readonly minutes: number;
  /** What the account or Region lacks for it, or has already; changes nothing. */
  readonly lacks?: (smoke: Smoke) => Promise<string | undefined>;
  readonly make: (smoke: Smoke) => Promise<void>;
  /** Returns what it removed; empty if there is nothing. */
  readonly remove: (smoke: Smoke) => Promise<readonly string[]>;
}

/** One line of the table. */
export interface Finding {
  readonly what: string;
  readonly passed: boolean;
  readonly observed: string;
  /** The question that it settles, by its row of the ledger. */
  readonly answers?: string;
}

/** Something that is tried with what was made. */
export interface Check {
  readonly name: string;
  readonly minutes: number;
  readonly run: (smoke: Smoke) => Promise<readonly Finding[]>;
}
