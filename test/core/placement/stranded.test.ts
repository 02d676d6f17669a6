import { describe, expect, test } from 'vitest';
import { retryGivenUp } from '../../../lambda/core/drain/stranding.ts';
import { assessCluster } from '../../../lambda/core/group/assess.ts';
import type { Service } from '../../../lambda/core/model/cluster.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import type { ServicePlacement, TaskDefinition, Traits } from '../../../lambda/core/model/placement.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { inTurn, strandedOn } from '../../../lambda/core/placement/stranded.ts';
import { describeFault } from '../../../lambda/core/reasons/faults.ts';
import {
  ago,
  assessed,
  CONTINUE,
  DEFINITION,
  decided,
  detached,
  fresh,
  launching,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
  tied,
  together,
  told,
} from '../builders.ts';

const AGENT = 'com.amazonaws.ecs.capability.task-iam-role';

const traits = (more: Readonly<Record<string, string>> = {}, rest: Partial<Traits> = {}): Traits => ({
  attributes: new Map(Object.entries({ 'ecs.instance-type': 'm5.large', ...more })),
  resources: { cpu: 2048, memory: 8000, gpus: 0 },
  ...rest,
});

interface Setting {
  readonly sketches?: readonly Sketch[];
  readonly service: Service;
  readonly definition?: Partial<TaskDefinition>;
  readonly traits: Readonly<Record<string, Traits>>;
  readonly scene?: Scene;
  readonly settings?: Partial<Settings>;
}

const NEXT = detached('i-1', { turn: 20, tasks: ['service:api'] });

/** What each instance has, according to ECS. */
function withTraits(observation: Observation, known: Setting['traits']): Observation {
  const containerInstances = observation.containerInstances.map((each) => ({
    ...each,
    traits: known[each.instanceId],
  }));
  return { ...observation, containerInstances };
}

function stranded({
  sketches = [NEXT, fresh('i-9')],
  service: api,
  definition,
  traits: known,
  scene,
  settings,
}: Setting) {
  const observation = withTraits(observe(sketches, { services: [api], ...scene }), known);
  const definitions = new Map([['api:1', { ...DEFINITION, ...definition }]]);
  return (
    strandedOn(
      assessCluster(observation, { ...SETTINGS, ...settings }),
      observation.details?.tasks ?? [],
      definitions,
    ).get('i-1') ?? []
  );
}

