import { strategyOf } from '../group/strategy.ts';
import { namedPlace } from '../launch-spec/named.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Obstacle } from '../reasons/obstacles.ts';

/**
 * Checks that replacements can come before the old instances go: "If you specify any existing network
 * interface IDs, you can launch only one instance."
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/create-launch-template.html
 */
export function namedInterfaces({ group, settings, launch, classified }: Assessment): Obstacle[] {
  if (strategyOf(group, settings) === 'in-place' || classified.drifted.length === 0) return [];
  return launch.sources.flatMap(({ place, networkInterface }): Obstacle[] =>
    networkInterface === undefined
      ? []
      : [{ code: 'network-interface-named', place: namedPlace(place), networkInterface }],
  );
}
