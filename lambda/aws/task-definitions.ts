import {
  type TaskDefinition as AwsTaskDefinition,
  type ContainerDefinition,
  DescribeTaskDefinitionCommand,
} from '@aws-sdk/client-ecs';
import type { Resources, TaskDefinition } from '../core/model/placement.ts';
import type { Aws } from './clients.ts';
import { type Read, tryRead } from './errors.ts';

/** What a task definition, even an INACTIVE one, requires of the instance that its tasks run on. */
export async function describeTaskDefinition({ ecs }: Aws, arn: string): Promise<Read<TaskDefinition>> {
  const read = await tryRead(ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: arn })));
  return read.kind === 'unread' ? read : { kind: 'read', answer: definitionOf(read.answer.taskDefinition) };
}

function definitionOf(definition: AwsTaskDefinition = {}): TaskDefinition {
  const { placementConstraints = [], requiresAttributes = [] } = definition;
  return {
    expressions: placementConstraints.flatMap(({ expression }) => expression ?? []),
    attributes: requiresAttributes.flatMap(({ name, value }) =>
      name === undefined ? [] : [{ name, value }],
    ),
    resources: resourcesOf(definition),
    bindsHostPorts: bindsHostPorts(definition),
    ...firstCheckOf(definition),
    ...stopTimeoutOf(definition),
  };
}

/**
 * Failures count once the start period is over, and so many of them, an interval apart, make it UNHEALTHY. A
 * task is UNKNOWN for ever unless each of its essential containers is checked.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_HealthCheck.html
 */
function firstCheckOf({
  containerDefinitions = [],
}: AwsTaskDefinition): Pick<TaskDefinition, 'firstCheckSeconds'> {
  const essential = containerDefinitions.filter((each) => each.essential ?? true);
  const each = essential.flatMap(({ healthCheck }) => {
    if (healthCheck === undefined) return [];
    const { startPeriod = 0, interval = 30, timeout = 5, retries = 3 } = healthCheck;
    return [startPeriod + retries * (interval + timeout)];
  });
  return each.length === 0 || each.length < essential.length ? {} : { firstCheckSeconds: Math.max(...each) };
}

/** Those that depend on each other stop one after the other. What the agent lets others take isn't told. */
function stopTimeoutOf({
  containerDefinitions = [],
}: AwsTaskDefinition): Pick<TaskDefinition, 'stopTimeoutSeconds'> {
  const each = containerDefinitions.flatMap(({ stopTimeout }) => stopTimeout ?? []);
  return each.length === 0 ? {} : { stopTimeoutSeconds: sum(each) };
}

/** If the task sets no total, its containers' values count: of memory the reservation, or else the limit. */
function resourcesOf({ cpu, memory, containerDefinitions = [] }: AwsTaskDefinition): Resources {
  return {
    cpu: numberIn(cpu) ?? sum(containerDefinitions.map((each) => each.cpu)),
    memory:
      numberIn(memory) ?? sum(containerDefinitions.map((each) => each.memoryReservation ?? each.memory)),
    gpus: sum(containerDefinitions.flatMap(gpusOf)),
  };
}

/** It may want `ALL` that there are. */
function gpusOf({ resourceRequirements = [] }: ContainerDefinition): number[] {
  return resourceRequirements.filter(({ type }) => type === 'GPU').map(({ value }) => numberIn(value) ?? 1);
}

/**
 * In network mode awsvpc a task has its own addresses; in host mode each container port is a port of the
 * host.
 */
function bindsHostPorts({ networkMode, containerDefinitions = [] }: AwsTaskDefinition): boolean {
  if (networkMode === 'awsvpc' || networkMode === 'none') return false;
  const mappings = containerDefinitions.flatMap(({ portMappings = [] }) => portMappings);
  return mappings.some(({ hostPort = 0 }) => networkMode === 'host' || hostPort > 0);
}

function numberIn(text: string | undefined): number | undefined {
  const number = Number(text);
  return text === undefined || Number.isNaN(number) ? undefined : number;
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, number = 0) => total + number, 0);
}