describe('tasks on the next to drain find no place', () => {
  test.each<[string, Partial<ServicePlacement>, Partial<TaskDefinition>, Traits, Traits, string]>([
    [
      'an expression of their service',
      { expressions: ['attribute:stack == blue'] },
      {},
      traits({ stack: 'blue' }),
      traits(),
      'memberOf(attribute:stack == blue), but i-9 has no attribute stack',
    ],
    [
      'an expression of their definition',
      {},
      { expressions: ['attribute:ecs.ami-id == a'] },
      traits({ 'ecs.ami-id': 'a' }),
      traits({ 'ecs.ami-id': 'b' }),
      'memberOf(attribute:ecs.ami-id == a), but i-9 has ecs.ami-id = b',
    ],
    [
      'a capacity provider',
      { capacityProviders: ['blue'] },
      {},
      traits({}, { capacityProvider: 'blue' }),
      traits(),
      'capacity provider blue, but i-9 has no capacity provider',
    ],
    [
      'the zones of their subnets',
      { zones: ['z-a', 'z-b'] },
      {},
      traits({ 'ecs.availability-zone': 'z-b' }),
      traits({ 'ecs.availability-zone': 'z-c' }),
      'an instance in z-a or z-b, where its subnets are, but i-9 has Availability Zone z-c',
    ],
    [
      'memory',
      {},
      { resources: { memory: 4000 } },
      traits(),
      traits({}, { resources: { memory: 2000 } }),
      '4000 MiB of memory, but i-9 has 2000 MiB of memory',
    ],
    [
      'an attribute',
      {},
      { attributes: [{ name: AGENT }] },
      traits({ [AGENT]: '' }),
      traits(),
      `attribute ${AGENT}, but i-9 has no attribute ${AGENT}`,
    ],
    [
      'an attribute with a value',
      {},
      { attributes: [{ name: 'a', value: '1' }] },
      traits({ a: '1' }),
      traits({ a: '2' }),
      'attribute a = 1, but i-9 has a = 2',
    ],
  ])('where those that stay lack %s', (_, placement, definition, here, there, why) => {
    const setting = { service: tied(placement), definition };
    const [found] = stranded({ ...setting, traits: { 'i-1': here, 'i-9': there } });
    expect(found && describeFault(found.why)).toBe(`service api needs ${why}`);
    expect(stranded({ ...setting, traits: { 'i-1': here, 'i-9': here } })).toEqual([]);
  });

  test('if each needs its own instance and too few are left', () => {
    const all = { 'i-1': traits(), 'i-9': traits() };
    const [found] = stranded({ service: tied({ distinctInstance: true }), traits: all });
    expect(found && describeFault(found.why)).toBe(
      'service api needs 2 instances, one for each task (distinctInstance), but only 1 is left without this one',
    );
    expect(stranded({ service: tied({}), definition: { bindsHostPorts: true }, traits: all })).toHaveLength(
      1,
    );
    const single = tied({ distinctInstance: true }, { desiredCount: 1, runningCount: 1 });
    expect(stranded({ service: single, traits: all })).toEqual([]);
  });

  test('not if their service has more of them than before the roll, when there were too few instances', () => {
    const all = { 'i-1': traits(), 'i-9': traits() };
    const within = (runningCount: number) => {
      const scene = { roll: { unsteady: [{ name: 'api', runningCount }] } };
      return stranded({ service: tied({ distinctInstance: true }), traits: all, scene });
    };
    expect(within(1)).toEqual([]);
    expect(within(2)).toHaveLength(1);
  });

  test('if their service ran short when another instance drained', () => {
    const sketches = [NEXT, detached('i-2', { turn: 2000, givenUp: 100 }), fresh('i-9')];
    const observation = observe(sketches, { services: [tied({})] });
    const groups = observation.groups.map((group) => ({
      ...group,
      instances: group.instances.map((each) =>
        each.instanceId === 'i-2' && each.mark
          ? { ...each, mark: { ...each.mark, shortServices: ['api'] } }
          : each,
      ),
    }));
    const found = strandedOn(
      assessCluster({ ...observation, groups }, SETTINGS),
      observation.details?.tasks ?? [],
      new Map(),
    );
    expect(found.get('i-1')).toMatchObject([
      { why: { kind: 'ran-short-before', service: 'api', instanceId: 'i-2' } },
    ]);
  });
});

describe('tasks on the next to drain are not held back', () => {
  const blue = tied({ expressions: ['attribute:stack == blue'] });

  test('if what they need can’t be parsed, or ECS doesn’t say what there is', () => {
    const odd = tied({ expressions: ['attribute:stack is blue'] });
    expect(stranded({ service: odd, traits: { 'i-1': traits(), 'i-9': traits() } })).toEqual([]);
    expect(stranded({ service: blue, traits: {} })).toEqual([]);
  });

  test('if the instance they run on lacks the same, as that is no fault of the others', () => {
    const definition = { attributes: [{ name: AGENT }], resources: { gpus: 1 } };
    expect(stranded({ service: tied({}), definition, traits: { 'i-1': traits(), 'i-9': traits() } })).toEqual(
      [],
    );
  });

  test('but an instance that leaves too, or drains, is no place for them', () => {
    const sketches = [NEXT, detached('i-2'), fresh('i-9')];
    const known = { 'i-1': traits({ stack: 'blue' }), 'i-2': traits({ stack: 'blue' }), 'i-9': traits() };
    expect(stranded({ sketches, service: blue, traits: known })).toHaveLength(1);
  });

  test('if a rollback removes their instance, as that is the worse place', () => {
    const known = { 'i-1': traits({ stack: 'blue' }), 'i-9': traits() };
    const course = {
      kind: 'rollback',
      since: ago(100),
      because: { code: 'recorded', text: 'it fails' },
    } as const;
    const scene: Scene = { roll: { course }, launch: launching(PLACE, OLD, OLD) };
    const launched = (age: number) =>
      stranded({ service: blue, traits: known, sketches: [{ ...NEXT, age }, old('i-9')], scene });
    expect([launched(900), launched(500), launched(300)]).toEqual([[expect.anything()], [], []]);
  });
});

