import type { Resources, ServicePlacement, TaskDefinition } from '../model/placement.ts';
import { parseQuery, type Query } from './cluster-query.ts';
import { matches } from './cluster-query-match.ts';
import { isOfAgent, type Place } from './place.ts';
import { all, type Truth, truthOf } from './truth.ts';

/** One thing that an instance must have before ECS gives it a task. */
export interface Requirement {
  readonly kind: 'expression' | 'attribute' | 'resource' | 'capacity-provider';
  /** For use in a sentence: `memberOf(attribute:stack == blue)`, `2 GPUs`. */
  readonly needs: string;
  readonly met: (place: Place) => Truth;
  /** What a place has instead: `no attribute stack`. */
  readonly instead: (place: Place) => string;
  /** Names of the attributes that it asks for. */
  readonly attributes: readonly string[];
  /** It depends on the image. */
  readonly ofImage: boolean;
}

/** Everything that a task of a service requires of an instance, whatever else runs there. */
export function requirementsOf(service: ServicePlacement, definition?: TaskDefinition): Requirement[] {
  return [
    ...providerOf(service),
    ...zonesOf(service),
    ...expressionsIn([...service.expressions, ...(definition?.expressions ?? [])]),
    ...(service.capabilities ?? []).map((name) => attribute({ name })),
    ...(definition?.attributes ?? []).map(attribute),
    ...resourcesOf(definition?.resources ?? {}),
  ];
}

/** Whether an instance could take a task if it were empty. */
export function fits(place: Place, requirements: readonly Requirement[]): Truth {
  return all(requirements.map(({ met }) => met(place)));
}

/** A service with a capacity provider strategy places its tasks only on instances of those providers. */
function providerOf({ capacityProviders }: ServicePlacement): Requirement[] {
  if (capacityProviders.length === 0) return [];
  return [
    {
      kind: 'capacity-provider',
      needs: `capacity provider ${capacityProviders.join(' or ')}`,
      met: ({ capacityProvider }) => truthOf(capacityProviders.some((each) => each === capacityProvider)),
      instead: ({ capacityProvider }) =>
        capacityProvider === undefined ? 'no capacity provider' : `capacity provider ${capacityProvider}`,
      attributes: [],
      ofImage: false,
    },
  ];
}

const ZONE = 'ecs.availability-zone';

/**
 * "The tasks are placed on compatible Amazon EC2 instances in the same Availability Zones as those subnets."
 * Elsewhere AWS says "in the same subnet", which isn't held against an instance.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-networking-awsvpc.html
 */
function zonesOf({ zones }: ServicePlacement): Requirement[] {
  if (zones === undefined) return [];
  const text = `attribute:${ZONE} in [${zones.join(', ')}]`;
  return [
    {
      ...expression(text, parseQuery(text)),
      needs: `an instance in ${zones.join(' or ')}, where its subnets are`,
      instead: ({ attributes }) => `Availability Zone ${attributes.get(ZONE)}`,
    },
  ];
}

/** Each is compared with every instance, and whoever creates services could have thousands compared. */
const MOST_COMPARISONS = 20;

/** Those beyond the most are unknown. */
function expressionsIn(texts: readonly string[]): Requirement[] {
  let left = MOST_COMPARISONS;
  return texts.map((text) => {
    const query = left > 0 ? parseQuery(text) : undefined;
    left -= comparisonsIn(query);
    return expression(text, left < 0 ? undefined : query);
  });
}

function comparisonsIn(query: Query | undefined): number {
  if (query === undefined) return 0;
  if (query.kind === 'comparison') return 1;
  if (query.kind === 'not') return comparisonsIn(query.query);
  return comparisonsIn(query.left) + comparisonsIn(query.right);
}

function expression(text: string, query: Query | undefined): Requirement {
  const attributes = [...new Set(attributesIn(query))];
  return {
    kind: 'expression',
    needs: `memberOf(${text})`,
    met: (place) => (query === undefined ? 'unknown' : matches(query, place)),
    instead: (place) => attributes.map((name) => had(place, name)).join(' and '),
    attributes,
    ofImage: false,
  };
}

function attribute({ name, value }: TaskDefinition['attributes'][number]): Requirement {
  return {
    kind: 'attribute',
    needs: value === undefined ? `attribute ${name}` : `attribute ${name} = ${value}`,
    met: ({ attributes, guessed }) => {
      if (guessed.has(name)) return 'unknown';
      return truthOf(attributes.has(name) && (value === undefined || attributes.get(name) === value));
    },
    instead: (place) => had(place, name),
    attributes: [name],
    ofImage: isOfAgent(name),
  };
}

const UNITS = { cpu: 'CPU units', memory: 'MiB of memory', gpus: 'GPUs' } as const;

function resourcesOf(asked: Resources): Requirement[] {
  return (['cpu', 'memory', 'gpus'] as const).flatMap((name): Requirement[] => {
    const amount = asked[name] ?? 0;
    if (amount === 0) return [];
    return [
      {
        kind: 'resource',
        needs: `${amount} ${UNITS[name]}`,
        met: ({ resources }) => truthOfAmount(resources[name], amount),
        instead: ({ resources }) => `${resources[name] ?? 'an unknown number of'} ${UNITS[name]}`,
        attributes: [],
        // CPU units are the type's.
        ofImage: name !== 'cpu',
      },
    ];
  });
}

function truthOfAmount(registered: number | undefined, amount: number): Truth {
  return registered === undefined ? 'unknown' : truthOf(registered >= amount);
}

function had({ attributes }: Place, name: string): string {
  const value = attributes.get(name);
  return value === undefined ? `no attribute ${name}` : `${name} = ${value}`;
}

/** Names of the attributes that an expression asks for. */
function attributesIn(query: Query | undefined): string[] {
  if (query === undefined) return [];
  switch (query.kind) {
    case 'comparison':
      return query.subject.startsWith('attribute:') ? [query.subject.slice('attribute:'.length)] : [];
    case 'not':
      return attributesIn(query.query);
    default:
      return [...attributesIn(query.left), ...attributesIn(query.right)];
  }
}
