import type { Group } from '../world/autoscaling/model.ts';
import { isAlive } from '../world/ec2/model.ts';
import type { Listener } from '../world/events.ts';
import { groupsInScope, targetImageId, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { oldLaunchSpecs } from './old-launch-specs.ts';

/** What all tags of the product begin with. */
const TAG_PREFIX = 'ecs-ami-deploy';

const isOurTag = (key: string) => key.startsWith(TAG_PREFIX);

/** 5. The end of a roll: everything on the target image, and all else as it was. */
export function watchFinish(watch: Watch, ledger: Ledger) {
  const { state, expectations } = watch;
  const asLeft = new Map<Group, string>();
  for (const group of state.groups.values()) asLeft.set(group, settings(group));

  const listener: Listener = (event) => {
    if (event.kind === 'group-written' && event.cause === 'owner')
      asLeft.set(event.group, settings(event.group));
  };

  const checkFinished = () => {
    const expect = (holds: boolean, what: () => string) => ledger.expect(5, holds, what);
    for (const group of state.groups.values()) checkGroup(group, expect);
    for (const group of groupsInScope(watch)) checkMembers(group, expect);
    checkInstances(expect);
    const most = expectations.keepLaunchSpecs ?? 5;
    for (const { name, count } of oldLaunchSpecs(watch))
      expect(count <= most, () => `${count} old ones stand of ${name}`);
  };

  const checkGroup = (group: Group, expect: Expect) => {
    const now = settings(group);
    const before = asLeft.get(group) ?? now;
    expect(now === before, () => `${group.name}: ${now}, was ${before}`);
    const left = [...group.tags.keys()].filter(isOurTag);
    expect(left.length === 0, () => `${group.name} is still tagged: ${left}`);
  };

  const checkMembers = (group: Group, expect: Expect) => {
    for (const { instance, lifecycleState } of group.members.values()) {
      if (lifecycleState === 'Terminating') continue;
      const target = targetImageId(watch, instance);
      expect(instance.imageId === target, () => `${instance.id} runs ${instance.imageId}, not ${target}`);
    }
  };

  const checkInstances = (expect: Expect) => {
    for (const instance of state.instances.values()) {
      if (!isAlive(instance)) continue;
      const { id, containerInstance, launchedBy } = instance;
      const left = [...instance.tags.keys()].filter(isOurTag);
      expect(left.length === 0, () => `${id} is still tagged: ${left}`);
      expect(containerInstance?.status !== 'DRAINING', () => `${id} is left DRAINING`);
      expect(!launchedBy || launchedBy.members.has(id), () => `${id} lives on, a member of no group`);
    }
  };

  return { listener, checkFinished };
}

type Expect = (holds: boolean, what: () => string) => void;

/** What is its owner's business: sizes, suspended processes, the way in which it refers to its launch spec. */
function settings(group: Group): string {
  const { minSize, maxSize, desiredCapacity, suspendedProcesses } = group;
  const suspended = [...suspendedProcesses].sort().join(' ') || 'nothing';
  return `${minSize}/${desiredCapacity}/${maxSize}, ${suspended} suspended, by ${referenceOf(group)}`;
}

function referenceOf({ launchSpec: spec }: Group): string {
  if (spec.kind === 'launch-configuration') return spec.kind;
  const { version = 'none' } = spec;
  return `${spec.kind}, version ${/^\d+$/.test(version) ? 'by number' : version}`;
}