test('the new image is to blame if its agent can do less on the same instance type', () => {
  const setting = { service: tied({}), definition: { attributes: [{ name: AGENT }] } };
  const here = traits({ [AGENT]: '' });
  const blame = (there: Traits, sketch: Sketch) =>
    stranded({ ...setting, sketches: [NEXT, sketch], traits: { 'i-1': here, 'i-9': there } })[0]?.byImage;
  const rolled = fresh('i-9', { age: 60 });
  expect(blame(traits(), rolled)).toBe(true);
  expect(blame(traits({ 'ecs.instance-type': 'c5.large' }), rolled)).toBe(false);
});

describe('an instance whose tasks would lose their place', () => {
  const steady = { settled: 60 };
  const fault = { kind: 'place-unfit', service: 'api', needs: '1 GPU', has: '0 GPUs' } as const;
  const why = { service: 'api', why: fault, byImage: false };
  const seen = (sketches: readonly Sketch[], byImage = false): Observation => {
    const observation = observe(sketches, steady);
    const stranded = new Map([['i-1', [{ ...why, byImage }]]]);
    return { ...observation, details: { ...observation.details, stranded } };
  };

  test('does not drain, and is tagged with that', () => {
    const decision = decided(seen([NEXT, fresh('i-9')]));
    expect(decision).toMatchObject({
      reason: { code: 'drain-spared', instanceIds: ['i-1'], faults: [fault] },
      actions: [{ kind: 'mark-instances', instanceIds: ['i-1'], mark: { drainGivenUpAt: NOW } }],
    });
  });

  test('lets the others continue, and is reported in the end, however long ago it was', () => {
    const addedSizes = detached('i-1', { turn: 9000, givenUp: 8000, tasks: ['service:api'] });
    const next = detached('i-2', { turn: 20 });
    expect(told(seen([addedSizes, next, fresh('i-8'), fresh('i-9')]))).toEqual(['drain i-2']);
    const [said] = told(seen([addedSizes, fresh('i-9')]));
    expect(said).toMatch(
      /^blocked: i-1 is not drained, as tasks would find no other place: service api needs 1 GPU, but each instance that stays has 0 GPUs; give/,
    );
  });

  test('keeps its turn while a replacement on its way may have room', () => {
    expect(told(seen([NEXT, fresh('i-9', { ecs: null })]))).toEqual([expect.stringMatching(/^wait: /)]);
  });

  test('turns the roll back if the image lacks something', () => {
    const because = { code: 'image-lacks', faults: [fault] };
    expect(decided(seen([NEXT, fresh('i-9')], true)).reason).toEqual({ code: 'turns-back', because });
  });
});

describe('a drain that took a service down', () => {
  const addedSizes = detached('i-1', { turn: 9000, givenUp: 7000, tasks: ['service:api'] });
  const observation = observe([addedSizes, fresh('i-9')], { settled: 60 });
  const [group] = observation.groups;

  test('is recorded with the service that ran short', () => {
    const stuck = detached('i-1', { turn: 1801, ecs: 'DRAINING', tasks: ['service:api'] });
    const scene = {
      services: [service('api', { runningCount: 1 }), service('log', { daemon: true, runningCount: 0 })],
    };
    expect(decided(observe([stuck, fresh('i-9')], scene))).toMatchObject({
      actions: [{ mark: { drainGivenUpAt: NOW, shortServices: ['api'] } }, { kind: 'activate' }],
    });
  });

  test('is not tried again by itself, however long ago it was', () => {
    if (group === undefined) throw new Error('there is a group');
    const instances = group.instances.map((each) =>
      each.mark === undefined ? each : { ...each, mark: { ...each.mark, shortServices: ['api'] } },
    );
    expect(told({ ...observation, groups: [{ ...group, instances }] })).toEqual([
      expect.stringMatching(/^blocked: i-1 has lost no task.*tried again only if somebody asks/),
    ]);
  });

  test('is tried again when somebody asks for it later, and not by itself', () => {
    if (group === undefined) throw new Error('there is a group');
    expect(retryGivenUp(group, CONTINUE, observation)).toBeUndefined();
    expect(retryGivenUp(group, { retryBefore: ago(7001) }, observation)).toBeUndefined();
    expect(retryGivenUp(group, { retryBefore: ago(10) }, observation)).toMatchObject({
      reason: { code: 'drain-retried', instanceIds: ['i-1'] },
      actions: [{ kind: 'mark-instances', instanceIds: ['i-1'], mark: { drainStartedAt: NOW } }],
    });
  });
});

