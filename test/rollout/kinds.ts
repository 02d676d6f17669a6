import { FAMILIES, type Family } from '../simulated-aws/world/ec2/families.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { ASKS, addHook } from './hook.ts';
import type { StageOptions } from './stage.ts';

/** A kind of group, or of roll, that is rolled from end to end under the invariants. */
export interface Kind extends Pick<StageOptions, 'environment' | 'expectations' | 'furnish'> {
  readonly name: string;
  /** How many instances are replaced. */
  readonly replaces: number;
}

const OLD = { ageDays: 40 } as const;
const NEW = { ageDays: 3 } as const;
const AL2023 = 'amazon-linux-2023';
const AL2023_ARM = 'amazon-linux-2023/arm64';

type GroupOptions = Parameters<World['addGroup']>[0];

/**
 * A cluster with one group and two services, and a newer release of each family than the one that it runs.
 */
function cluster(
  world: World,
  families: readonly Family[],
  group: (images: Images) => Partial<GroupOptions>,
) {
  const made = world.addCluster('demo');
  const images = families.map((family) => world.release(family, OLD));
  const [image] = images;
  if (image === undefined) throw new Error('there must be a family');
  const options = { name: 'demo-ecs', cluster: made.name, image, instances: 4, ...group(images) };
  const added = world.addGroup(options);
  world.addService('demo', { name: 'log-router', strategy: 'DAEMON' });
  world.addService('demo', { name: 'web', desiredCount: 6 });
  world.addService('demo', { name: 'worker', desiredCount: 3, minimumHealthyPercent: 50 });
  for (const family of families) world.release(family, NEW);
  return added;
}
type Images = readonly ReturnType<World['release']>[];

const template = { launchSpec: 'launch-template' } as const;
const LEAST = { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 2048 } };
const mixed = { launchSpec: 'mixed-instances' } as const;
const WEIGHED = [
  { instanceType: 'm5.large', weight: 1 },
  { instanceType: 'm5a.large', weight: 2 },
];

function ofFamily(family: Family): Kind {
  return {
    name: `family ${family}`,
    furnish: (world) => cluster(world, [family], () => ({ ...template, instances: 1 })),
    replaces: 1,
  };
}

export const FAMILY_KINDS: readonly Kind[] = FAMILIES.map(ofFamily);

