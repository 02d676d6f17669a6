import type { Image } from '../world/ec2/model.ts';
import { type Scenario, standardScenario } from '../world/scenario.ts';
import type { World } from '../world/world.ts';
import type { Furnishing, Trouble } from './options.ts';

/** The cluster that is to be rolled, and another whose business that is not. */
export function furnish(world: World, options: Furnishing): Scenario {
  const { cluster, instances, standaloneTasks, standaloneSeconds, maxSize = 2 * instances } = options;
  const scenario = standardScenario({
    ...options,
    world,
    version: options.launchTemplateVersion,
    group: {
      maxSize,
      namesRootSnapshot: options.namesRootSnapshot,
      launchTags: { team: 'platform' },
      targetGroupArns: targetGroups(world, options.targetGroups),
    },
  });
  const lifetime = standaloneSeconds > 0 ? { lifetimeSeconds: standaloneSeconds } : {};
  for (let count = 0; count < standaloneTasks; count++)
    world.addStandaloneTask(cluster, { family: 'job', ...lifetime });
  addProvider(world, options, scenario.group.name);
  addNeighbour(world, cluster, scenario.oldImage);
  return scenario;
}

function targetGroups(world: World, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => world.addTargetGroup({ name: `group-${index + 1}` }).arn,
  );
}

function addProvider(world: World, options: Furnishing, group: string): void {
  const { cluster, managedScaling, managedDraining } = options;
  if (!managedScaling && !managedDraining) return;
  const enabled = (isEnabled: boolean) => (isEnabled ? 'ENABLED' : 'DISABLED');
  world.addCapacityProvider({
    name: `${cluster}-capacity`,
    cluster,
    group,
    managedScaling: enabled(managedScaling),
    managedDraining: enabled(managedDraining),
  });
}

function addNeighbour(world: World, cluster: string, image: Image): void {
  const name = `${cluster}-neighbour`;
  world.addCluster(name);
  world.addGroup({
    name: `${name}-ecs`,
    cluster: name,
    image,
    instances: 2,
    maxSize: 4,
    launchSpec: 'launch-template',
  });
  world.addService(name, { name: 'neighbour', desiredCount: 2 });
}

/** Members of the group die, one after the other. */
export function letDie(world: World, { group }: Scenario, { deathSeconds }: Pick<Trouble, 'deathSeconds'>) {
  if (deathSeconds === 0) return;
  const dieNext = () => {
    const serving = [...group.members.values()].filter((member) => member.lifecycleState === 'InService');
    const [oldest] = serving;
    if (oldest !== undefined) world.faults.killInstance(oldest.instance.id);
    world.clock.schedule(deathSeconds, dieNext);
  };
  world.clock.schedule(deathSeconds, dieNext);
}