test('instances in turn are those whose drain has begun or was given up, without what is excluded', () => {
  const sketches = [
    detached('i-1', { turn: 20 }),
    detached('i-2', { turn: 900, givenUp: 100 }),
    detached('i-3'),
    detached('i-4', { turn: 20, excluded: true }),
  ];
  expect(inTurn(assessed(observe(sketches))).map(({ instanceId }) => instanceId)).toEqual(['i-1', 'i-2']);
});

describe('what stays', () => {
  const blue = tied({ expressions: ['attribute:stack == blue'] });
  const has = traits({ stack: 'blue' });
  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  /** Whether tasks are stranded where only this one, beside their own, has what they need. */
  const isStranded = (place: Sketch, rest: Partial<Setting> = {}) =>
    stranded({
      sketches: [NEXT, place, fresh('i-9')],
      service: blue,
      traits: { 'i-1': has, [place.id]: has, 'i-9': traits() },
      ...rest,
    }).length > 0;

  test('are members that run the target, and what their owner excludes', () => {
    expect(isStranded(fresh('i-2'))).toBe(false);
    expect(isStranded(detached('i-2', { excluded: true }))).toBe(false);
    expect(isStranded(old('i-2'))).toBe(true);
  });

  test('are old members, too, where each is replaced in place', () => {
    expect(isStranded(old('i-2'), { settings: inPlace })).toBe(false);
    expect(isStranded(detached('i-2'), { settings: inPlace })).toBe(true);
  });

  test('is no old instance of the warm pool', () => {
    const setting: Setting = { sketches: [NEXT, fresh('i-9')], service: blue, traits: {} };
    const known = { 'i-1': has, 'i-5': has, 'i-9': traits() };
    const warm = (make: typeof old) => [make('i-5', { member: 'Warmed:Running' })];
    expect(stranded({ ...setting, traits: known, scene: { warm: warm(old) } })).toHaveLength(1);
    expect(stranded({ ...setting, traits: known, scene: { warm: warm(fresh) } })).toEqual([]);
  });

  test('is what another group keeps, though not what it replaces, even in place', () => {
    const own = observe([NEXT, fresh('i-9')], { services: [blue] });
    const known = { 'i-1': has, 'i-2': has, 'i-9': traits() };
    const beside = (place: Sketch, scene: Scene = {}, settings: Partial<Settings> = {}) => {
      const observation = withTraits(together(own, observe([place], scene)), known);
      const cluster = assessCluster(observation, { ...SETTINGS, ...settings });
      return strandedOn(cluster, own.details?.tasks ?? [], new Map()).size;
    };
    expect(beside(fresh('i-2'))).toBe(0);
    expect(beside(old('i-2'))).toBe(1);
    expect(beside(old('i-2'), {}, inPlace)).toBe(1);
    expect(beside(old('i-2'), { launch: { obstacle: { code: 'group-deleting' } } })).toBe(0);
  });

  test('is enough if one of them has what a task needs', () => {
    const sketches = [NEXT, fresh('i-8'), fresh('i-9')];
    const known = { 'i-1': has, 'i-8': traits(), 'i-9': has };
    expect(stranded({ sketches, service: blue, traits: known })).toEqual([]);
  });
});

