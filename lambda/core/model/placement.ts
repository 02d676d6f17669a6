/** What ECS uses to place tasks: the nouns of placement. */

/** What a container instance has to offer. */
export interface Traits {
  /** By name; empty where an attribute has no value. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly agentVersion?: string;
  readonly registeredAt?: Date;
  readonly capacityProvider?: string;
  readonly resources: Resources;
}

/** Registered by an instance, or asked for by a task; what AWS doesn't say is left out. */
export interface Resources {
  /** CPU units, 1024 a core. */
  readonly cpu?: number;
  /** In MiB. */
  readonly memory?: number;
  readonly gpus?: number;
}

/** What a service says about where its tasks run. */
export interface ServicePlacement {
  /** ARN of the one its next task starts from. */
  readonly taskDefinition?: string;
  /** Expressions of its `memberOf` constraints, in the cluster query language. */
  readonly expressions: readonly string[];
  /** Each of its tasks on an instance of its own. */
  readonly distinctInstance: boolean;
  /** Capacity providers of its strategy: its tasks run only on their instances. */
  readonly capacityProviders: readonly string[];
  /** Attributes of an agent that it needs and no task definition names. */
  readonly capabilities?: readonly string[];
  /** Subnets of its tasks' own network interfaces; only with network mode awsvpc. */
  readonly subnetIds?: readonly string[];
  /** The Availability Zones of all these subnets, each once; absent unless all are known. */
  readonly zones?: readonly string[];
}

/** What a task definition says about where its tasks run, and when they serve. It never changes. */
export interface TaskDefinition {
  readonly expressions: readonly string[];
  /** Attributes that an instance must have, with the value if it matters. */
  readonly attributes: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: Resources;
  /** It binds ports of its host, so an instance has room for one task of it only. */
  readonly bindsHostPorts: boolean;
  /** The longest until the checks of its essential containers have passed or failed; absent without any. */
  readonly firstCheckSeconds?: number;
  /** How long its containers may take to stop, one after the other; absent if it doesn't say. */
  readonly stopTimeoutSeconds?: number;
}
