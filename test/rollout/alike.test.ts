import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import type { Task } from '../simulated-aws/world/ecs/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { crash, groupOf, keepInvoking, membersOf, once, oneGroup, serviceOf, told } from './happenings.ts';
import { type Stage, stage } from './stage.ts';

const SURGES: readonly Readonly<Record<string, string>>[] = [{ CANARY: '1' }, { MAX_SURGE: '2' }];

function staged(
  environment: Readonly<Record<string, string>>,
  options: Parameters<typeof oneGroup>[1] = { tasks: 4 },
): Stage {
  return stage({
    shortcut: true,
    environment,
    furnish(world) {
      oneGroup(world, { version: '1', maxSize: 40, zones: ['a', 'b'], ...options });
    },
  });
}

const running = ({ state }: World) =>
  [...state.instances.values()].filter((each) => each.state === 'running');
const newest = ({ state }: World) => [...state.images.keys()].at(-1);
const isNew =
  (world: World) =>
  ({ imageId }: Instance) =>
    imageId === newest(world);

/** Once the first old instance has gone. */
const midway = (world: World, happens: () => void) =>
  once(world, ({ kind }) => kind === 'instance-terminated', happens);

/** Tasks end by themselves every half a minute, as long as that goes on. */
function crashWhere(world: World, isSo: (task: Task) => boolean, goesOn: () => boolean): void {
  if (!goesOn()) return;
  for (const task of [...serviceOf(world, 'web').tasks])
    if (task.lastStatus === 'RUNNING' && isSo(task)) crash(world, task);
  world.clock.schedule(30, () => crashWhere(world, isSo, goesOn));
}

/** Once no old instance is left in one of the zones, while the other still has one. */
function onceReplacedIn(world: World, happens: (ids: string[]) => void): void {
  const isOld = (each: Instance) => !isNew(world)(each);
  const idsIn = () =>
    ['a', 'b']
      .map((zone) => running(world).filter((each) => each.availabilityZone.endsWith(zone)))
      .find((some) => !some.some(isOld)) ?? [];
  once(
    world,
    () => running(world).some(isOld) && idsIn().length > 0,
    () => happens(idsIn().map(({ id }) => id)),
  );
}

function expectNoBlame({ world, log }: Stage): void {
  expect(told({ log }, /rolls back/)).toEqual([]);
  expect(textOn(groupOf({ world }), GROUP_TAGS.rejected)).toBeUndefined();
}

async function complete(staging: Stage): Promise<void> {
  await staging.finish(60);
  expect(staging.endings).toEqual(['completed']);
  staging.invariants.assertFinished();
}

describe.each(SURGES)('with %j', (environment) => {
  test.each(['ab', 'b'])(
    'agents that are away in all of zones %s, on old and new instances, are no fault of the image',
    async (zones) => {
      const staging = staged(environment);
      const { world, clock } = staging;
      const lost: string[] = [];
      midway(world, () => {
        for (const { id, availabilityZone, containerInstance } of running(world)) {
          if (!containerInstance || !zones.includes(availabilityZone.slice(-1))) continue;
          world.faults.dropAgent(id);
          lost.push(id);
        }
      });
      await keepInvoking(staging, 40);
      expect(lost).not.toEqual([]);
      expectNoBlame(staging);
      staging.invariants.assertHeld();
      const runsNew = (id: string) => world.state.instances.get(id)?.imageId === newest(world);
      const back = (some: readonly string[]) => {
        for (const id of some) if (world.state.instances.has(id)) world.faults.returnAgent(id);
      };
      back(lost.filter((id) => !runsNew(id)));
      clock.schedule(240, () => back(lost.filter(runsNew)));
      await staging.invoke({ action: 'continue' });
      expectNoBlame(staging);
      await complete(staging);
    },
  );

  test('nor are those of a zone where nothing old is left, while others with that image do well', async () => {
    const staging = staged(environment);
    const { world } = staging;
    let lost: string[] = [];
    onceReplacedIn(world, (ids) => {
      lost = ids;
      for (const id of ids) world.faults.dropAgent(id);
    });
    await keepInvoking(staging, 60);
    expect(lost).not.toEqual([]);
    expect(
      told(staging, /agent is not connected; .*only if somebody asks, with `ecs-ami-deploy rollback`/),
    ).not.toEqual([]);
    expectNoBlame(staging);
    for (const id of lost) if (world.state.instances.has(id)) world.faults.returnAgent(id);
    await complete(staging);
  });

  test('nor where they crash on old and new ones in a zone alike, whatever runs elsewhere', async () => {
    const staging = staged(environment, { instances: 9, tasks: 18, zones: ['a', 'b', 'c'] });
    const { world } = staging;
    const crashed = ({ containerInstance }: Task) =>
      isIll && containerInstance.instance.availabilityZone === zone;
    let isIll = true;
    let zone = '';
    once(
      world,
      ({ kind }) => kind === 'task-placed' && running(world).some(isNew(world)),
      () => {
        zone = running(world).find(isNew(world))?.availabilityZone ?? '';
        crashWhere(world, crashed, () => isIll);
      },
    );
    await keepInvoking(staging, 60);
    expect(zone).not.toBe('');
    expectNoBlame(staging);
    isIll = false;
    await complete(staging);
  });

  test('one that dies and that its owner keeps from being replaced is no fault of the image', async () => {
    const staging = staged(environment);
    const { world } = staging;
    world.owner.suspend('demo-ecs', 'ReplaceUnhealthy');
    midway(world, () => {
      const fresh = membersOf(staging).find(({ imageId }) => imageId === newest(world));
      world.faults.killInstance(fresh?.id ?? '');
    });
    const [said] = await keepInvoking(staging, 40);
    expect(said).toMatchObject({ state: 'blocked', code: 'replacements-not-ready' });
    expect(said?.warnings?.join()).toMatch(/ReplaceUnhealthy process is suspended/);
    expect(told(staging, /blocked: .* i-0+5 no longer runs/)).not.toEqual([]);
    expectNoBlame(staging);
    world.owner.resume('demo-ecs', 'ReplaceUnhealthy');
    await complete(staging);
  });

  test('all that is unhealthy in a zone that a zonal shift moves away from is no fault of the image', async () => {
    const staging = staged(environment);
    const { world } = staging;
    world.owner.allowShifts('demo-ecs', 'IgnoreUnhealthy');
    midway(world, () => {
      world.owner.shiftZone('demo-ecs', 'b');
      for (const { id, availabilityZone } of membersOf(staging))
        if (availabilityZone.endsWith('b')) world.faults.setApplicationStatus(id, 'impaired');
    });
    await keepInvoking(staging, 40);
    expectNoBlame(staging);
    staging.invariants.assertHeld();
    world.owner.shiftZone('demo-ecs');
    await complete(staging);
  });
});
