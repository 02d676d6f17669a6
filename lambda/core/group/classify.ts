import type { Attached, Classification, Drifted } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Group, Instance, Member } from '../model/group.ts';
import { isStandby, stays } from '../model/members.ts';
import { type DriftCriteria, driftReasons } from './drift.ts';
import { detachedOf, endingOf, isMarked } from './marked.ts';

/** Sorts a group's instances, oldest first. Leaves out instances that are gone or terminating. */
export function classify(
  group: Group,
  criteria: DriftCriteria,
  containerInstances: readonly ContainerInstance[],
): Classification {
  const members = group.members.filter(stays);
  const attached = attach(members, group.instances);
  const known = new Set(attached.map(({ instance }) => instance.instanceId));
  const skipped = attached.filter((each) => isSkipped(each, criteria));
  const others = attached.filter((each) => !isSkipped(each, criteria));
  const judged = judge(others, criteria);
  const drifted = judged.filter(hasDrifted);
  const detached = detachedOf(group).sort(byAge);
  const current = judged.filter((each) => !hasDrifted(each));
  const surplus = criteria.throughGroup ? current.filter(({ instance }) => isSurplus(group, instance)) : [];
  const marked = criteria.inPlace
    ? [...drifted, ...surplus].map(({ instance }) => instance).filter(isMarked)
    : [];
  const pool = attach(group.warmPool.filter(stays), group.instances).filter(
    ({ instance }) => instance.alive && !instance.excluded,
  );
  const warm = judge(pool, criteria).filter(hasDrifted);
  const pooled = warm.map(({ instance }) => instance).filter(isMarked);
  const unanswered = new Set(group.unknown?.instanceIds);
  const absent = members.filter(({ instanceId }) => !known.has(instanceId));
  const registered = new Set(containerInstances.map(({ instanceId }) => instanceId));
  return {
    drifted,
    current,
    skipped,
    detached,
    leaving: [
      ...detached.map((instance) => ({ ...instance, attached: false })),
      ...marked.map((instance) => ({ ...instance, attached: true })),
      ...pooled
        .filter(({ instanceId }) => registered.has(instanceId))
        .map((instance) => ({ ...instance, attached: false })),
    ],
    detaching: group.members.filter(({ lifecycleState }) => /^Detach/.test(lifecycleState)),
    ending: endingOf(group),
    unseen: absent.filter(({ instanceId }) => !unanswered.has(instanceId)),
    unknown: absent.filter(({ instanceId }) => unanswered.has(instanceId)),
    warm,
  };
}

function attach(members: readonly Member[], instances: readonly Instance[]): Attached[] {
  const byId = new Map(instances.map((instance) => [instance.instanceId, instance]));
  return members
    .flatMap((member) => {
      const instance = byId.get(member.instanceId);
      return instance === undefined ? [] : [{ member, instance }];
    })
    .sort((a, b) => byAge(a.instance, b.instance));
}

function judge(attached: readonly Attached[], criteria: DriftCriteria): Drifted[] {
  return attached.map(({ member, instance }) => ({
    member,
    instance,
    reasons: driftReasons({ member, instance }, criteria),
  }));
}

function hasDrifted({ reasons }: Drifted): boolean {
  return reasons.length > 0;
}

function isSkipped({ member, instance }: Attached, { standby }: DriftCriteria): boolean {
  return instance.excluded || (standby === 'skip' && isStandby(member));
}

/** Two invocations must get the same order, whatever order AWS answers in. */
function byAge(a: Instance, b: Instance): number {
  return a.launchedAt.getTime() - b.launchedAt.getTime() || (a.instanceId < b.instanceId ? -1 : 1);
}

/**
 * Whether an up-to-date member is marked as surplus, one of those the group was made larger by. During a
 * rollback an old member may still carry its earlier mark: that one stays.
 */
function isSurplus({ roll }: Pick<Group, 'roll'>, { mark }: Instance): boolean {
  if (mark === undefined || roll === undefined || roll.changes.addedSizes.desiredCapacity === 0) return false;
  const { course } = roll;
  return course.kind !== 'rollback' || mark.detachStartedAt > course.since;
}
