import { CreateOrUpdateTagsCommand, DetachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, DeleteTagsCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { EXCLUDE_TAG, GROUP_TAGS } from '../../lambda/contract.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { GO, HOOK } from '../rollout/hook.ts';
import { sealedMark, sealedTags } from '../sealed.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { drain, terminate, useNewImage } from '../simulated-aws/invariants/roll-by-hand.ts';
import { endByGroup, isOfEndings, ofExplained } from '../simulated-aws/invariants/set-up.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import { directCalls } from '../simulated-aws/world/direct-calls.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';
import { type Expectations, watchInvariants } from './invariants.ts';

function setUp(expectations: Expectations = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const launchSpec = 'launch-configuration';
  const scenario = standardScenario({ world, services: 3, launchSpec });
  const [first, second] = [...scenario.group.members.values()].map(({ instance }) => instance);
  if (!first || !second) throw new Error('no instances');
  const invariants = watchInvariants(world, expectations);
  const broken = () => invariants.violations.map(({ invariant, what }) => `${invariant}. ${what}`);
  return { ...scenario, clock, world, first, second, invariants, broken };
}

/** As the function tags what it removes. */
function tagAll(world: World, group: Group, instances: readonly Instance[]) {
  const mark = markTags('demo', { group: group.name, detachStartedAt: new Date(world.clock.now()) });
  for (const instance of instances)
    directCalls(world)(CreateTagsCommand, {
      Resources: [instance.id],
      Tags: Object.entries(sealedMark(instance, mark)).map(([Key, Value]) => ({ Key, Value })),
    });
}

describe('invariants of this product alone', () => {
  it('2 reports a member terminated past its group, or by it if members should be detached', () => {
    const { world, group, first, second, broken } = setUp();
    tagAll(world, group, [first, second]);
    terminate(world, first);
    endByGroup(world, second);
    const told = broken().filter(isOfEndings);
    expect(told).toContain(`2. ${first.id} was terminated as a member of demo-ecs, InService`);
    expect(told).toContain(`2. ${second.id} was ended by demo-ecs, though members are to be detached`);
  });

  it('2 lets the group terminate members without a surge, once they take no tasks', () => {
    const { clock, world, group, first, second, broken } = setUp({ maxSurge: 0 });
    tagAll(world, group, [first, second]);
    drain(world, first);
    clock.advance(300);
    endByGroup(world, first);
    expect(broken().filter(isOfEndings)).toEqual([]);
    clock.advance(600);
    endByGroup(world, second);
    expect(broken()).toContain(`2. ${second.id} was ended by demo-ecs, ACTIVE`);
  });

  it.each([0, 1])(
    '3 lets a surge go that was taken for its own by a size forged %i times, and no more',
    (times) => {
      const targetImageId = ({ imageId }: Instance) => imageId;
      const { world, group, first, second, broken } = setUp({ maxSurge: 1, targetImageId });
      if (times > 0) world.forger.tagGroup(group, GROUP_TAGS.addedSizes, '+1/+0');
      tagAll(world, group, [first, second]);
      for (const { id } of [first, second])
        directCalls(world)(DetachInstancesCommand, {
          AutoScalingGroupName: group.name,
          InstanceIds: [id],
          ShouldDecrementDesiredCapacity: true,
        });
      const wrong = broken().filter((line) => line.endsWith('detached, though it was not one to replace'));
      expect(wrong.map((line) => line.split(' ')[1])).toEqual([first.id, second.id].slice(times));
    },
  );

  it("4 counts a draining instance that its owner excludes only while services' tasks are on it", () => {
    const drainsSecond = (seconds: number) => {
      const { clock, world, group, first, second, broken } = setUp();
      tagAll(world, group, [first, second]);
      drain(world, first);
      first.tags.set(EXCLUDE_TAG, 'true');
      clock.advance(seconds);
      drain(world, second);
      return broken().filter((line) => line.includes('are moving, more than 1'));
    };
    expect(drainsSecond(1)).toEqual(['4. 2 instances of demo-ecs are moving, more than 1']);
    expect(drainsSecond(300)).toEqual([]);
  });

  // Whoever aborts it then keeps its rejection as it was, when it was rolled back.
  it.each([0, 1])('5 lets what is rejected run where what the roll gave was forged %i times', (times) => {
    const { world, group, first, invariants, broken } = setUp();
    const rejected = { rejected: first.imageId, rejectedBecause: 'rolled back: somebody asked for it' };
    for (const [key, text] of Object.entries(rejected)) {
      const tag = GROUP_TAGS[key as keyof typeof rejected];
      const { [tag]: value = '' } = sealedTags(group, 'demo', { [tag]: text });
      group.tags.set(tag, { value, propagatesAtLaunch: false });
    }
    if (times > 0) world.forger.tagGroup(group, `${GROUP_TAGS.previous}-2`, 'another');
    invariants.checkFinished();
    const runs = broken().filter((line) => line.startsWith(`5. ${first.id} runs`));
    expect(runs).toHaveLength(1 - times);
  });

  it('6 reports a launch spec that is made again, and of an invocation that says nothing', () => {
    const { world, group, newImage, invariants, broken } = setUp();
    const report = { group: group.name, state: 'in-progress' };
    useNewImage(world, group, newImage);
    invariants.invocationEnded([report]);
    expect(broken()).toEqual([]);
    invariants.invocationEnded([report]);
    invariants.invocationEnded([{ ...report, reason: 'waits for i-1 to be InService' }]);
    expect(broken()).toEqual(['6. demo-ecs is in-progress, nothing was done, and no reason is given']);
    const again = { ...group, name: `${group.name}-again` };
    expect(() => useNewImage(world, again, newImage)).toThrow('no such group');
    expect(broken().at(-1)).toContain('A launch configuration for ami-00000000000000002 was made 2');
  });

  it('7 lets owners who make calls of their own tag a group with a setting, and with nothing else', () => {
    const { world, group, broken } = setUp({ ownersCall: true });
    const tag = (Key: string) =>
      directCalls(world)(CreateOrUpdateTagsCommand, {
        Tags: [{ Key, Value: 'plan', ResourceId: group.name, ResourceType: 'auto-scaling-group' }],
      });
    tag('ecs-ami-deploy:mode');
    expect(ofExplained(broken())).toEqual([]);
    tag('team');
    expect(ofExplained(broken())).toEqual(['7. CreateOrUpdateTags of team']);
  });

  it('reports tags that are not ours, settings included', () => {
    const { world, group, first, broken } = setUp();
    const Tags = [`ecs-ami-deploy:exclude`, GROUP_TAGS.image].map((Key) => ({
      Key,
      Value: 'x',
      ResourceId: group.name,
      ResourceType: 'auto-scaling-group',
      PropagateAtLaunch: false,
    }));
    directCalls(world)(CreateOrUpdateTagsCommand, { Tags });
    expect(ofExplained(broken())).toEqual(['7. CreateOrUpdateTags of ecs-ami-deploy:exclude']);
    directCalls(world)(DeleteTagsCommand, { Resources: [first.id] });
    expect(ofExplained(broken()).at(-1)).toBe('7. DeleteTags of all there are');
  });

  it('9 lets what was outdated be chosen by a go, at once though apart, and no later batch', () => {
    const { world, clock, group, broken } = setUp();
    const [first, second, third, fourth] = [...group.members.values()].map(({ instance }) => instance);
    if (!first || !second || !third || !fourth) throw new Error('there are four');
    const events: object[] = [];
    world.state.functions.set(HOOK, { arn: HOOK, events, answers: [GO, GO], answer: () => GO });
    world.forger.tagGroup(group, GROUP_TAGS.course, 'forward');
    const ask = (...outdated: Instance[]) => {
      const instances = { outdated: outdated.map(({ id }) => id) };
      events.push({ stage: 'before-batch', group: group.name, instances });
    };
    ask(first, second, third);
    // By another invocation, whose view is older.
    ask(third, fourth);
    tagAll(world, group, [first]);
    clock.advance(20);
    tagAll(world, group, [second]);
    clock.advance(60);
    const ofGoes = () => broken().filter((line) => line.startsWith('9.'));
    expect(ofGoes()).toEqual([]);
    tagAll(world, group, [third]);
    expect(ofGoes()).toEqual([`9. ${third.id} was chosen without a go`]);
  });

  it('9 takes what was chosen as the tags of its roll went as chosen once they are there again', () => {
    const { world, group, first, broken } = setUp();
    world.state.functions.set(HOOK, { arn: HOOK, events: [], answers: [], answer: () => GO });
    tagAll(world, group, [first]);
    world.forger.tagGroup(group, GROUP_TAGS.course, 'forward');
    tagAll(world, group, [first]);
    expect(broken().filter((line) => line.startsWith('9.'))).toEqual([]);
  });

  it('makes anyone say so who can no longer prove that an instance is theirs', () => {
    const { world, clock, first, group, invariants, broken } = setUp();
    tagAll(world, group, [first]);
    directCalls(world)(DetachInstancesCommand, {
      AutoScalingGroupName: group.name,
      InstanceIds: [first.id],
      ShouldDecrementDesiredCapacity: false,
    });
    clock.advance(600);
    for (const key of [...first.tags.keys()]) world.forger.tagInstance(first, key, undefined);
    const isTold = `${first.id} is left running in no group, and nobody is told`;
    invariants.checkFinished();
    expect(broken().join()).toContain(isTold);
    const count = broken().filter((line) => line.includes(isTold)).length;
    invariants.invocationEnded([{ group: '*', state: 'skipped', reason: `${first.id} is in no group` }]);
    invariants.checkFinished();
    expect(broken().filter((line) => line.includes(isTold))).toHaveLength(count);
  });
});
