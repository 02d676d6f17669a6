import { canRoll } from '../group/assess.ts';
import { strategyOf } from '../group/strategy.ts';
import type { Assessment, ClusterAssessment, Leaving } from '../model/assessment.ts';
import type { Service, Stranded, Task } from '../model/cluster.ts';
import type { Group } from '../model/group.ts';
import { idSetOf } from '../model/members.ts';
import type { Observation } from '../model/observation.ts';
import type { TaskDefinition } from '../model/placement.ts';
import { bestOf, instanceIdsOf, registrationsOf } from '../model/registrations.ts';
import { groupOfService } from '../model/task-group.ts';
import type { Fault } from '../reasons/faults.ts';
import { fits, type Requirement, requirementsOf } from './constraints.ts';
import { activeIn, type Place, placeOf } from './place.ts';

/** The known task definitions, by ARN. */
export type TaskDefinitions = ReadonlyMap<string, TaskDefinition>;

/** What one instance is compared with. */
interface Departure {
  readonly group: Group;
  readonly instance: Leaving;
  readonly observation: Observation;
  readonly definitions: TaskDefinitions;
  /** Where the instance is now. */
  readonly here?: Place;
  /** ACTIVE ones that stay. */
  readonly staying: readonly Place[];
  /** ACTIVE ones apart from this one. */
  readonly others: readonly Place[];
}

/**
 * Compares what services on an instance need with what the remaining instances have, before it drains. With a
 * minimumHealthyPercent below 100, ECS stops tasks even if they fit nowhere else.
 *
 * @param tasks tasks on instances that have a turn, and on those whose drain was given up
 */
export function strandedOn(
  { observation, groups }: ClusterAssessment,
  tasks: readonly Task[],
  definitions: TaskDefinitions,
): ReadonlyMap<string, readonly Stranded[]> {
  const assessed = groups.filter(canRoll);
  const going = new Map(assessed.map((each) => [each.group, goingOf(each)]));
  const active = activeIn(observation).flatMap((each) => placeOf(each) ?? []);
  const found = new Map<string, readonly Stranded[]>();
  for (const each of assessed) {
    for (const instance of inTurn(each).filter((one) => isCompared(one, each.group))) {
      const departure = departureOf(each.group, instance, observation, definitions, going, active);
      const stranded = servicesOn(instance, observation, tasks).flatMap((service) =>
        strandedBy(service, departure),
      );
      if (stranded.length > 0) found.set(instance.instanceId, stranded);
    }
  }
  return found;
}

/** Instances that have a turn, or whose drain was given up. */
export function inTurn({ classified: { leaving } }: Assessment): Leaving[] {
  return leaving.filter(({ mark, excluded }) => mark.drainStartedAt !== undefined && !excluded);
}

/** A rollback removes failed instances in any case: their tasks are worse off where they are. */
function isCompared({ launchedAt }: Leaving, { roll }: Group): boolean {
  return roll?.course.kind !== 'rollback' || launchedAt < roll.startedAt;
}

/**
 * The instances that leave, of this group and of others. In place, old members serve until the last is
 * replaced.
 */
