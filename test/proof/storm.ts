import type { Outcome } from '../invariants/outcome.ts';
import { KINDS, type Kind } from '../rollout/kinds.ts';
import { type Stage, stage } from '../rollout/stage.ts';
import { BRISK } from '../rollout/sweep.ts';
import { TELLS } from '../rollout/told.ts';
import { drawReadings } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { ASKS, attendApprovers } from './approvers.ts';
import { brokenIn } from './broken.ts';
import { continueFor, finishRoll } from './ending.ts';
import { addDrainHooks, NOT_WITH_ENDS, scheduleEnds } from './ends.ts';
import { ALARM } from './fate.ts';
import { type FaultCounts, faultsOfCalls } from './fault-counts.ts';
import { putBackFinished, putBackMarks, putBackTakenBack } from './finished-forger.ts';
import { clearRequests, forge, forgeEvent, furnishForger, rememberTags } from './forger.ts';
import { clearLateNotes } from './late-notes.ts';
import { launchFirst } from './launch-first.ts';
import { hangsByMarks, isInTheDark, sizesIn } from './moments.ts';
import { lastEnding, type RollOutcome } from './outcome.ts';
import { leastRoomy } from './owners.ts';
import { type Draw, drawFrom } from './random.ts';
import { randomGroups } from './random-groups.ts';
import { invokeInWeather, type Rounds, resumeAgain } from './rounds.ts';
import { runTasks } from './run-tasks.ts';
import { deployServices } from './service-weather.ts';
import { clearGhosts, STRIKES, strike } from './strikes.ts';
import { accountIn, type Draws, delaysIn, mixture, seenAfterSeconds, type Weather } from './weather.ts';

/** Strikes in one roll: with many more it may rightly never end. */
const MOST_STRIKES = 4;

const MOST_FORGERIES = 8;

/** For so long after the roll begins there are strikes. */
const STRIKES_SECONDS = 1200;

/** What a strike does for a while is over by then. */
const WEATHER_SECONDS = STRIKES_SECONDS + 900;

/** What may keep replacements from getting ready for so long that the roll is rightly rolled back. */
const FAILING: readonly Weather[] = [
  'agents that flap',
  'launches that fail',
  'images that fail',
  'alarms',
  'instances that die',
  'spot interruptions',
  'interference',
];

/** Most groups have a first batch that is tried out. */
const TRIALS: readonly Record<string, string>[] = [
  { CANARY: '0' },
  { CANARY: '1', BAKE_SECONDS: '60' },
  { CANARY: '1', BAKE_SECONDS: '60' },
  { CANARY: '2', BAKE_SECONDS: '300' },
];

function endingsIn(weathers: ReadonlySet<Weather>, endsToo: boolean): Outcome[] {
  const has = (weather: Weather) => weathers.has(weather);
  return [
    'completed',
    ...(endsToo || FAILING.some(has) || has('orders') || has('forged tags')
      ? (['rolled-back'] as const)
      : []),
    // Even if that is what the owner is finally asked for.
    ...(has('interference') || has('orders') || has('forged tags') ? (['aborted'] as const) : []),
  ];
}

/** A capacity provider ignores instances that are attached, so that a roll goes back otherwise. */
function provideCapacity(world: World): void {
  const provided = new Set(
    [...world.state.capacityProviders.values()].flatMap(({ provider }) =>
      provider.kind === 'auto-scaling-group' ? [provider.group.name] : [],
    ),
  );
  for (const group of world.state.groups.values()) {
    const { name, clusterName } = group;
    if (clusterName === undefined || provided.has(name)) continue;
    world.addCapacityProvider({ name: `of-${name}`, cluster: clusterName, group: name });
  }
}

/** ECS may scale a group in to what its tasks need at the moment. */
function keepRoomy(world: World): void {
  for (const { provider } of world.state.capacityProviders.values()) {
    if (provider.kind !== 'auto-scaling-group') continue;
    const { group } = provider;
    group.minSize = Math.max(group.minSize, Math.min(leastRoomy(world), group.desiredCapacity));
  }
}

/** Daemons behind a load balancer leave last of all. */
function addProxies(world: World): void {
  for (const name of world.state.clusters.keys())
    world.addService(name, { name: 'proxy', strategy: 'DAEMON', isLoadBalanced: true });
}

/** Seeds of separate draws lie this far above the roll's. */
const APART = 2 ** 30;
const FORGING = 2 ** 31;
const OF_SERVICES = 2 ** 30 + 2 ** 31;
const READING = 2 ** 29;
const OF_DELAYS = 2 ** 29 + 2 ** 30;
const ENDING = 2 ** 28;
const OF_GROUPS = 2 ** 27;

/** One in so many rolls tells an event bus. It takes no draw, so that the others stay as they are. */
const TELLING = 3;

/** Weathers that are there all the time. */
const THROUGHOUT: readonly Weather[] = [
  'slow leaving',
  'tasks held back',
  'other readings',
  'delays as AWS sets them',
];

