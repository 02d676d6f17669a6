import { canRoll } from '../group/assess.ts';
import { strategyOf } from '../group/strategy.ts';
import type { Assessment, ClusterAssessment } from '../model/assessment.ts';
import type { Service } from '../model/cluster.ts';
import type { TaskDefinition } from '../model/placement.ts';
import type { Misfit } from '../model/preflight-facts.ts';
import { fits, type Requirement, requirementsOf } from '../placement/constraints.ts';
import { activeIn, type Place, placeOf, successorOf } from '../placement/place.ts';
import type { TaskDefinitions } from '../placement/stranded.ts';

/** Services whose tasks may find no place once the outdated members of all groups are replaced. */
export function misfitsOf(
  assessment: Assessment,
  cluster: ClusterAssessment,
  definitions: TaskDefinitions,
): readonly Misfit[] {
  const { observation } = assessment;
  const places = placesToCome(cluster);
  return (observation.details?.services ?? []).filter(runsOnInstances).flatMap((service) => {
    const definition = definitions.get(service.placement?.taskDefinition ?? '');
    const requirements = requirementsOf(service.placement, definition);
    return [
      ...misfit(service, requirements, places),
      ...withoutSurge(service, requirements, definition, assessment),
    ];
  });
}

type PlacedService = Service & Required<Pick<Service, 'placement'>>;

/** Whether its tasks need a place; daemons run on every instance anyway. */
export function runsOnInstances(service: Service): service is PlacedService {
  return service.placement !== undefined && !service.daemon && service.desiredCount > 0;
}

/** The instances that stay, and those that replace the others, in any zone of their group. */
function placesToCome({ observation, groups }: ClusterAssessment): Place[] {
  const active = activeIn(observation);
  const going = groups.filter(canRoll).map((each) => ({
    ids: goingIn(each),
    imageIds: imagesToCome(each),
    zones: each.group.availabilityZones ?? [undefined],
  }));
  const staying = active.filter(({ instanceId }) => going.every(({ ids }) => !ids.has(instanceId)));
  const coming = going.flatMap(({ ids, imageIds, zones }) =>
    active
      .filter(({ instanceId }) => ids.has(instanceId))
      .flatMap((each) =>
        imageIds.flatMap((imageId) => zones.flatMap((zone) => successorOf(each, imageId, zone) ?? [])),
      ),
  );
  return [...staying.flatMap((each) => placeOf(each) ?? []), ...coming];
}

function goingIn({ classified }: Assessment): ReadonlySet<string> {
  const drifted = classified.drifted.map(({ instance }) => instance.instanceId);
  return new Set([...drifted, ...classified.leaving.map(({ instanceId }) => instanceId)]);
}

function imagesToCome({ launch, outdated }: Assessment): string[] {
  const ids = outdated.map(({ imageId }) => imageId);
  return launch.sources.map(({ imageId, target }) => (ids.includes(imageId) ? target.imageId : imageId));
}

/** Before there is a new instance, only the expressions can be compared. */
function misfit({ name }: Service, requirements: readonly Requirement[], places: readonly Place[]): Misfit[] {
  const expressions = requirements.filter(({ kind }) => kind === 'expression');
  const truths = places.map((place) => fits(place, expressions));
  const [first] = places;
  if (first === undefined || truths.includes('yes')) return [];
  const certain = !truths.includes('unknown');
  const best = places[truths.indexOf(certain ? 'no' : 'unknown')] ?? first;
  const lacked = expressions.find(({ met }) => met(best) !== 'yes');
  const needs = lacked?.needs ?? '';
  if (certain) {
    const has = lacked?.instead(best) || 'nothing of the kind';
    return [{ service: name, obstacle: { code: 'service-fits-nowhere', service: name, needs, has } }];
  }
  const guessed = (lacked?.attributes ?? []).filter((attribute) => best.guessed.has(attribute));
  return [{ service: name, warning: { code: 'place-uncertain', service: name, needs, guessed } }];
}

/**
 * Without a surge, each task must find another instance before there is a new one. Of a cluster's only
 * instance nothing is said, as its drain is held up by none of this.
 */
function withoutSurge(
  { name, desiredCount, runningCount, placement }: PlacedService,
  requirements: readonly Requirement[],
  definition: TaskDefinition | undefined,
  { group, settings, observation }: Assessment,
): Misfit[] {
  const isExclusive = placement.distinctInstance || definition?.bindsHostPorts === true;
  if (strategyOf(group, settings) !== 'in-place' || placement.capacityProviders.length > 0) return [];
  const places = activeIn(observation).flatMap((each) => placeOf(each) ?? []);
  const fitting = places.filter((place) => fits(place, requirements) !== 'no').length;
  const count = isExclusive ? Math.min(desiredCount, runningCount) : 1;
  const isTold = isExclusive ? places.length > 0 : fitting === 1 && places.length > 1;
  if (!isTold || count < fitting) return [];
  const left = Math.max(0, fitting - 1);
  const obstacle = { code: 'service-needs-surge', service: name, count, left } as const;
  return [{ service: name, obstacle }];
}