describe('a service is stranded', () => {
  const blue = tied({ expressions: ['attribute:stack == blue'] });
  const known = { 'i-1': traits({ stack: 'blue' }), 'i-2': traits(), 'i-9': traits() };

  test('only on the instance that has its tasks', () => {
    const sketches = [
      { ...NEXT, tasks: ['service:log'] },
      detached('i-2', { turn: 20, tasks: ['service:api'] }),
      fresh('i-9'),
    ];
    const observation = withTraits(observe(sketches, { services: [service('log'), blue] }), known);
    const found = strandedOn(
      assessCluster(observation, SETTINGS),
      observation.details?.tasks ?? [],
      new Map(),
    );
    expect([...found]).toEqual([['i-2', [expect.objectContaining({ service: 'api', byImage: false })]]]);
  });

  test('also while its roll goes forward and its instance is younger than that', () => {
    expect(
      stranded({ sketches: [{ ...NEXT, age: 60 }, fresh('i-9')], service: blue, traits: known }),
    ).toHaveLength(1);
  });

  test('by an expression that its own instance does not meet, either, as somebody may have changed it', () => {
    expect(stranded({ service: blue, traits: { 'i-1': traits(), 'i-9': traits() } })).toHaveLength(1);
  });

  test('by nothing else while ECS does not say what its own instance has', () => {
    const definition = { attributes: [{ name: AGENT }] };
    expect(stranded({ service: tied({}), definition, traits: { 'i-9': traits() } })).toEqual([]);
  });

  test('by the first that a new instance lacks, which is named with it', () => {
    const api = tied({ expressions: ['attribute:ecs.instance-type == m5.large', 'attribute:stack == blue'] });
    const sketches = [
      NEXT,
      fresh('i-6', { age: 900 }),
      fresh('i-7', { member: null, age: 60 }),
      fresh('i-9', { age: 500 }),
    ];
    const all = { ...known, 'i-6': traits({ stack: 'red' }), 'i-7': traits({ stack: 'green' }) };
    expect(stranded({ sketches, service: api, traits: all })).toMatchObject([
      { why: { needs: 'memberOf(attribute:stack == blue)', has: 'no attribute stack', instanceId: 'i-9' } },
    ]);
  });

  test('by none of this if ECS told no placement of it', () => {
    expect(stranded({ service: service('api'), traits: known })).toEqual([]);
  });
});

describe('a drain that was given up', () => {
  const ranShort = (rest: Partial<Sketch>, shortServices?: string[], id = 'i-2') => {
    const sketches = [
      { ...NEXT, ...(id === 'i-1' && { givenUp: 100 }) },
      detached('i-2', { turn: 2000, ...rest }),
      fresh('i-9'),
    ];
    const observation = observe(sketches, { services: [tied({})] });
    const groups = observation.groups.map((group) => ({
      ...group,
      instances: group.instances.map((each) =>
        each.instanceId === id && each.mark
          ? { ...each, mark: { ...each.mark, ...(shortServices && { shortServices }) } }
          : each,
      ),
    }));
    const cluster = assessCluster({ ...observation, groups }, SETTINGS);
    return strandedOn(cluster, observation.details?.tasks ?? [], new Map()).get('i-1') ?? [];
  };

  test('strands a service that ran short by it, which is no fault of the image', () => {
    expect(ranShort({ givenUp: 100 }, ['api'])).toMatchObject([{ service: 'api', byImage: false }]);
  });

  test.each<[string, Partial<Sketch>, string[]?, string?]>([
    ['of an instance that is gone', { givenUp: 100, alive: false }, ['api']],
    ['that is tried again', {}, ['api']],
    ['by which none ran short', { givenUp: 100 }],
    ['by which another ran short', { givenUp: 100 }, ['log']],
    ['of the same instance', {}, ['api'], 'i-1'],
  ])('%s does not', (_, rest, services, id) => {
    expect(ranShort(rest, services, id)).toEqual([]);
  });
});