/** What a roll in bad weather is of, as `--replay` names it. */
export type StormSort = 'storm' | 'ends' | 'groups';

/** The more often it looks, the more it sees of what lags. */
const POLL_SECONDS = ['5', '15', '45'].map((seconds) => ({ POLL_SECONDS: seconds }));

/**
 * One roll of a cluster in weather that, as all else, follows from the seed. `only`: in this weather and no
 * other. `ends`: groups end instances of their own meanwhile, which our hook drains. `groups`: of groups that
 * are drawn, too.
 */
export async function stormRoll(
  seed: number,
  only?: readonly Weather[],
  sort: StormSort = 'storm',
): Promise<RollOutcome> {
  const endsToo = sort === 'ends';
  const draw = drawFrom(seed);
  const kind = kindOf(sort, seed, draw);
  const apart = drawFrom(seed + APART);
  const forging = drawFrom(seed + FORGING);
  const ofServices = drawFrom(seed + OF_SERVICES);
  const reading = drawFrom(seed + READING);
  const ofDelays = drawFrom(seed + OF_DELAYS);
  const mixed = mixture({ draw, apart, forging, ofServices, ofDelays });
  const weathers = weathersOf(only ?? mixed, endsToo);
  // A group whose image is an alias has nothing to go back to: it waits for another image.
  if (kind.name.includes('alias')) weathers.delete('images that fail');
  // Nor does a roll whose records a forger removes.
  if (weathers.has('forged tags')) weathers.delete('images that fail');
  const isForged = weathers.has('forged tags');
  const faults: FaultCounts = {};
  const count = (weather: Weather) => {
    faults[weather] = (faults[weather] ?? 0) + 1;
  };
  const pollSeconds = draw.oneOf(POLL_SECONDS);
  const environment: Record<string, string> = {
    ...BRISK.environment,
    ...pollSeconds,
    ...draw.oneOf(TRIALS),
    ...(weathers.has('alarms') && { ALARM_NAMES: ALARM }),
    ...(seed % TELLING === 0 && TELLS),
    ...(isForged && ASKS),
    ...kind.environment,
  };
  const storm = stage({
    ...BRISK,
    delays: { ...BRISK.delays, ...delaysIn(weathers) },
    retries: true,
    seed,
    lambdaSeconds: 900,
    environment,
    account: accountIn(weathers, draw, count),
    // What dies by itself leaves a group larger than its owner wants it, by so many at most.
    expectations: {
      ...kind.expectations,
      surplus: surplusIn(endsToo),
      endings: endingsIn(weathers, endsToo),
      // MAX_SURGE may be 1 from then on, which is less than the zones.
      ...(weathers.has('changed settings') && { emptiesZones: true }),
      choosesNewest: true,
    },
    furnish: (world) => {
      kind.furnish(world);
      world.addAlarm({ name: ALARM });
      if (draw.chance(0.5)) provideCapacity(world);
      keepRoomy(world);
      addDrainHooks(world, endsToo);
      if (isForged) furnishForger(world);
      if (weathers.has('other readings')) drawReadings(world.state.readings, reading.number);
      if (weathers.has('slow leaving')) addProxies(world);
    },
  });
  scheduleStrikes({ storm, weathers, draw, count }, kind);
  schedule({ storm, weathers, count }, { apart, ofServices, ofDelays });
  const withstood = isForged
    ? scheduleForgeries(
        storm,
        {
          forging,
          ofEvents: drawFrom(seed + FORGING + APART),
          areAsked: environment.BEFORE_BATCH === ASKS.BEFORE_BATCH,
        },
        () => count('forged tags'),
      )
    : undefined;
  for (const weather of THROUGHOUT) if (weathers.has(weather)) count(weather);
  const ends = endsToo
    ? scheduleEnds(storm, drawFrom(seed + ENDING), {
        forSeconds: STRIKES_SECONDS,
        seenAfterSeconds: seenAfterSeconds(weathers),
      })
    : undefined;
  const begun = storm.clock.now();
  const broken = await brokenIn(storm, async () => {
    const resumeFailed = await invokeInWeather({ storm, weathers, environment, draw, count });
    await continueFor(storm, WEATHER_SECONDS - (storm.clock.now() - begun) / 1000);
    if (resumeFailed) await resumeAgain(storm);
    await ends?.finish();
    clearGhosts(storm.world);
    clearRequests(storm);
    await finishRoll(storm);
    const isLate = weathers.has('lag') || weathers.has('slow calls');
    if (isLate && weathers.has('overlapping invocations')) clearLateNotes(storm);
    await withstood?.();
  });
  const { invariants, account } = storm;
  return {
    section: sort === 'groups' ? 'groups' : 'storm',
    name: kind.name,
    replay: replayOf(seed, only, sort),
    weathers: [...weathers],
    faults: { ...faults, ...faultsOfCalls(account.calls.log) },
    endedIn: lastEnding(storm.endings),
    checked: invariants.checked,
    broken,
    log: storm.log,
  };
}

