import {
  DeleteTaskDefinitionsCommand,
  DeregisterTaskDefinitionCommand,
  ListTaskDefinitionsCommand,
  RegisterTaskDefinitionCommand,
  type TaskDefinition,
} from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { invalidParameter, nameOf, PAGE_CODES } from './lookup.ts';
import { DEFAULT_DEFINITION, type Definition } from './task-definitions.ts';

/** As it is described. */
export type RegisteredDefinition = TaskDefinition & { readonly family: string; readonly revision: number };

/** What a container does doesn't matter here; everything else is described as it was registered. */
const REGISTRATION = {
  family: 'all',
  tags: 'all',
  networkMode: ['bridge'],
  containerDefinitions: {
    name: 'all',
    image: 'all',
    command: 'all',
    cpu: 'all',
    memory: 'all',
    memoryReservation: 'all',
    essential: 'all',
    stopTimeout: 'all',
    portMappings: 'all',
  },
} as const;
const QUERY = { familyPrefix: 'all', status: 'all', nextToken: 'all', maxResults: 'all' } as const;

export function registeredDefinitions(state: State): Operation[] {
  const page = createPager<string>('ListTaskDefinitions', { default: 100, max: 100, ...PAGE_CODES });
  return [
    on(
      RegisterTaskDefinitionCommand,
      REGISTRATION,
      ({ family = '', tags, containerDefinitions, ...rest }) => {
        const earlier = [...state.taskDefinitions.values()].filter((one) => one.family === family);
        const revision = Math.max(0, ...earlier.map((one) => one.revision)) + 1;
        const registered: RegisteredDefinition = {
          ...rest,
          taskDefinitionArn: `arn:aws:ecs:${state.region}:${state.account}:task-definition/${family}:${revision}`,
          family,
          revision,
          status: 'ACTIVE',
          containerDefinitions,
          placementConstraints: rest.placementConstraints ?? [],
          requiresAttributes: DEFAULT_DEFINITION.requiresAttributes.map((name) => ({ name })),
          compatibilities: ['EXTERNAL', 'EC2'],
          registeredAt: new Date(state.clock.now()),
        };
        state.taskDefinitions.set(`${family}:${revision}`, registered);
        return { taskDefinition: registered, tags };
      },
    ),

    on(ListTaskDefinitionsCommand, QUERY, (input) => {
      const { familyPrefix: family, status = 'ACTIVE', maxResults: limit, nextToken } = input;
      const all = [...state.taskDefinitions.values()].filter(
        (one) => one.status === status && (family === undefined || one.family === family),
      );
      const arns = all.map(({ taskDefinitionArn = '' }) => taskDefinitionArn);
      const { items, token } = page(arns, { limit, token: nextToken });
      return { taskDefinitionArns: [...items], nextToken: token };
    }),

    on(DeregisterTaskDefinitionCommand, 'all', ({ taskDefinition = '' }) => ({
      taskDefinition: setStatus(state, taskDefinition, 'INACTIVE'),
    })),

    on(DeleteTaskDefinitionsCommand, 'all', ({ taskDefinitions = [] }) => ({
      taskDefinitions: taskDefinitions.map((one) => {
        // ledger: delete-definitions-active
        if (findDefinition(state, one).status === 'ACTIVE')
          throw invalidParameter('The specified task definition is still in ACTIVE status.');
        return setStatus(state, one, 'DELETE_IN_PROGRESS');
      }),
      failures: [],
    })),
  ];
}

/** By ARN, by `family:revision`, or by the family, which means its latest ACTIVE revision. */
export function findDefinition({ taskDefinitions }: State, reference: string): RegisteredDefinition {
  const active = [...taskDefinitions.values()].filter(({ status }) => status === 'ACTIVE');
  const latest = active.findLast(({ family }) => family === reference);
  const found = taskDefinitions.get(nameOf(reference)) ?? latest;
  // ledger: create-service-definition-unknown
  if (!found) throw new AwsError('ClientException', 'Unable to describe task definition.');
  return found;
}

function setStatus(state: State, reference: string, status: NonNullable<TaskDefinition['status']>) {
  const changed: RegisteredDefinition = { ...findDefinition(state, reference), status };
  state.taskDefinitions.set(nameOf(reference), changed);
  return changed;
}

/** What a service that is made of it needs of an instance. */
export function needsOf({ containerDefinitions = [] }: TaskDefinition): {
  cpu: number;
  definition: Definition;
} {
  const sum = (numbers: (number | undefined)[]) => numbers.reduce<number>((all, one) => all + (one ?? 0), 0);
  const [port] = containerDefinitions.flatMap(({ portMappings = [] }) => portMappings);
  return {
    cpu: sum(containerDefinitions.map(({ cpu }) => cpu)),
    definition: {
      ...DEFAULT_DEFINITION,
      memory: sum(containerDefinitions.map(({ memory, memoryReservation }) => memoryReservation ?? memory)),
      hostPort: port?.hostPort || undefined,
    },
  };
}
