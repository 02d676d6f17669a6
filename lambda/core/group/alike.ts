import type { Assessment } from '../model/assessment.ts';
import type { ContainerInstance } from '../model/cluster.ts';
import type { Instance, Member, TargetHealth } from '../model/group.ts';
import { bestOf, isHost, registrationsOf, takesTasks, zoneOf } from '../model/registrations.ts';
import { oldTo, replacementsOf } from './crashes.ts';

/**
 * What fails on all instances in a zone that run another image, too, fails by no fault of the roll's: a zone
 * may be impaired, or ECS reach no agent. Auto Scaling replaces nobody in a zone that a zonal shift with
 * `IgnoreUnhealthy` moves away from, and doesn't show which that is.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-zonal-shift.html
 */
export function agentsAreAway(member: Member, assessment: Assessment): boolean {
  const { observation } = assessment;
  const hosts = earlierOnes(assessment)
    .flatMap(({ instanceId }) => bestOf(registrationsOf(observation, instanceId)) ?? [])
    .filter(isHost);
  const beside = hosts.filter((host) => zoneOf(host) === member.availabilityZone);
  const isAway = ({ agentConnected, isImpaired = false }: ContainerInstance) => !agentConnected || isImpaired;
  if (beside.length > 0) return beside.every(isAway);
  return isOfAll(hosts, isAway) || isOfZone(member, assessment, (id) => takesTasks(observation, id));
}

/**
 * Where nothing old is left to compare with, its zone is at fault if no replacement does well there, and
 * others do elsewhere: they run the same image.
 */
function isOfZone(
  { availabilityZone: zone }: Member,
  { group, classified }: Assessment,
  doesWell: (instanceId: string) => boolean,
): boolean {
  const replacements = new Set(replacementsOf(group, classified));
  const well = group.members.filter(
    ({ instanceId, lifecycleState }) =>
      lifecycleState === 'InService' && replacements.has(instanceId) && doesWell(instanceId),
  );
  return well.length > 0 && well.every((each) => each.availabilityZone !== zone);
}

/**
 * The same of what Auto Scaling says. One that drains in place stops its application, so it says nothing.
 * Without any that says something, all are unhealthy in the zone and others serve elsewhere.
 */
export function areUnhealthy(member: Member, assessment: Assessment): boolean {
  const earlier = stayingBeside(member, assessment);
  if (earlier.length > 0) return earlier.every(({ healthy }) => !healthy);
  const { keepsUnhealthy = false, members } = assessment.group;
  const isFine = (isThere: boolean) =>
    members.some(
      ({ healthy, lifecycleState, availabilityZone: zone }) =>
        healthy && lifecycleState === 'InService' && (zone === member.availabilityZone) === isThere,
    );
  const healthy = new Set(members.filter((each) => each.healthy).map(({ instanceId }) => instanceId));
  return (
    (keepsUnhealthy && isFine(false) && !isFine(true)) ||
    isOfZone(member, assessment, (id) => healthy.has(id))
  );
}

/** The same of what a traffic source says. */
export function areUnserved(
  member: Member,
  byInstance: ReadonlyMap<string, TargetHealth>,
  assessment: Assessment,
): boolean {
  const earlier = stayingBeside(member, assessment);
  if (earlier.length === 0) return isOfZone(member, assessment, (id) => byInstance.get(id)?.healthy === true);
  return earlier.every(({ instanceId }) => {
    const { healthy = true, starting = false } = byInstance.get(instanceId) ?? {};
    return !healthy && !starting;
  });
}

function isOfAll<Each>(some: readonly Each[], isSo: (each: Each) => boolean): boolean {
  return some.length > 0 && some.every(isSo);
}

function stayingBeside({ availabilityZone: zone }: Member, assessment: Assessment): Member[] {
  const staying = earlierOnes(assessment).filter(({ mark }) => mark?.drainStartedAt === undefined);
  const ids = new Set(staying.map(({ instanceId }) => instanceId));
  return assessment.group.members.filter(
    ({ instanceId, lifecycleState, availabilityZone }) =>
      ids.has(instanceId) && lifecycleState === 'InService' && availabilityZone === zone,
  );
}

function earlierOnes({ group: { instances, roll } }: Assessment): Instance[] {
  return roll === undefined ? [] : instances.filter(({ alive }) => alive).filter(oldTo(roll));
}
