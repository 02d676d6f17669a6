import type { Kind } from '../rollout/kinds.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { Draw } from './random.ts';

type GroupOptions = Parameters<World['addGroup']>[0];
type ServiceOptions = Parameters<World['addService']>[1];

/** Of the images that groups run and get. */
const FAMILY = 'amazon-linux-2023';

/** What may be attached to a group for its instances to serve. */
const SOURCES = ['none', 'none', 'application', 'network', 'classic'] as const;
type Sources = (typeof SOURCES)[number];

const WEIGHED = [
  { instanceType: 'm5.large', weight: 1 },
  { instanceType: 'm5a.large', weight: 2 },
];
const HEAVIEST = 2;

const EVERY_HALF_HOUR = '0,30 * * * * 20m';

/**
 * A kind of group that nobody has thought of: each trait is drawn by itself, among those that AWS takes
 * together.
 */
export function randomGroups(draw: Draw): Omit<Kind, 'replaces'> {
  const kind = drawGroup(draw);
  const { options, sources, isWeighed } = kind;
  const settings = drawSettings(draw);
  const services = drawServices(draw, options.instances);
  const provider = drawProvider(draw, options);
  const second = draw.chance(0.2) ? draw.oneOf(['demo', 'other']) : undefined;
  const hooks = { launching: draw.chance(0.25), terminating: draw.chance(0.3) };
  const isLaunchedWhereLast = draw.chance(0.4);
  const { MAX_SURGE, DRAIN_CONCURRENCY, RAISE_MAX_SIZE, STANDALONE_TASKS } = settings;
  const drawn = { ...options, sources, provider, second, hooks, isLaunchedWhereLast, services, ...settings };
  return {
    name: `${options.launchSpec}: ${JSON.stringify(drawn)}`,
    environment: { ...settings, CLUSTERS: second === 'other' ? 'demo,other' : 'demo' },
    expectations: {
      // In weight: the last that is launched may be heavier than what is due.
      ...(/^\d+$/.test(MAX_SURGE) && {
        maxSurge: Number(MAX_SURGE) * (isWeighed ? HEAVIEST : 1) + (isWeighed && MAX_SURGE !== '0' ? 1 : 0),
      }),
      drainConcurrency: DRAIN_CONCURRENCY === 'auto' ? Number.POSITIVE_INFINITY : Number(DRAIN_CONCURRENCY),
      raisesMaxSize: RAISE_MAX_SIZE === 'true',
      allowsFewerTargets: MAX_SURGE === '0' || isWeighed,
      ...(STANDALONE_TASKS === 'stop' && { stopsTasks: 'standalone' }),
      // A half may be fewer than there are zones.
      emptiesZones: isWeighed || MAX_SURGE === '50%',
    },
    furnish(world) {
      if (isLaunchedWhereLast) world.state.readings.zoneWhenEven = 'last-launched';
      world.addCluster('demo');
      const image = world.release(FAMILY, { ageDays: 40 });
      if (options.placementGroup !== undefined) world.addPlacementGroup({ name: options.placementGroup });
      const { name } = world.addGroup({ ...options, image, ...attach(world, sources) });
      if (provider) world.addCapacityProvider({ ...provider, cluster: 'demo', group: name });
      for (const transition of ['launching', 'terminating'] as const)
        if (hooks[transition]) world.owner.addLifecycleHook(name, { transition, seconds: 40 });
      for (const service of services) world.addService('demo', service);
      if (second !== undefined) addSecond(world, second, image);
      world.release(FAMILY, { ageDays: 3 });
    },
  };
}

function addSecond(world: World, cluster: string, image: GroupOptions['image']): void {
  if (cluster !== 'demo') world.addCluster(cluster);
  const template = { launchSpec: 'launch-template', version: '$Latest' } as const;
  world.addGroup({ name: 'second', cluster, image, instances: 2, ...template });
  world.addService(cluster, { name: 'beside', desiredCount: 2 });
}

type DrawnGroup = Omit<GroupOptions, 'image'>;

