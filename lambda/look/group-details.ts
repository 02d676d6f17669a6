import {
  countRequestedTerminations,
  describeFailedLaunches,
  describeInServiceTimes,
  describeNamedSize,
  describeTerminations,
} from '../aws/autoscaling-activities.ts';
import type { Aws } from '../aws/clients.ts';
import { isTerminationProtected } from '../aws/ec2.ts';
import { runningInstanceRefresh } from '../aws/instance-refreshes.ts';
import { describeLaunchConfigurations } from '../aws/launch-configurations.ts';
import { describeLifecycleHooks } from '../aws/lifecycle-hooks.ts';
import { hasScaleInPolicy } from '../aws/scaling-policies.ts';
import { endedPastGroup } from '../core/drain/protection.ts';
import { withGroupDetails } from '../core/group/assess.ts';
import { hasLateComer } from '../core/group/launch-faults.ts';
import { readyLimitSeconds } from '../core/group/launch-time.ts';
import { launchHooks } from '../core/group/lifecycle-hooks.ts';
import { endingOf } from '../core/group/marked.ts';
import { isAmbiguous } from '../core/group/named-size.ts';
import { configurationsToVerify } from '../core/launch-spec/restore-configuration.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { Group, GroupDetails } from '../core/model/group.ts';
import type { LifecycleHooks } from '../core/model/lifecycle-hook.ts';
import { stays, weightOf } from '../core/model/members.ts';
import { NOTHING_ADDED } from '../core/model/roll.ts';
import { providersOf } from './belonging.ts';
import { launchHistoryOf } from './launch-history.ts';
import type { GroupLook } from './look.ts';
import type { Memory } from './memory.ts';
import { targetHealthOf, zonesOf } from './traffic-sources.ts';

/** Reads one thing about a concerned group, if the decision will need it. */
type ReadDetail = (aws: Aws, assessment: Assessment, look: GroupLook) => Promise<GroupDetails>;

/** Each gets what those before it have read. */
const DETAILS: readonly ReadDetail[] = [
  instanceRefreshOf,
  targetHealthOf,
  zonesOf,
  endingsOf,
  sizeChangesOf,
  failedLaunchesOf,
  formerConfigurationsOf,
  entriesOf,
  capacityProvidersOf,
  launchHistoryOf,
  protectedInTurn,
];

/** Reads what matters only for a group that is rolled, or will be. */
export async function readGroupDetails(
  aws: Aws,
  assessment: Assessment,
  look: GroupLook,
): Promise<Assessment> {
  let detailed = assessment;
  for (const read of DETAILS) detailed = withGroupDetails(detailed, await read(aws, detailed, look));
  return detailed;
}

/**
 * No refresh goes on while its process is suspended. So one look that finds none is enough, until a change is
 * refused, or the process is about to be resumed.
 */
export async function instanceRefreshOf(
  aws: Aws,
  { group: { name } }: Assessment,
  { record, memory: { unrefreshed } }: GroupLook,
): Promise<Pick<GroupDetails, 'instanceRefresh'>> {
  const isSuspended = record.suspendedProcesses.includes('InstanceRefresh');
  if (isSuspended && unrefreshed.has(name)) return {};
  const instanceRefresh = await runningInstanceRefresh(aws, name);
  if (isSuspended && instanceRefresh === undefined) unrefreshed.add(name);
  return { instanceRefresh };
}

/** A group's lifecycle hooks, read once per invocation. */
export async function hooksOf(aws: Aws, group: string, { lifecycleHooks }: Memory): Promise<LifecycleHooks> {
  const hooks = lifecycleHooks.get(group) ?? (await describeLifecycleHooks(aws, group));
  lifecycleHooks.set(group, hooks);
  return hooks;
}

