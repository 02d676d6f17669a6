import type { Group, Member } from '../world/autoscaling/model.ts';
import { type Instance, isAlive } from '../world/ec2/model.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import { belongs, groupsInScope, isLeftAlone, targetImageId, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { oldLaunchSpecs } from './old-launch-specs.ts';
import { describe, followOwners, settingsOf } from './owner-settings.ts';
import { watchPurchaseOptions } from './purchase-options.ts';

/** 5. The end of a roll: everything on the target image, and all else as it was. */
export function watchFinish(watch: Watch) {
  const { state, expectations, customs } = watch;
  const owners = followOwners(state);
  const aside = followStandby(watch);
  const purchaseOptions = watchPurchaseOptions(watch);
  let told = '';
  const listener: Listener = (event) => {
    owners.note(event);
    aside.note(event);
    purchaseOptions.note(event);
  };

  const checkFinished = (ledger: Ledger) => {
    const expect = (holds: boolean, what: () => string) => ledger.expect(5, holds, what);
    for (const group of state.groups.values()) checkGroup(group, expect);
    for (const group of groupsInScope(watch)) {
      checkMembers(group, expect);
      purchaseOptions.checkFinished(group, ledger);
    }
    checkInstances(expect);
    const most = expectations.keepLaunchSpecs ?? 5;
    for (const { name, count } of oldLaunchSpecs(watch))
      expect(count <= most, () => `${count} old launch specs of ${name} are left, more than ${most}`);
  };

  const checkGroup = (group: Group, expect: Expect) => {
    const settings = settingsOf(group);
    const [{ others }] = owners.wantedOf(group);
    expect(
      settings.others === others,
      () => `the settings of ${group.name} are ${settings.others}, not ${others}`,
    );
    const now = describe(settings);
    const wanted = owners.wantedOf(group).map((each) => describe({ ...each, ...forgotten(group, settings) }));
    expect(wanted.includes(now), () => `${group.name}: ${now}, was ${wanted.join(' or ')}`);
    const outcome = customs.outcomeOf(group);
    const { endings = ['completed'] } = expectations;
    expect(
      endings.includes(outcome),
      () => `the roll of ${group.name} is ${outcome}, not ${endings.join(' or ')}`,
    );
    const left = customs.tagsLeftOn(group);
    expect(left.length === 0, () => `${group.name} is still tagged: ${left}`);
  };

  /** What a roll has made of a group it can't give back once somebody has spoilt what it remembered it by. */
  const forgotten = (group: Group, now: ReturnType<typeof settingsOf>) =>
    Object.fromEntries(customs.forgets(group).map((setting) => [setting, now[setting]]));

  const checkMembers = (group: Group, expect: Expect) => {
    // One that has been ended is listed until the group looks at its pool.
    const warm = [...(group.warmPool?.members.values() ?? [])].filter(({ instance }) => isAlive(instance));
    for (const member of [...group.members.values(), ...warm]) {
      const { instance } = member;
      if (/Terminating|Retained/.test(member.lifecycleState)) continue;
      const { isByCall } = aside;
      expect(!isByCall(member), () => `${instance.id} was put into Standby by a call and left there`);
      if (isLeftAlone(watch, member) || aside.has(instance)) continue;
      const target = targetImageId(watch, instance);
      expect(
        customs.mayRun(instance, group, target),
        () =>
          `${instance.id} runs ${instance.imageId}, though the roll of ${group.name} onto ${target} is ${customs.outcomeOf(group)}`,
      );
    }
  };

  const checkInstances = (expect: Expect) => {
    for (const instance of state.instances.values()) {
      if (!isAlive(instance)) continue;
      const { id, containerInstance, launchedBy } = instance;
      if (customs.isUnknown(instance)) {
        checkForged(instance, expect);
        continue;
      }
      const left = customs.tagsLeftOn(instance);
      expect(left.length === 0, () => `${id} is still tagged: ${left}`);
      // What a group ends for the managed scaling of ECS is drained by ECS itself.
      const isEnding = launchedBy?.members.get(id)?.lifecycleState.startsWith('Terminating') ?? false;
      expect(isEnding || containerInstance?.status !== 'DRAINING', () => `${id} is left DRAINING`);
      expect(!launchedBy || isMember(instance), () => `${id} is left running in no group`);
    }
  };

  /** Whoever can't prove any more that an instance is its own leaves it alone, and says so. */
  const checkForged = (instance: Instance, expect: Expect) => {
    const { id, launchedBy } = instance;
    const isTold = !belongs(watch, launchedBy) || isMember(instance) || told.includes(id);
    expect(isTold, () => `${id} is left running in no group, and nobody is told`);
  };

  return {
    listener,
    checkFinished,
    invocationEnded(groups: readonly object[]) {
      told = JSON.stringify(groups);
    },
  };
}

function isMember({ id, launchedBy }: Instance): boolean {
  return launchedBy?.members.has(id) === true || launchedBy?.warmPool?.members.has(id) === true;
}

/**
 * Follows what its owner had put aside when a roll back was over: it is left as it is, whatever becomes of it
 * then; and what calls have put aside, which isn't.
 */
function followStandby(watch: Watch) {
  const aside = new Map<Group, readonly Instance[]>();
  const byCalls = new Set<Instance>();
  const isStandby = ({ lifecycleState }: Member) => /Standby$/.test(lifecycleState);
  return {
    note(event: WorldEvent) {
      if (event.kind === 'member-changed' && event.cause === 'call' && isStandby(event.member))
        byCalls.add(event.member.instance);
      if (event.kind !== 'called') return;
      for (const group of watch.state.groups.values()) {
        if (!watch.customs.isGoingBack(group)) continue;
        const standing = [...group.members.values()].filter((each) => each.lifecycleState === 'Standby');
        aside.set(
          group,
          standing.map(({ instance }) => instance),
        );
      }
    },
    isByCall: (member: Member) => isStandby(member) && byCalls.has(member.instance),
    has(instance: Instance): boolean {
      return [...aside.values()].some((instances) => instances.includes(instance));
    },
  };
}

type Expect = (holds: boolean, what: () => string) => void;
