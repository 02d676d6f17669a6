import { describe, expect, test } from 'vitest';
import { assessCluster, canRoll } from '../../../lambda/core/group/assess.ts';
import type { Service } from '../../../lambda/core/model/cluster.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import type { TaskDefinition, Traits } from '../../../lambda/core/model/placement.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { misfitsOf, runsOnInstances } from '../../../lambda/core/preflight/placement.ts';
import {
  DEFINITION,
  detached,
  fresh,
  launching,
  NEWER,
  OLD,
  observe,
  old,
  PLACE,
  type Scene,
  SETTINGS,
  type Sketch,
  service,
  TARGET,
  tied,
  together,
} from '../builders.ts';

const IN_PLACE = { maxSurge: { kind: 'count', count: 0 } } as const;

/** What an instance registered, with its image and zone as ECS names them. */
const traits = (more: Readonly<Record<string, string>> = {}, rest: Partial<Traits> = {}): Traits => ({
  attributes: new Map(Object.entries({ 'ecs.ami-id': OLD.imageId, 'ecs.availability-zone': 'a', ...more })),
  resources: { cpu: 2048, memory: 8000, gpus: 0 },
  ...rest,
});
const going = (id: string, more: Readonly<Record<string, string>> = {}): Sketch =>
  old(id, { traits: traits(more) });
const staying = (id: string, more: Readonly<Record<string, string>> = {}): Sketch =>
  fresh(id, { traits: traits({ 'ecs.ami-id': TARGET.imageId, ...more }) });

const asking = (...expressions: string[]) => tied({ expressions });

interface Setting {
  readonly definition?: Partial<TaskDefinition>;
  readonly settings?: Partial<Settings>;
}

const seen = (sketches: readonly Sketch[], api: Service, scene: Scene = {}): Observation =>
  observe(sketches, {
    services: [api],
    roll: null,
    launch: launching(PLACE),
    availabilityZones: ['a'],
    ...scene,
  });

function misfits(observation: Observation, { definition, settings }: Setting = {}) {
  const cluster = assessCluster(observation, { ...SETTINGS, ...settings });
  const [first] = cluster.groups;
  if (first === undefined || !canRoll(first)) throw new Error('the group can not be rolled');
  return misfitsOf(first, cluster, new Map([['api:1', { ...DEFINITION, ...definition }]]));
}

const nowhere = (needs: string, has: string) => [
  { service: 'api', obstacle: { code: 'service-fits-nowhere', service: 'api', needs, has } },
];
const uncertain = (needs: string, ...guessed: string[]) => [
  { service: 'api', warning: { code: 'place-uncertain', service: 'api', needs, guessed } },
];
const needsSurge = (count: number, left: number) => [
  { service: 'api', obstacle: { code: 'service-needs-surge', service: 'api', count, left } },
];

test.each<[boolean, string, Service]>([
  [true, 'that says where its tasks run', tied({})],
  [false, 'that ECS told no placement of', service('api')],
  [false, 'of daemons', tied({}, { daemon: true })],
  [false, 'without tasks', tied({}, { desiredCount: 0 })],
])('it is %s that a place is needed for tasks of a service %s', (isNeeded, _, api) => {
  expect(runsOnInstances(api)).toBe(isNeeded);
});