function kindOf(sort: StormSort, seed: number, draw: Draw): Omit<Kind, 'replaces'> {
  if (sort === 'groups') return randomGroups(drawFrom(seed + OF_GROUPS));
  const kind = draw.oneOf(KINDS);
  if (kind === undefined) throw new Error('there are kinds');
  return kind;
}

function weathersOf(mixed: readonly Weather[], endsToo: boolean): Set<Weather> {
  return new Set(endsToo ? mixed.filter((each) => !NOT_WITH_ENDS.has(each)) : mixed);
}

const surplusIn = (endsToo: boolean) => (endsToo ? 2 * MOST_STRIKES : MOST_STRIKES);

function replayOf(seed: number, only: readonly Weather[] | undefined, sort: StormSort): string {
  if (sort !== 'storm') return `${sort}/${seed}`;
  return only === undefined ? String(seed) : `storm/${only.join(', ')}/${seed}`;
}

function scheduleStrikes(
  { storm, weathers, draw, count }: Omit<Rounds, 'environment'>,
  kind: Pick<Kind, 'expectations'>,
): void {
  const striking = [...weathers].filter((weather) => STRIKES[weather] !== undefined);
  if (striking.length === 0) return;
  const { raisesMaxSize = false } = kind.expectations ?? {};
  let sizedAtMs: number | undefined;
  for (let strikes = draw.whole(1, MOST_STRIKES); strikes > 0; strikes--) {
    const weather = draw.oneOf(striking);
    if (weather === undefined) continue;
    const happen = () => {
      if (isInTheDark(storm, { weather, weathers, sizedAtMs })) return void storm.clock.schedule(1, happen);
      const before = sizesIn(storm.world);
      const what = strike(storm, weather, raisesMaxSize, draw);
      if (what === undefined) return;
      if (sizesIn(storm.world) !== before) sizedAtMs = storm.clock.now();
      count(weather);
      storm.tell(weather, what);
    };
    storm.clock.schedule(draw.between(0, STRIKES_SECONDS), happen);
  }
}

/** Weathers that come by themselves, each drawn apart. */
function schedule(
  { storm, weathers, count }: Pick<Rounds, 'storm' | 'weathers' | 'count'>,
  { apart, ofServices, ofDelays }: Pick<Draws, 'apart' | 'ofServices' | 'ofDelays'>,
): void {
  const comes = (weather: Weather, begin: (onOne: () => void) => void) => {
    if (weathers.has(weather)) begin(() => count(weather));
  };
  comes('jobs', (onTask) => runTasks(storm, apart, WEATHER_SECONDS, onTask));
  comes('deployments of all strategies', (onOne) =>
    deployServices(storm, ofServices, STRIKES_SECONDS, onOne),
  );
  comes('launches before terminations', (onOne) => launchFirst(storm, ofDelays, STRIKES_SECONDS, onOne));
}

/** Whoever forges tags tells the event bus, too, where it is told of rolls. */
function scheduleForgedEvents(storm: Stage, draw: Draw): void {
  for (let forgeries = draw.whole(1, MOST_FORGERIES); forgeries > 0; forgeries--)
    storm.clock.schedule(draw.between(0, STRIKES_SECONDS), () => {
      const what = forgeEvent(storm.world, draw);
      if (what !== undefined) storm.tell('forged events', what);
    });
}

interface Forging {
  readonly forging: Draw;
  readonly ofEvents: Draw;
  /** Whether the approvers are asked: a kind that has a hook of its own asks those. */
  readonly areAsked: boolean;
}

/**
 * Somebody who may write tags, or put events on the bus, does so at any moment, while others approve what the
 * roll asks.
 *
 * @returns puts all back in the end; throws unless what was approved alone has come about
 */
function scheduleForgeries(storm: Stage, { forging: draw, ofEvents, areAsked }: Forging, count: () => void) {
  const approvers = areAsked ? attendApprovers(storm) : undefined;
  const memory = rememberTags(storm.world);
  const happen = () => {
    if (hangsByMarks(storm)) return void storm.clock.schedule(1, happen);
    const what = forge(storm.world, memory, draw);
    if (what === undefined) return;
    count();
    storm.tell('forged tags', what);
  };
  for (let forgeries = draw.whole(1, MOST_FORGERIES); forgeries > 0; forgeries--)
    storm.clock.schedule(draw.between(0, STRIKES_SECONDS), happen);
  scheduleForgedEvents(storm, ofEvents);
  return async () => {
    // Months may pass next, and no order takes that long.
    await approvers?.atRest();
    await putBackMarks(storm, memory);
    await putBackFinished(storm, memory, draw);
    await putBackTakenBack(storm, memory);
    const { lacking = [] } = approvers ?? {};
    if (lacking.length > 0) throw new Error(lacking.join('\n'));
  };
}