describe('a daemon, which runs only where it can', () => {
  const daemon = (placement: Partial<ServicePlacement> = {}) => tied(placement, { daemon: true });
  const sketches = [NEXT, fresh('i-9', { age: 60 })];

  test('is stranded by an image whose agent can do less', () => {
    const definition = { attributes: [{ name: AGENT }] };
    const known = { 'i-1': traits({ [AGENT]: '' }), 'i-9': traits() };
    expect(stranded({ sketches, service: daemon(), definition, traits: known })).toMatchObject([
      { service: 'api', byImage: true },
    ]);
  });

  test('is stranded by nothing else', () => {
    const api = daemon({ expressions: ['attribute:stack == blue'], distinctInstance: true });
    const known = { 'i-1': traits({ stack: 'blue' }), 'i-9': traits() };
    expect(stranded({ sketches, service: api, traits: known })).toEqual([]);
    expect(stranded({ sketches, service: daemon({ distinctInstance: true }), traits: known })).toEqual([]);
  });
});

describe('the image is not to blame', () => {
  const here = traits({ [AGENT]: '', stack: 'blue' });
  const definition = { attributes: [{ name: AGENT }] };
  const rolled = fresh('i-9', { age: 60 });
  const blame = (setting: Partial<Setting>) =>
    stranded({
      sketches: [NEXT, rolled],
      service: tied({}),
      definition,
      traits: { 'i-1': here, 'i-9': traits() },
      ...setting,
    }).map(({ byImage }) => byImage);

  test('for what no agent and no kernel makes', () => {
    expect(blame({ definition: { attributes: [{ name: 'stack' }] } })).toEqual([false]);
    expect(blame({})).toEqual([true]);
  });

  test('while no replacement is there', () => {
    expect(blame({ sketches: [NEXT, fresh('i-9', { age: 900 })] })).toEqual([false]);
  });

  test('where the roll goes back', () => {
    const course = {
      kind: 'rollback',
      since: ago(100),
      because: { code: 'recorded', text: 'it fails' },
    } as const;
    const scene: Scene = { roll: { course }, launch: launching(PLACE, OLD, OLD) };
    const sketches = [{ ...NEXT, age: 900 }, old('i-9', { age: 60 })];
    expect(blame({ sketches, scene })).toEqual([false]);
  });

  test('if another replacement is of another type, or has it', () => {
    const sketches = [NEXT, rolled, fresh('i-8', { age: 60 })];
    const beside = (other: Traits) => ({ 'i-1': here, 'i-9': traits(), 'i-8': other });
    expect(blame({ sketches, traits: beside(traits({ 'ecs.instance-type': 'c5.large' })) })).toEqual([false]);
    const small = traits({ [AGENT]: '' }, { resources: { cpu: 2048, memory: 100, gpus: 0 } });
    const both = { ...definition, resources: { memory: 4000 } };
    expect(blame({ sketches, traits: beside(small), definition: both })).toEqual([false]);
    expect(blame({ sketches, traits: beside(traits()) })).toEqual([true]);
  });
});

describe('tasks that each need an instance of their own', () => {
  const distinct = (placement: Partial<ServicePlacement> = {}) =>
    tied({ distinctInstance: true, ...placement });

  test('find none where something else is lacking', () => {
    const sketches = [NEXT, fresh('i-8'), fresh('i-9')];
    const api = distinct({ expressions: ['attribute:stack == blue'] });
    const has = traits({ stack: 'blue' });
    const few = { 'i-1': has, 'i-8': traits(), 'i-9': has };
    const why = { kind: 'places-too-few', service: 'api', count: 2, left: 1, by: 'distinctInstance' };
    expect(stranded({ sketches, service: api, traits: few })).toEqual([
      { service: 'api', why, byImage: false },
    ]);
    expect(stranded({ sketches, service: api, traits: { ...few, 'i-8': has } })).toEqual([]);
  });

  test('may get one from managed scaling', () => {
    const of = traits({}, { capacityProvider: 'blue' });
    const api = distinct({ capacityProviders: ['blue'] });
    expect(stranded({ service: api, traits: { 'i-1': of, 'i-9': of } })).toEqual([]);
  });

  test('are as many as run, whatever another service had before the roll', () => {
    const scene = { roll: { unsteady: [{ name: 'log', runningCount: 1 }] } };
    const all = { 'i-1': traits(), 'i-9': traits() };
    expect(stranded({ service: distinct(), traits: all, scene })).toHaveLength(1);
  });
});