describe('a replacement is like the old instance', () => {
  const ami = (imageId: string) => `attribute:ecs.ami-id == ${imageId}`;

  test('with the image that its roll is onto', () => {
    expect(misfits(seen([going('i-1')], asking(ami(TARGET.imageId))))).toEqual([]);
    expect(misfits(seen([going('i-1')], asking(ami(OLD.imageId))))).toEqual(
      nowhere(`memberOf(${ami(OLD.imageId)})`, `ecs.ami-id = ${TARGET.imageId}`),
    );
  });

  test('with the image that the group launches already, if that is no older than the target', () => {
    const launch = launching(PLACE, NEWER);
    expect(misfits(seen([going('i-1')], asking(ami(NEWER.imageId)), { launch }))).toEqual([]);
    expect(misfits(seen([going('i-1')], asking(ami(TARGET.imageId)), { launch }))).toHaveLength(1);
  });

  test('in the zone of the old one, or in any that its group launches in', () => {
    const inZone = asking('attribute:ecs.availability-zone == b');
    const within = (...availabilityZones: string[]) =>
      misfits(seen([going('i-1')], inZone, { availabilityZones }));
    expect(within('a', 'b')).toEqual([]);
    expect(within('a')).toEqual(
      nowhere('memberOf(attribute:ecs.availability-zone == b)', 'ecs.availability-zone = a'),
    );
    const unknown = { availabilityZones: undefined };
    expect(misfits(seen([going('i-1')], inZone, unknown))).toHaveLength(1);
    const here = asking('attribute:ecs.availability-zone == a');
    expect(misfits(seen([going('i-1')], here, unknown))).toEqual([]);
  });

  test('in a subnet that nobody knows, unless it stays in its zone', () => {
    const inSubnet = asking('attribute:ecs.subnet-id == subnet-1');
    const within = (zone: string) =>
      misfits(seen([going('i-1', { 'ecs.subnet-id': 'subnet-1' })], inSubnet, { availabilityZones: [zone] }));
    expect(within('a')).toEqual([]);
    expect(within('b')).toEqual(uncertain('memberOf(attribute:ecs.subnet-id == subnet-1)', 'ecs.subnet-id'));
  });

  test('with what AWS and its agent tell, but perhaps not with what somebody has put', () => {
    const told = [
      'ecs.instance-type',
      'ecs.capability.task-eni',
      'com.amazonaws.ecs.capability.task-iam-role',
    ] as const;
    for (const name of told)
      expect(misfits(seen([going('i-1', { [name]: '' })], asking(`attribute:${name} exists`)))).toEqual([]);
    expect(misfits(seen([going('i-1', { stack: 'blue' })], asking('attribute:stack == blue')))).toEqual(
      uncertain('memberOf(attribute:stack == blue)', 'stack'),
    );
  });

  test('unless ECS does not say what the old one has: then there is nothing to compare', () => {
    expect(misfits(seen([old('i-1')], asking(ami(OLD.imageId))))).toEqual([]);
    const mute = [old('i-1'), fresh('i-9'), going('i-2')];
    expect(misfits(seen(mute, asking(ami(OLD.imageId))))).toHaveLength(1);
  });
});

describe('a service finds its place', () => {
  const blue = asking('attribute:stack == blue');

  test('on a member that stays, whatever becomes of the others', () => {
    expect(misfits(seen([going('i-1'), staying('i-9', { stack: 'blue' })], blue))).toEqual([]);
  });

  test('but not on an instance that leaves already', () => {
    const api = asking(`attribute:ecs.ami-id == ${OLD.imageId}`);
    const sketches = [detached('i-3', { traits: traits() }), staying('i-9')];
    expect(misfits(seen(sketches, api, { roll: {} }))).toHaveLength(1);
  });

  test('on a member of another group, though not on one that is replaced, too', () => {
    const api = asking(`attribute:ecs.ami-id == ${OLD.imageId}`);
    const first = seen([staying('i-9')], api);
    const other = (scene: Scene) => misfits(together(first, seen([going('i-2')], api, scene)));
    expect(other({ launch: { obstacle: { code: 'group-deleting' } } })).toEqual([]);
    expect(other({})).toHaveLength(1);
    expect(misfits(together(seen([going('i-1')], api), seen([going('i-2')], api)))).toHaveLength(1);
  });

  test('where its expressions say: of what an agent or an instance type has, new instances tell', () => {
    const definition = { attributes: [{ name: 'com.amazonaws.ecs.capability.x' }], resources: { gpus: 1 } };
    expect(misfits(seen([going('i-1')], tied({})), { definition })).toEqual([]);
  });

  test('where those of its task definition say', () => {
    const definition = { expressions: ['attribute:ecs.os-type == windows'] };
    expect(misfits(seen([going('i-1')], tied({})), { definition })).toEqual(
      nowhere('memberOf(attribute:ecs.os-type == windows)', 'no attribute ecs.os-type'),
    );
    expect(misfits(seen([going('i-1')], tied({ taskDefinition: 'api:2' })), { definition })).toEqual([]);
  });

  test('and if not, the first that is not met is named', () => {
    const api = asking('attribute:ecs.availability-zone == a', 'attribute:ecs.os-type == windows');
    expect(misfits(seen([going('i-1')], api))).toEqual(
      nowhere('memberOf(attribute:ecs.os-type == windows)', 'no attribute ecs.os-type'),
    );
  });

  test('nothing of the kind is there if no attribute is asked for', () => {
    const api = asking('ec2InstanceId == i-5');
    expect(misfits(seen([staying('i-9')], api))).toEqual(
      nowhere('memberOf(ec2InstanceId == i-5)', 'nothing of the kind'),
    );
  });

  test('perhaps where a replacement may have what those that stay lack, and only that is guessed', () => {
    const text = `attribute:stack == blue and attribute:ecs.ami-id == ${TARGET.imageId}`;
    const sketches = [going('i-1', { stack: 'blue' }), staying('i-9', { stack: 'green' })];
    expect(misfits(seen(sketches, asking(text)))).toEqual(uncertain(`memberOf(${text})`, 'stack'));
  });

  test('perhaps, if nobody can read what it asks for', () => {
    expect(misfits(seen([going('i-1')], asking('attribute:stack is blue')))).toEqual(
      uncertain('memberOf(attribute:stack is blue)'),
    );
  });

  test('if it needs none', () => {
    const api = tied({ expressions: ['attribute:ecs.os-type == windows'] }, { daemon: true });
    expect(misfits(seen([going('i-1')], api))).toEqual([]);
    const { details: _, ...observation } = seen([going('i-1')], api);
    expect(misfits(observation)).toEqual([]);
  });
});