/** Each with writes of its own, or reads that others don't make, so that each is killed at every call. */
export const KINDS: readonly Kind[] = [
  {
    name: 'services placed by attributes and on instances of their own',
    furnish(world) {
      cluster(world, [AL2023], () => ({
        ...template,
        instanceAttributes: { stack: 'blue' },
        // As many as its services need.
        minSize: 3,
      }));
      const definition = { expressions: ['attribute:ecs.instance-type =~ m5.*'] };
      const checked = { definition: { checksHealth: true }, isLoadBalanced: true };
      const expressions = ['attribute:stack == blue'];
      world.addService('demo', { name: 'tied', desiredCount: 2, expressions, ...checked });
      world.addService('demo', { name: 'apart', desiredCount: 3, distinctInstance: true, definition });
    },
    replaces: 4,
  },
  {
    name: 'services rebalanced across two zones, by the other reading',
    furnish(world) {
      Object.assign(world.state.readings, {
        zonesBalanced: 'of-hosts',
        zoneBalancingWhenUnsteady: 'goes-on',
      });
      cluster(world, [AL2023], () => ({ ...template, zones: ['a', 'b'] }));
      world.addService('demo', { name: 'shop', desiredCount: 5, isLoadBalanced: true, maximumPercent: 150 });
    },
    replaces: 4,
  },
  {
    name: 'services deployed by each strategy',
    furnish(world) {
      cluster(world, [AL2023], () => template);
      const bakes = { bakeTimeInMinutes: 1 } as const;
      const breaker = { deploymentCircuitBreaker: { enable: true, rollback: true } } as const;
      world.owner.startDeployment('web', { strategy: 'BLUE_GREEN', configuration: bakes });
      world.owner.startDeployment('worker', { fails: true, configuration: breaker });
      for (const strategy of ['LINEAR', 'CANARY'] as const) {
        world.addService('demo', { name: strategy.toLowerCase(), desiredCount: 2 });
        const configuration = {
          ...bakes,
          linearConfiguration: { stepPercent: 50, stepBakeTimeInMinutes: 1 },
          canaryConfiguration: { canaryBakeTimeInMinutes: 1 },
        };
        world.owner.startDeployment(strategy.toLowerCase(), { strategy, configuration });
      }
    },
    replaces: 4,
  },
  {
    name: 'launch configuration',
    furnish: (world) => cluster(world, [AL2023], () => ({})),
    replaces: 4,
  },
  ...(['1', '$Latest', '$Default', undefined] as const).map(
    (version): Kind => ({
      name: `launch template by ${version ?? 'no version'}`,
      furnish: (world) => cluster(world, [AL2023], () => ({ ...template, version })),
      replaces: 4,
    }),
  ),
  {
    name: 'public alias',
    furnish: (world) =>
      cluster(world, [AL2023], () => ({
        ...template,
        imageReference: 'resolve:ssm:/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id',
      })),
    replaces: 4,
  },
  {
    name: 'own alias by label',
    furnish: (world) => {
      const first = world.addImage('golden-1', OLD);
      const version = world.setParameter('/golden', first.id);
      world.labelParameter('/golden', version, 'stable');
      world.addCluster('demo');
      const group = { name: 'demo-ecs', cluster: 'demo', image: first, instances: 3, ...template };
      world.addGroup({ ...group, imageReference: 'resolve:ssm:/golden:stable' });
      world.addService('demo', { name: 'web', desiredCount: 3 });
      const second = world.addImage('golden-2', NEW);
      world.labelParameter('/golden', world.setParameter('/golden', second.id), 'stable');
    },
    expectations: { targetImageId: 'ami-00000000000000002' },
    replaces: 3,
  },
  {
    name: 'mixed instances by the base template',
    furnish: (world) => cluster(world, [AL2023], () => ({ ...mixed, version: '1' })),
    replaces: 4,
  },
  {
    name: 'mixed instances of two architectures by templates',
    furnish: (world) =>
      cluster(world, [AL2023, AL2023_ARM], ([x86, arm]) => ({
        ...mixed,
        version: '$Latest',
        overrides: [
          { instanceType: 'm5.large' },
          { instanceType: 'm6g.large', template: { image: arm ?? x86, version: '1' } },
        ] as GroupOptions['overrides'],
      })),
    replaces: 4,
  },
  {
    name: 'mixed instances of two architectures by requirements',
    furnish: (world) => {
      world.state.readings.writesUnset = 'empty-elements';
      return cluster(world, [AL2023, AL2023_ARM], ([, arm]) => ({
        ...mixed,
        version: '1',
        overrides: [
          { requirements: LEAST },
          { requirements: LEAST, image: arm },
        ] as GroupOptions['overrides'],
      }));
    },
    replaces: 4,
  },
  {
    name: 'mixed instances with images of overrides',
    furnish: (world) =>
      cluster(world, [AL2023, AL2023_ARM], ([, arm]) => ({
        ...mixed,
        version: '$Default',
        overrides: [
          { instanceType: 'm5.large' },
          { instanceType: 'm6g.large', image: arm },
          { instanceType: 'c6g.large', image: arm },
        ] as GroupOptions['overrides'],
      })),
    replaces: 4,
  },
  {
    name: 'mixed instances with weights',
    furnish: (world) => cluster(world, [AL2023], () => ({ ...mixed, overrides: WEIGHED })),
    environment: { MAX_SURGE: '2' },
    expectations: { maxSurge: 4 },
    replaces: 4,
  },
  {
    name: 'target group and weights',
    furnish: (world) => {
      const { arn } = world.addTargetGroup({ name: 'web' });
      const sizes = { targetGroupArns: [arn], maxSize: 20 };
      cluster(world, [AL2023], () => ({ ...mixed, overrides: WEIGHED, ...sizes }));
    },
    environment: { MAX_SURGE: '2' },
    // In weight, and the sizes are in weight too.
    expectations: { maxSurge: 5, allowsFewerTargets: true },
    replaces: 4,
  },
  {
    name: 'mixed instances, On-Demand base',
    furnish: (world) => {
      const targetGroupArns = [world.addTargetGroup({ name: 'web' }).arn];
      const distribution = { OnDemandBaseCapacity: 2, OnDemandPercentageAboveBaseCapacity: 0 };
      const sizes = { instances: 2, maxSize: 6, zones: ['a'] } as const;
      cluster(world, [AL2023], () => ({ ...mixed, distribution, targetGroupArns, ...sizes }));
    },
    environment: { MAX_SURGE: '1' },
    // A Spot Instance comes up for the first, and an On-Demand one for it in the end.
    expectations: { maxSurge: 1, surplus: 1 },
    replaces: 3,
  },
  {
    name: 'target group, within the maximum',
    furnish: (world) => {
      const { arn } = world.addTargetGroup({ name: 'web' });
      cluster(world, [AL2023], () => ({ ...template, targetGroupArns: [arn], maxSize: 10 }));
    },
    environment: { MAX_SURGE: '2' },
    expectations: { maxSurge: 2 },
    replaces: 4,
  },
  {
    name: 'target group, above the maximum',
    furnish: (world) => {
      const { arn } = world.addTargetGroup({ name: 'web' });
      cluster(world, [AL2023], () => ({ targetGroupArns: [arn], healthCheckType: 'ELB' }));
    },
    environment: { RAISE_MAX_SIZE: 'true', MAX_SURGE: '2' },
    expectations: { maxSurge: 2, raisesMaxSize: true },
    replaces: 4,
  },
  {
    name: 'classic load balancer',
    furnish: (world) => {
      const { name } = world.addLoadBalancer('classic');
      cluster(world, [AL2023], () => ({ loadBalancerNames: [name], maxSize: 20 }));
    },
    environment: { MAX_SURGE: '4' },
    expectations: { maxSurge: 4 },
    replaces: 4,
  },
  ...(['skip', 'run'] as const).map(
    (TERMINATE_HOOKS): Kind => ({
      name: `zones served apart, with terminate hooks: ${TERMINATE_HOOKS}`,
      furnish: (world) => {
        world.state.readings.zoneWhenEven = 'last-launched';
        const { arn } = world.addTargetGroup({ name: 'web', balancer: 'network' });
        cluster(world, [AL2023], () => ({
          ...template,
          targetGroupArns: [arn],
          instances: 2,
          maxSize: 8,
          zones: ['a', 'b'],
        }));
      },
      environment: { CANARY: '1', BAKE_SECONDS: '30', TERMINATE_HOOKS },
      // In each roll, one comes up in a zone that needs none.
      expectations: { surplus: 3 },
      replaces: 3,
    }),
  ),
  {
    name: 'zones of a service served apart',
    furnish: (world) => {
      world.state.readings.zoneWhenEven = 'last-launched';
      cluster(world, [AL2023], () => ({ ...template, instances: 6, maxSize: 24 }));
      world.addService('demo', { name: 'shop', desiredCount: 4, isLoadBalanced: true, balancer: 'network' });
    },
    environment: { CANARY: '1', BAKE_SECONDS: '30' },
    replaces: 6,
  },
  {
    name: 'no surge',
    furnish: (world) => cluster(world, [AL2023], () => ({ ...template, instances: 3, minSize: 3 })),
    environment: { MAX_SURGE: '0' },
    expectations: { maxSurge: 0 },
    replaces: 3,
  },
  {
    name: 'no surge, managed draining',
    furnish: (world) => {
      const { name } = cluster(world, [AL2023], () => ({ ...template, instances: 2 }));
      world.addCapacityProvider({ name: 'demo', cluster: 'demo', group: name });
    },
    environment: { MAX_SURGE: '0' },
    expectations: { maxSurge: 0 },
    replaces: 2,
  },
  {
    name: 'no surge behind a target group',
    furnish: (world) => {
      const { arn } = world.addTargetGroup({ name: 'web' });
      const options = { ...template, targetGroupArns: [arn], healthCheckType: 'ELB', instances: 3 } as const;
      cluster(world, [AL2023], () => options);
    },
    environment: { MAX_SURGE: '0' },
    expectations: { maxSurge: 0, allowsFewerTargets: true },
    replaces: 3,
  },
  {
    name: 'registered twice',
    furnish: (world) => {
      const group = cluster(world, [AL2023], () => ({ ...template, instances: 3 }));
      const [first] = group.members.keys();
      world.faults.wipeAgent(first ?? '', 'alive');
      for (const { id } of world.state.images.values()) world.faults.setRegistration(id, 'twice');
    },
    replaces: 3,
  },
  {
    name: 'batches',
    furnish: (world) => cluster(world, [AL2023], () => template),
    environment: { MAX_SURGE: '1' },
    expectations: { maxSurge: 1 },
    replaces: 4,
  },
  ...(['Stopped', 'Running'] as const).map(
    (state): Kind => ({
      name: `warm pool, ${state}`,
      furnish: (world) =>
        cluster(world, [AL2023], () => ({ ...template, instances: 2, warmPool: { size: 2, state } })),
      replaces: 4,
    }),
  ),
  {
    name: 'a growing warm pool',
    furnish: (world) => {
      const targetGroupArns = [world.addTargetGroup({ name: 'web' }).arn];
      const warmPool = { state: 'Stopped' } as const;
      cluster(world, [AL2023], () => ({ ...template, instances: 2, maxSize: 4, targetGroupArns, warmPool }));
    },
    replaces: 4,
  },
  {
    name: 'processes, one suspended by its owner',
    furnish: (world) => {
      const { name } = cluster(world, [AL2023], () => ({ ...template, instances: 6 }));
      world.owner.suspend(name, 'InstanceRefresh', 'AlarmNotification');
    },
    environment: { MAX_SURGE: '3' },
    expectations: { maxSurge: 3 },
    replaces: 6,
  },
  {
    name: 'lifecycle hooks',
    furnish: (world) => {
      const { name } = cluster(world, [AL2023], () => ({ ...template, instances: 2 }));
      world.owner.addLifecycleHook(name, { transition: 'launching', seconds: 40 });
      world.owner.addLifecycleHook(name, { transition: 'terminating', seconds: 40 });
    },
    environment: { MAX_SURGE: '0' },
    expectations: { maxSurge: 0 },
    replaces: 2,
  },
  ...([true, false] as const).map(
    (isProtected): Kind => ({
      name: `managed scaling${isProtected ? ', with managed termination protection' : ''}`,
      furnish: (world) => {
        const { name } = cluster(world, [AL2023], () => ({ ...template, protectsNewInstances: isProtected }));
        const managedTerminationProtection = isProtected ? 'ENABLED' : 'DISABLED';
        const provider = {
          name: 'scaled',
          cluster: 'demo',
          group: name,
          managedTerminationProtection,
        } as const;
        world.addCapacityProvider(provider);
      },
      replaces: 4,
    }),
  ),
  {
    name: 'terminate hooks run',
    furnish: (world) => {
      const { name } = cluster(world, [AL2023], () => ({ ...template, instances: 3, maxSize: 8 }));
      world.owner.addLifecycleHook(name, { name: 'logs', transition: 'terminating', seconds: 40 });
    },
    environment: { TERMINATE_HOOKS: 'run', MAX_SURGE: '2' },
    expectations: { maxSurge: 2 },
    // One more for even zones.
    replaces: 4,
  },
  {
    name: 'as many drain at once as services can spare',
    furnish: (world) => cluster(world, [AL2023], () => ({ ...template, instances: 6 })),
    environment: { DRAIN_CONCURRENCY: 'auto' },
    expectations: { drainConcurrency: Number.POSITIVE_INFINITY },
    replaces: 6,
  },
  {
    name: 'asks a hook first',
    furnish: (world) => {
      cluster(world, [AL2023], () => template);
      addHook(world);
    },
    environment: { ...ASKS, CANARY: '1', MAX_SURGE: '2' },
    expectations: { maxSurge: 2 },
    replaces: 4,
  },
  {
    name: 'several groups, two at once',
    furnish: (world) => {
      const { name: cluster } = standardScenario({
        world,
        instances: 2,
      }).cluster;
      const image = world.release(AL2023_ARM, OLD);
      const second = world.addGroup({ name: 'second', cluster, image, instances: 2, ...template });
      world.addGroup({ name: 'empty', cluster, image, instances: 0, ...template });
      world.addCapacityProvider({ name: 'second', cluster, group: second.name });
      world.release(AL2023_ARM, NEW);
    },
    environment: { GROUPS: 'empty', GROUP_CONCURRENCY: '2' },
    expectations: { drainConcurrency: 1 },
    replaces: 4,
  },
  {
    name: 'bound to a Capacity Reservation',
    environment: { MAX_SURGE: '1' },
    furnish(world) {
      const { id } = world.addCapacityReservation({ total: 5 });
      cluster(world, [AL2023], () => ({ ...template, zones: ['a'], reservedInTemplate: id }));
    },
    replaces: 4,
  },
  {
    name: 'in a spread placement group, which takes seven a zone',
    environment: { MAX_SURGE: '3' },
    furnish(world) {
      world.addPlacementGroup({ name: 'apart' });
      cluster(world, [AL2023], () => ({ ...template, zones: ['a'], placementGroup: 'apart' }));
    },
    replaces: 4,
  },
];

export function kindNamed(name: string): Kind {
  const kind = KINDS.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}
