import { describe, expect, it } from 'vitest';
import type { Instance } from '../world/ec2/model.ts';
import { isReplicaTask, type Task } from '../world/ecs/model.ts';
import { customsByTags } from './by-tags.ts';
import type { Invariants } from './invariants.ts';
import { detach, drain, TAG_PREFIX, tagAll, terminate, useNewImage } from './roll-by-hand.ts';
import { setUp } from './set-up.ts';

const isToldToStop = (task: Task) => !isReplicaTask(task) || task.desiredStatus === 'STOPPED';

describe('instances and capacity', () => {
  it('3 reports what was not tagged, not drifted, or not ours', () => {
    const { clock, world, group, first, newImage, broken } = setUp({ clusters: ['demo'] });
    drain(world, first);
    expect(broken()).toContain('3. i-00000000000000001 was set DRAINING untagged');
    useNewImage(world, group, newImage);
    tagAll(world, group, [first]);
    detach(world, group, [first.id]);
    clock.advance(60);
    const newest = [...group.members.values()].at(-1)?.instance ?? first;
    tagAll(world, group, [newest]);
    detach(world, group, [newest.id]);
    expect(broken().at(-1)).toContain('detached, though it was not one to replace');
    const others = world.addGroup({ name: 'others', image: newImage, instances: 1 });
    tagAll(
      world,
      others,
      [...others.members.values()].map(({ instance }) => instance),
    );
    expect(broken().at(-1)).toContain('was tagged, though its group is not being rolled');
  });

  it('4 reports too many that are detached, and too many that drain', () => {
    const { world, group, first, second, broken } = setUp({ maxSurge: 1 });
    tagAll(world, group, [first, second]);
    detach(world, group, [first.id, second.id]);
    drain(world, first);
    drain(world, second);
    expect(broken()).toContain('4. 2 instances of demo-ecs are detached, more than 1');
    expect(broken()).toContain('4. 2 instances of demo-ecs are moving, more than 1');
  });

  it('4 lets one that only says goodbye be, however long its tasks take to stop', () => {
    const { clock, world, group, first, second, invariants } = setUp();
    tagAll(world, group, [first, second]);
    drain(world, first);
    clock.runUntil(() => [...(first.containerInstance?.tasks ?? [])].every(isToldToStop));
    expect(first.containerInstance?.tasks.size).toBeGreaterThan(0);
    drain(world, second);
    expect(invariants.violations.filter(({ what }) => what.includes('moving'))).toEqual([]);
  });

  describe('4 reports less that is registered, ACTIVE and connected than is desired', () => {
    const ofCapacity = (invariants: Invariants) =>
      invariants.violations.filter(({ what }) => what.includes('registered, ACTIVE and connected'));

    it('from when it begins until it ends', () => {
      const { clock, world, group, first, second, invariants } = setUp({ drainConcurrency: 2 });
      tagAll(world, group, [first, second]);
      drain(world, first);
      clock.advance(60);
      drain(world, second);
      const what = 'demo-ecs has 2 registered, ACTIVE and connected, less than 4';
      expect(ofCapacity(invariants)).toMatchObject([{ until: undefined, seconds: 60, what }]);
      clock.advance(60);
      world.owner.setContainerInstanceStatus(first.id, 'ACTIVE');
      world.owner.setContainerInstanceStatus(second.id, 'ACTIVE');
      clock.advance(600);
      expect(ofCapacity(invariants)).toMatchObject([{ seconds: 120, what }]);
    });

    it('but for one that drains, where there is no surge', () => {
      const { clock, world, group, first, second, invariants } = setUp({ maxSurge: 0 });
      tagAll(world, group, [first, second]);
      drain(world, first);
      clock.advance(60);
      expect(ofCapacity(invariants)).toEqual([]);
      drain(world, second);
      expect(ofCapacity(invariants)).toHaveLength(1);
    });

    const [m5, m5a] = [
      { instanceType: 'm5.large', weight: 1 },
      { instanceType: 'm5a.large', weight: 2 },
    ];
    const options = { launchSpec: 'mixed-instances', instances: 2, group: { overrides: [m5, m5a] } } as const;

    it('but for the only one that weighs so much, where there is no surge', () => {
      const { world, group, first, second, invariants } = setUp({ maxSurge: 0 }, options);
      const [heavy, light] = first.instanceType === m5a.instanceType ? [first, second] : [second, first];
      expect([heavy, light].map(({ instanceType }) => instanceType)).toEqual(['m5a.large', 'm5.large']);
      tagAll(world, group, [heavy, light]);
      drain(world, heavy);
      expect(ofCapacity(invariants)).toEqual([]);
      drain(world, light);
      expect(ofCapacity(invariants)).toHaveLength(1);
    });

    // Nobody can tell what a detached one weighs.
    it.each([0, 1])(
      'but for what is taken back and weighs more than the %i that serve in its place',
      (old) => {
        const customs = () => ({
          ...customsByTags(TAG_PREFIX),
          isTakenBack: ({ instanceType }: Instance) => instanceType === m5a.instanceType,
        });
        const { clock, world, group, first, second, invariants } = setUp({ customs }, options);
        const [heavy, light] = first.instanceType === m5a.instanceType ? [first, second] : [second, first];
        tagAll(world, group, [heavy, light]);
        if (old === 1) detach(world, group, [light.id]);
        clock.advance(600);
        drain(world, heavy);
        expect(ofCapacity(invariants)).toHaveLength(1 - old);
      },
    );

    it.each([0, 1])('but for what is taken back beside %i of its image whose agent is away', (away) => {
      const customs = () => ({
        ...customsByTags(TAG_PREFIX),
        isTakenBack: ({ id }: Instance) => id === first.id,
      });
      const { clock, world, group, first, second, invariants } = setUp({ customs });
      tagAll(world, group, [first]);
      if (away === 1) world.faults.dropAgent(second.id);
      clock.advance(10);
      drain(world, first);
      expect(ofCapacity(invariants)).toHaveLength(1 - away);
    });

    it.each(['an agent', 'a call'])(
      'but for what is taken back beside one of its image that %s drains',
      (who) => {
        const customs = () => ({
          ...customsByTags(TAG_PREFIX),
          isTakenBack: ({ id }: Instance) => id === first.id,
        });
        const { clock, world, group, first, second, invariants } = setUp({ customs, drainConcurrency: 2 });
        tagAll(world, group, [first, second]);
        if (who === 'a call') drain(world, second);
        else world.owner.setContainerInstanceStatus(second.id, 'DRAINING');
        // Another comes for it.
        world.owner.setSizes('demo-ecs', { desiredCapacity: 5 });
        clock.advance(120);
        world.owner.setSizes('demo-ecs', { desiredCapacity: 4 });
        const before = ofCapacity(invariants).length;
        drain(world, first);
        expect(ofCapacity(invariants).length - before).toBe(who === 'a call' ? 1 : 0);
      },
    );

    it.each([4, 5])('but for what a group of 4 ends for a rollback where it has room for %i', (maxSize) => {
      const customs = () => ({
        ...customsByTags(TAG_PREFIX),
        isTakenBack: ({ id }: Instance) => id === first.id,
      });
      const { world, group, first, invariants } = setUp({ customs, endsMembers: true });
      world.owner.setSizes('demo-ecs', { maxSize });
      tagAll(world, group, [first]);
      drain(world, first);
      expect(ofCapacity(invariants)).toHaveLength(maxSize - 4);
    });

    it('over members and detached ones together, and but for what faults took', () => {
      const { clock, world, group, first, second, invariants } = setUp();
      tagAll(world, group, [first, second]);
      detach(world, group, [first.id, second.id]);
      clock.advance(600);
      const newest = [...group.members.keys()].at(-1) ?? '';
      world.faults.dropAgent(newest);
      drain(world, first);
      expect(ofCapacity(invariants)).toEqual([]);
      clock.advance(300);
      world.faults.killInstance(second.id);
      expect(ofCapacity(invariants)).toEqual([]);
      const [third] = [...group.members.values()].map(({ instance }) => instance);
      terminate(world, third ?? first);
      expect(ofCapacity(invariants)).toHaveLength(1);
    });
  });
});