/** How a group ends its members: its hooks, and since when they may have held any. */
export async function endingsOf(
  aws: Aws,
  { group, observation: { now } }: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'lifecycleHooks' | 'endingSince'>> {
  const hooks = await hooksOf(aws, group.name, memory);
  const { endingSince } = memory;
  const ending = endingOf(group).map(({ instanceId }) => instanceId);
  const unknown = ending.filter((instanceId) => !endingSince.has(instanceId));
  if (unknown.length > 0 && group.roll !== undefined) {
    const told = await describeTerminations(aws, group.name, unknown, group.roll.startedAt);
    for (const instanceId of unknown) endingSince.set(instanceId, told.get(instanceId) ?? now);
  }
  return { lifecycleHooks: hooks, endingSince };
}

/** What its activities tell of a size that isn't as noted. */
async function sizeChangesOf(
  aws: Aws,
  { group }: Assessment,
): Promise<Pick<GroupDetails, 'departed' | 'namedSize'>> {
  const { name, roll } = group;
  const namedSize =
    roll !== undefined && isAmbiguous(group) ? await describeNamedSize(aws, name, roll.startedAt) : undefined;
  return { ...(await departedFrom(aws, group)), ...(namedSize !== undefined && { namedSize }) };
}

/** Asked only if the group is smaller than noted: somebody has shrunk it, or the note is an earlier one. */
async function departedFrom(
  aws: Aws,
  { name, roll, desiredCapacity }: Group,
): Promise<Pick<GroupDetails, 'departed'>> {
  const { over, departures, change, ...ours } = roll?.changes.addedSizes ?? NOTHING_ADDED;
  if (over === undefined || departures === undefined || change !== undefined) return {};
  if (desiredCapacity >= over.desiredCapacity + ours.desiredCapacity) return {};
  return { departed: await countRequestedTerminations(aws, name, departures.since) };
}

/** Why members are missing or came late, if any are or did. */
export async function failedLaunchesOf(
  aws: Aws,
  assessment: Assessment,
): Promise<Pick<GroupDetails, 'failedLaunches'>> {
  const { group, settings } = assessment;
  const { name, roll, members, desiredCapacity } = group;
  if (roll === undefined) return {};
  const present = weightOf(members.filter(stays).map((member) => ({ member })));
  if (present >= desiredCapacity && !hasLateComer(assessment)) return {};
  const limit = readyLimitSeconds(group, settings);
  return { failedLaunches: await describeFailedLaunches(aws, name, roll.startedAt, limit) };
}

/**
 * Read at each look while one is still to be given back: somebody may make another of the same name
 * meanwhile.
 */
export async function formerConfigurationsOf(
  aws: Aws,
  { group, launch }: Assessment,
): Promise<Pick<GroupDetails, 'formerConfigurations'>> {
  const names = configurationsToVerify(group, launch);
  if (names.length === 0) return {};
  const found = await describeLaunchConfigurations(aws, names);
  return { formerConfigurations: new Map(found.map(({ name, uuid }) => [name, uuid])) };
}

/** Since when members that launch hooks held are in service. Read once for each. */
export async function entriesOf(
  aws: Aws,
  { group }: Assessment,
  { memory: { inServiceSince } }: GroupLook,
): Promise<Pick<GroupDetails, 'inServiceSince'>> {
  const { name, roll, members, instances } = group;
  if (roll === undefined || launchHooks(group).length === 0) return {};
  const serving = new Set(
    members.flatMap((each) => (each.lifecycleState === 'InService' ? [each.instanceId] : [])),
  );
  const launched = instances.filter(({ launchedAt }) => launchedAt >= roll.startedAt);
  const unknown = launched.filter(
    ({ instanceId }) => serving.has(instanceId) && !inServiceSince.has(instanceId),
  );
  if (unknown.length === 0) return { inServiceSince };
  const ids = unknown.map(({ instanceId }) => instanceId);
  const told = await describeInServiceTimes(aws, name, ids, roll.startedAt);
  for (const [instanceId, since] of told) inServiceSince.set(instanceId, since);
  return { inServiceSince };
}

/** Whether a capacity provider is bound to the group, and who may make that smaller by its load. */
export async function capacityProvidersOf(
  aws: Aws,
  { group: { name }, observation: { cluster } }: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'hasCapacityProvider' | 'mayScaleIn' | 'hasManagedProtection'>> {
  const all = await providersOf(aws, cluster, memory);
  const own = all.filter(({ group }) => group === name);
  return {
    hasCapacityProvider: own.length > 0,
    mayScaleIn: own.some(({ hasManagedScaling }) => hasManagedScaling) || (await policyOf(aws, name, memory)),
    hasManagedProtection: own.some(({ protectsMembers }) => protectsMembers),
  };
}

async function policyOf(aws: Aws, group: string, { scaleInPolicies }: Memory): Promise<boolean> {
  const known = scaleInPolicies.get(group) ?? (await hasScaleInPolicy(aws, group));
  scaleInPolicies.set(group, known);
  return known;
}

/**
 * Each instance costs a call, so before a roll we ask about this many only, and about the others before they
 * drain.
 */
const ASKED_BEFORE = 25;

/** The instances that EC2 will not terminate, of those we may ask about. */
export async function protectedAmong(
  aws: Aws,
  instanceIds: readonly string[],
  known: Memory['terminationProtection'],
): Promise<string[]> {
  for (const instanceId of instanceIds) {
    // Protected ones are asked about again: somebody may lift the protection to let the roll go on.
    if (known.get(instanceId) === false) continue;
    const found = await isTerminationProtected(aws, instanceId);
    if (found !== undefined) known.set(instanceId, found);
  }
  return instanceIds.filter((instanceId) => known.get(instanceId));
}

/**
 * The protected ones among those that a roll would end itself, of the few we check before it begins. Later
 * invocations ask again when their turn comes.
 */
export async function protectedBefore(
  aws: Aws,
  assessment: Assessment,
  { terminationProtection }: Memory,
): Promise<string[]> {
  const ids = endedPastGroup(assessment);
  return protectedAmong(aws, ids.slice(0, ASKED_BEFORE), terminationProtection);
}

/** The protected ones among detached instances whose turn to drain has come. */
export async function protectedInTurn(
  aws: Aws,
  { classified }: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'terminationProtected'>> {
  const inTurn = classified.leaving.filter(
    ({ attached, mark }) => !attached && mark.drainStartedAt !== undefined,
  );
  const ids = inTurn.map(({ instanceId }) => instanceId);
  const found = await protectedAmong(aws, ids, memory.terminationProtection);
  return found.length === 0 ? {} : { terminationProtected: new Set(found) };
}