describe('without a surge, a service needs another instance for each task', () => {
  const two = [going('i-1'), going('i-2')];
  const inPlace = { settings: IN_PLACE };
  const single = tied({ distinctInstance: true });

  test.each([
    ['distinctInstance', single, {}],
    ['a host port', tied({}), { bindsHostPorts: true }],
  ])('if none may be beside another, for %s', (_, api, definition) => {
    expect(misfits(seen(two, api), { ...inPlace, definition })).toEqual(needsSurge(2, 1));
    expect(misfits(seen([...two, staying('i-9')], api), { ...inPlace, definition })).toEqual([]);
    expect(misfits(seen(two, api), { definition })).toEqual([]);
  });

  test('as many as run, or as it wants', () => {
    const running = (desiredCount: number, runningCount: number) =>
      misfits(seen(two, tied({ distinctInstance: true }, { desiredCount, runningCount })), inPlace);
    expect(running(2, 1)).toEqual([]);
    expect(running(1, 2)).toEqual([]);
    expect(running(2, 3)).toEqual(needsSurge(2, 1));
  });

  test('which managed scaling may add', () => {
    const api = tied({ distinctInstance: true, capacityProviders: ['blue'] });
    const sketches = ['i-1', 'i-2'].map((id) =>
      old(id, { traits: traits({}, { capacityProvider: 'blue' }) }),
    );
    expect(misfits(seen(sketches, api), inPlace)).toEqual([]);
  });

  test('if only one instance has what all need', () => {
    const definition = { attributes: [{ name: 'disk' }] };
    const one = [going('i-1', { disk: 'ssd' }), going('i-2')];
    expect(misfits(seen(one, tied({})), { ...inPlace, definition })).toEqual(needsSurge(1, 0));
    const both = one.map(({ id }) => going(id, { disk: 'ssd' }));
    expect(misfits(seen(both, tied({})), { ...inPlace, definition })).toEqual([]);
    expect(misfits(seen(two, tied({})), { ...inPlace, definition })).toEqual([]);
  });

  test('but of the only instance of a cluster nothing is said', () => {
    expect(misfits(seen([going('i-1')], tied({})), inPlace)).toEqual([]);
  });

  test('and none is left where none has what they need', () => {
    const definition = { attributes: [{ name: 'disk' }] };
    expect(misfits(seen(two, single), { ...inPlace, definition })).toEqual(needsSurge(2, 0));
  });

  test('unless ECS does not say what instances have', () => {
    expect(misfits(seen([old('i-1'), old('i-2')], single), inPlace)).toEqual([]);
    const three = [...two, old('i-3')];
    expect(misfits(seen(three, single), inPlace)).toEqual(needsSurge(2, 1));
  });
});