interface Going {
  readonly own: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

function goingOf({ group, settings, classified }: Assessment): Going {
  const leaving = instanceIdsOf(classified.leaving.filter(({ excluded }) => !excluded));
  const drifted = instanceIdsOf([...classified.drifted, ...classified.warm].map(({ instance }) => instance));
  const all = new Set([...leaving, ...drifted]);
  const isInPlace = strategyOf(group, settings) === 'in-place';
  return { own: isInPlace ? new Set(leaving) : all, all };
}

function departureOf(
  group: Group,
  instance: Leaving,
  observation: Observation,
  definitions: TaskDefinitions,
  going: ReadonlyMap<Group, Going>,
  active: readonly Place[],
): Departure {
  const goingHere = [...going].map(([each, { own, all }]) => (each === group ? own : all));
  const isGoing = ({ instanceId = '' }: Place) => goingHere.some((ids) => ids.has(instanceId));
  const others = active.filter(({ instanceId }) => instanceId !== instance.instanceId);
  const known = bestOf(registrationsOf(observation, instance.instanceId));
  return {
    group,
    instance,
    observation,
    definitions,
    here: known && placeOf(known),
    staying: others.filter((each) => !isGoing(each)),
    others,
  };
}

function servicesOn({ instanceId }: Leaving, observation: Observation, tasks: readonly Task[]): Service[] {
  const arns = registrationsOf(observation, instanceId).map(({ arn }) => arn);
  const groups = new Set(
    tasks.filter((task) => arns.includes(task.containerInstanceArn)).map(({ group }) => group),
  );
  return (observation.details?.services ?? []).filter(({ name }) => groups.has(groupOfService(name)));
}

/**
 * A daemon runs "on each active container instance that meets" what it needs, and so on none that runs an
 * image without: that alone strands it.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs_service-options.html
 */
function strandedBy(service: Service, departure: Departure): Stranded[] {
  const { placement, name, daemon } = service;
  const before = takenDownBefore(name, departure);
  if (before !== undefined) return [{ service: name, why: before, byImage: false }];
  // There is nothing to compare with; the wait for instances reports that.
  const places = daemon ? replacementsIn(departure) : departure.staying;
  if (placement === undefined || places.length === 0) return [];
  const definition = departure.definitions.get(placement.taskDefinition ?? '');
  const requirements = requirementsOf(placement, definition).filter((each) => isConclusive(each, departure));
  if (places.every((place) => fits(place, requirements) === 'no'))
    return [nowhere(service, requirements, departure)].filter(({ byImage }) => byImage || !daemon);
  const isExclusive = placement.distinctInstance || definition?.bindsHostPorts === true;
  return isExclusive && !daemon ? tooFew(service, requirements, departure) : [];
}

/**
 * Whether a requirement tells anything. If the task's own instance doesn't meet it either, our comparison is
 * wrong, unless it is an expression, which may have changed since.
 */
function isConclusive({ kind, met }: Requirement, { here }: Departure): boolean {
  return kind === 'expression' || (here !== undefined && met(here) === 'yes');
}

/**
 * A drain that was given up took this service down before, so draining another instance with its tasks would,
 * too.
 */
function takenDownBefore(service: string, { instance, observation }: Departure): Fault | undefined {
  const others = observation.groups.flatMap(({ instances }) => instances);
  const first = others.find(
    ({ instanceId, alive, mark }) =>
      alive &&
      instanceId !== instance.instanceId &&
      mark?.drainGivenUpAt !== undefined &&
      mark.shortServices?.includes(service),
  );
  return first && { kind: 'ran-short-before', service, instanceId: first.instanceId };
}

function nowhere(service: Service, requirements: readonly Requirement[], departure: Departure): Stranded {
  const sample = sampleOf(departure);
  const lacked = requirements.find(({ met }) => met(sample) === 'no');
  const needs = lacked?.needs ?? 'another instance';
  const has = lacked?.instead(sample) || 'nothing of the kind';
  const { instanceId } = sample;
  const why = {
    kind: 'place-unfit',
    service: service.name,
    needs,
    has,
    ...(instanceId !== undefined && { instanceId }),
  } as const;
  return { service: service.name, why, byImage: lacked !== undefined && isImageAtFault(lacked, departure) };
}

/** A new instance of the group, if there is one. */
function sampleOf(departure: Departure): Place {
  const [first = NOWHERE] = [...replacementsIn(departure), ...departure.staying];
  return first;
}

const NOWHERE: Place = { attributes: new Map(), guessed: new Set(), resources: {} };

function replacementsIn({ group: { members, instances, roll }, staying }: Departure): Place[] {
  const startedAt = roll?.startedAt;
  const own = idSetOf(members);
  const since = instances.filter(({ launchedAt }) => startedAt !== undefined && launchedAt >= startedAt);
  const ids = idSetOf(since.filter((each) => own.has(each.instanceId)));
  return staying.filter(({ instanceId = '' }) => ids.has(instanceId));
}

/**
 * If an agent can do less than the old one on the same instance type, or its kernel leaves less memory, the
 * new image is to blame.
 *
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/memory-management.html
 */
function isImageAtFault({ ofImage, met }: Requirement, departure: Departure): boolean {
  const replacements = replacementsIn(departure);
  const type = (place: Place | undefined) => place?.attributes.get('ecs.instance-type');
  return (
    ofImage &&
    departure.group.roll?.course.kind === 'forward' &&
    replacements.length > 0 &&
    replacements.every((place) => met(place) === 'no' && type(place) === type(departure.here))
  );
}

/**
 * If each task needs its own instance, checks that enough are left without this one. A service that desires
 * more than there are instances has more tasks during a roll, and needs as many as it had before. Managed
 * scaling of a capacity provider may add some.
 */
function tooFew(service: Service, requirements: readonly Requirement[], departure: Departure): Stranded[] {
  const { name, desiredCount, runningCount, placement } = service;
  if ((placement?.capacityProviders.length ?? 0) > 0) return [];
  const room = departure.others.filter((place) => fits(place, requirements) !== 'no').length;
  const before = departure.group.roll?.unsteady.find((each) => each.name === name);
  const count = Math.min(desiredCount, runningCount, before?.runningCount ?? runningCount);
  if (count <= room) return [];
  const by = placement?.distinctInstance ? 'distinctInstance' : 'host-port';
  return [
    { service: name, why: { kind: 'places-too-few', service: name, count, left: room, by }, byImage: false },
  ];
}
