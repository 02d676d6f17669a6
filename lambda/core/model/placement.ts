/** What ECS places tasks by: the nouns of placement. */

/** What a container instance has to offer. */
export interface Traits {
  /** By name; empty where an attribute has no value. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly agentVersion?: string;
  readonly registeredAt?: Date;
  readonly capacityProvider?: string;
  readonly resources: Resources;
}

/** Registered by an instance, or asked for by a task; what AWS doesn't tell is left out. */
export interface Resources {
  /** CPU units, 1024 a core. */
  readonly cpu?: number;
  /** In MiB. */
  readonly memory?: number;
  readonly gpus?: number;
}

/** What a service says of where its tasks run. */
export interface ServicePlacement {
  /** ARN of what its next task is started from. */
  readonly taskDefinition?: string;
  /** Of its `memberOf` constraints, in the cluster query language. */
  readonly expressions: readonly string[];
  /** Each of its tasks on an instance of its own. */
  readonly distinctInstance: boolean;
  /** Capacity providers of its strategy: its tasks go to instances of these alone. */
  readonly capacityProviders: readonly string[];
  /** Where its tasks have network interfaces of their own; there with the network mode awsvpc. */
  readonly subnetIds?: readonly string[];
}

/** What a task definition says of where its tasks run. It never changes. */
export interface TaskDefinition {
  readonly expressions: readonly string[];
  /** Attributes that an instance must have, each with its value if it must be that one. */
  readonly attributes: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: Resources;
  /** It binds ports of its host, so that an instance has room for one task of it. */
  readonly bindsHostPorts: boolean;
}
