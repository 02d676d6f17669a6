import { DescribeTaskDefinitionCommand, type TaskDefinition } from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { nameOf } from './lookup.ts';
import type { Service } from './model.ts';

/** What a service's task definition says of where its tasks run. */
export interface Definition {
  /** Of `memberOf` constraints. */
  readonly expressions: readonly string[];
  /** Names of attributes that an instance must have, as ECS works out from what the definition uses. */
  readonly requiresAttributes: readonly string[];
  /** In MiB. */
  readonly memory: number;
  readonly gpus: number;
  /** Its tasks have network interfaces of their own in `awsvpc` mode. */
  readonly networkMode: 'bridge' | 'awsvpc';
  /** A port of the host that its container binds. */
  readonly hostPort: number | undefined;
  /** Its container has a health check. */
  readonly checksHealth: boolean;
  /** How long its container may take to stop; none: as long as the agent lets any. */
  readonly stopTimeout: number | undefined;
}

export const DEFAULT_DEFINITION: Definition = {
  expressions: [],
  requiresAttributes: ['com.amazonaws.ecs.capability.docker-remote-api.1.18'],
  memory: 64,
  gpus: 0,
  networkMode: 'bridge',
  hostPort: undefined,
  checksHealth: false,
  stopTimeout: undefined,
};

const HEALTH_CHECK = { command: ['CMD-SHELL', 'true'], interval: 30, timeout: 5, retries: 3 };

export function taskDefinitionOperations(state: State): Operation[] {
  return [
    on(
      DescribeTaskDefinitionCommand,
      { taskDefinition: 'all', include: ['TAGS'] },
      ({ taskDefinition = '' }) => {
        const registered = state.taskDefinitions.get(nameOf(taskDefinition));
        if (registered) return { taskDefinition: registered };
        const [family, revision = '1'] = nameOf(taskDefinition).split(':');
        const services = [...state.clusters.values()].flatMap((cluster) => [...cluster.services.values()]);
        const service = services.find(({ name }) => name === family);
        // ledger: describe-definition-unknown
        if (!service) throw new AwsError('ClientException', 'Unable to describe task definition.');
        return { taskDefinition: describe(state, service, Number(revision)) };
      },
    ),
  ];
}

function describe(state: State, service: Service, revision: number): TaskDefinition {
  const { name, cpu, definition } = service;
  const { expressions, requiresAttributes, memory, gpus, networkMode, hostPort, checksHealth, stopTimeout } =
    definition;
  return {
    taskDefinitionArn: `arn:aws:ecs:${state.region}:${state.account}:task-definition/${name}:${revision}`,
    family: name,
    revision,
    status: 'ACTIVE',
    networkMode,
    placementConstraints: expressions.map((expression) => ({ type: 'memberOf', expression })),
    requiresAttributes: requiresAttributes.map((each) => ({ name: each })),
    compatibilities: ['EXTERNAL', 'EC2'],
    containerDefinitions: [
      {
        name: 'main',
        image: name,
        cpu,
        memory,
        essential: true,
        portMappings: hostPort === undefined ? [] : [{ containerPort: 80, hostPort, protocol: 'tcp' }],
        ...(checksHealth && { healthCheck: HEALTH_CHECK }),
        stopTimeout,
        resourceRequirements: gpus === 0 ? [] : [{ type: 'GPU', value: String(gpus) }],
      },
    ],
  };
}