function drawGroup(draw: Draw) {
  const launchSpec = pick(draw, [
    'launch-configuration',
    'launch-template',
    'mixed-instances',
    'mixed-instances',
  ] as const);
  const isMixed = launchSpec === 'mixed-instances';
  const version = pick(draw, ['1', '$Latest', '$Default', undefined] as const);
  const instances = draw.whole(2, 6);
  const isWeighed = isMixed && draw.chance(0.25);
  const sources = pick(draw, SOURCES);
  // AWS takes no pool with weights or Spot Instances.
  const hasPool = !isWeighed && draw.chance(0.3);
  const room = pick(draw, [0, 1, 4, 10] as const);
  const distribution = {
    OnDemandBaseCapacity: draw.whole(0, 3),
    OnDemandPercentageAboveBaseCapacity: pick(draw, [0, 25, 50] as const),
  };
  const hasSpot = isMixed && !hasPool && draw.chance(0.6);
  const warmPool = {
    state: pick(draw, ['Stopped', 'Running'] as const),
    ...(draw.chance(0.7) && { size: 2 }),
    reusesOnScaleIn: draw.chance(0.2),
  };
  const options: DrawnGroup = {
    name: 'demo-ecs',
    cluster: 'demo',
    instances,
    launchSpec,
    ...(launchSpec !== 'launch-configuration' && { version }),
    zones: pick(draw, [['a'], ['a', 'b'], ['a', 'b', 'c']] as const),
    maxSize: instances * (isWeighed ? HEAVIEST : 1) + room,
    ...(draw.chance(0.3) && { minSize: instances }),
    ...(sources !== 'none' && draw.chance(0.5) && { healthCheckType: 'ELB' }),
    protectsNewInstances: draw.chance(0.4),
    ...(draw.chance(0.25) && { zoneDistribution: 'balanced-only' }),
    ...(hasSpot && { distribution }),
    ...(isWeighed && { overrides: WEIGHED }),
    ...(hasPool && { warmPool }),
    // It takes seven in a zone, those that leave included.
    ...(instances <= 3 && !hasPool && draw.chance(0.2) && { placementGroup: 'apart' }),
  };
  return { options, sources, isWeighed };
}

function attach(world: World, sources: Sources): Partial<GroupOptions> {
  if (sources === 'none') return {};
  if (sources === 'classic') return { loadBalancerNames: [world.addLoadBalancer('classic').name] };
  return { targetGroupArns: [world.addTargetGroup({ name: 'own', balancer: sources }).arn] };
}

function drawSettings(draw: Draw) {
  const MAX_SURGE = pick(draw, ['100%', '50%', '1', '2', '3', '0'] as const);
  const concurrency = pick(draw, ['1', '1', '2', 'auto'] as const);
  return {
    MAX_SURGE,
    TERMINATE_HOOKS: draw.chance(0.3) ? 'run' : 'skip',
    RAISE_MAX_SIZE: String(draw.chance(0.3)),
    CANARY: pick(draw, ['0', '1', '1', '2'] as const),
    BAKE_SECONDS: '60',
    DRAIN_CONCURRENCY: MAX_SURGE === '0' ? '1' : concurrency,
    STANDALONE_TASKS: draw.chance(0.2) ? 'stop' : 'wait',
    GROUP_CONCURRENCY: pick(draw, ['1', '2'] as const),
    ...(draw.chance(0.15) && { WINDOWS: EVERY_HALF_HOUR }),
    ...(draw.chance(0.15) && { ANNOUNCE_MINUTES: '10' }),
  };
}

function drawServices(draw: Draw, instances: number): ServiceOptions[] {
  const spreads = { availabilityZoneRebalancing: 'ENABLED' } as const;
  return [
    { name: 'log-router', strategy: 'DAEMON' },
    {
      name: 'web',
      desiredCount: instances + 1,
      ...(draw.chance(0.4) && { isLoadBalanced: true, balancer: pick(draw, ['application', 'network']) }),
      ...(draw.chance(0.2) && spreads),
      maximumPercent: pick(draw, [150, 200] as const),
    },
    { name: 'worker', desiredCount: 3, minimumHealthyPercent: 50, maximumPercent: pick(draw, [100, 200]) },
    // Of members that somebody takes away, or that go before others come, enough are left for it.
    ...(draw.chance(0.2)
      ? [{ name: 'apart', desiredCount: Math.floor(instances / 2), distinctInstance: true }]
      : []),
    ...(draw.chance(0.2) ? [{ name: 'checked', desiredCount: 2, definition: { checksHealth: true } }] : []),
  ];
}

function drawProvider(draw: Draw, { protectsNewInstances }: DrawnGroup) {
  const isScaled = draw.chance(0.5);
  const provider = {
    name: 'scaled',
    managedScaling: isScaled ? 'ENABLED' : 'DISABLED',
    managedTerminationProtection:
      isScaled && protectsNewInstances && draw.chance(0.7) ? 'ENABLED' : 'DISABLED',
    managedDraining: draw.chance(0.7) ? 'ENABLED' : 'DISABLED',
  } as const;
  return draw.chance(0.5) ? provider : undefined;
}

function pick<const Item>(draw: Draw, items: readonly Item[]): Item {
  return items[draw.whole(0, items.length - 1)] as Item;
}
