import {
  DetachInstancesCommand,
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { virtualClock } from '../clock/clock.ts';
import type { Group } from '../world/autoscaling/model.ts';
import { directCalls } from '../world/direct-calls.ts';
import type { Instance } from '../world/ec2/model.ts';
import { type ScenarioOptions, standardScenario } from '../world/scenario.ts';
import { createWorld, type World } from '../world/world.ts';
import { customsByTags } from './by-tags.ts';
import { type Expectations, watchInvariants } from './invariants.ts';
import { TAG_PREFIX } from './roll-by-hand.ts';

/** Four members of a group `demo-ecs`, three services, and an operator who tags what he ends. */
export function setUp(expectations: Expectations = {}, options: Partial<ScenarioOptions> = {}) {
  const clock = virtualClock(Date.parse('2026-11-20T00:00:00Z'));
  const world = createWorld({ clock, seed: 1 });
  const launchSpec = 'launch-configuration';
  const scenario = standardScenario({ world, services: 3, launchSpec, ...options });
  const { group } = scenario;
  const [first, second] = [...group.members.values()].map(({ instance }) => instance);
  if (!first || !second) throw new Error('no instances');
  const invariants = watchInvariants(world, { customs: () => customsByTags(TAG_PREFIX), ...expectations });
  const broken = () => invariants.violations.map(({ invariant, what }) => `${invariant}. ${what}`);
  return { ...scenario, clock, world, group, first, second, invariants, broken };
}

export function lower(world: World, { name }: Group, DesiredCapacity: number) {
  directCalls(world)(SetDesiredCapacityCommand, { AutoScalingGroupName: name, DesiredCapacity });
}

/** Without a replacement: one is detached, the other ended. */
export function takeOut(world: World, { name }: Group, detached: string, ended: string) {
  const call = directCalls(world);
  const ShouldDecrementDesiredCapacity = true;
  call(DetachInstancesCommand, {
    AutoScalingGroupName: name,
    InstanceIds: [detached],
    ShouldDecrementDesiredCapacity,
  });
  call(TerminateInstanceInAutoScalingGroupCommand, { InstanceId: ended, ShouldDecrementDesiredCapacity });
}

export function endByGroup(world: World, { id: InstanceId }: Instance) {
  const ShouldDecrementDesiredCapacity = false;
  directCalls(world)(TerminateInstanceInAutoScalingGroupCommand, {
    InstanceId,
    ShouldDecrementDesiredCapacity,
  });
}

export const isOfEndings = (line: string) => line.startsWith('2.');

export const ofExplained = (lines: readonly string[]) => lines.filter((line) => line.startsWith('7.'));
