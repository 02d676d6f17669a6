import { type DescribedGroup, describeGroups, describeWarmPool } from '../aws/autoscaling.ts';
import { resumeProcesses, setSizes, suspendProcesses } from '../aws/autoscaling-changes.ts';
import type { Aws } from '../aws/clients.ts';
import { terminateInstances } from '../aws/ec2-changes.ts';
import { containerInstancesAmong } from '../aws/ecs.ts';
import { drain } from '../aws/ecs-changes.ts';
import { StaleObservation } from '../aws/errors.ts';
import { tagGroup, untagGroup } from '../aws/group-tag-changes.ts';
import { runningInstanceRefresh } from '../aws/instance-refreshes.ts';
import { untagInstances } from '../aws/instance-tag-changes.ts';
import type { Tags } from '../contract.ts';
import { GROUP_TAGS } from '../contract.ts';
import type { Action } from '../core/actions/decision.ts';
import { isRequest } from '../core/group/course-doubts.ts';
import { stays } from '../core/model/members.ts';
import { instanceIdsOf } from '../core/model/registrations.ts';
import type { TemporaryChanges } from '../core/model/roll.ts';
import { isOver } from '../core/model/time.ts';
import { made, unmade } from '../core/sizes/temporary-changes.ts';
import { changedTags, recordsChanges } from '../tags/changes-tags.ts';
import { ROLL_TAG_KEYS, readNotice, readRoll } from '../tags/roll-tags.ts';
import { dateIn } from '../tags/times.ts';
import type { Target } from './target.ts';

export async function tag(aws: Aws, target: Target, tags: Tags): Promise<void> {
  if (Object.keys(tags).length === 0) return;
  await tagGroup(aws, target, tags);
  target.wrote?.(tags);
}

export async function untag(aws: Aws, { group, wrote }: Target, keys: readonly string[]): Promise<void> {
  await untagGroup(aws, group, keys);
  wrote?.(Object.fromEntries(keys.map((key) => [key, undefined])));
}

/**
 * Two concurrent invocations must not overwrite each other's record of what to restore. AWS has no
 * conditional write here, so we read it again right before writing.
 */
export async function recordChanges(
  aws: Aws,
  target: Target,
  { before, closes, sizes, changes: planned }: Action<'record-changes'>,
): Promise<void> {
  const { cluster, group } = target;
  const [record] = await describeGroups(aws, [group]);
  const says = (expected: TemporaryChanges) =>
    record?.tags[GROUP_TAGS.cluster] === cluster && recordsChanges(record.tags, expected);
  const isOurs = says(before) || (closes && says(unmade(before)));
  const isSame =
    sizes === undefined ||
    (record?.desiredCapacity === sizes.desiredCapacity && record.maxSize === sizes.maxSize);
  if (!isOurs || !isSame) throw new StaleObservation(`the tags or sizes of group ${group} have changed`);
  // Somebody's own suspension since the look would be noted as ours, and resumed at the end.
  const theirs = planned.suspended.filter(
    (name) => !before.suspended.includes(name) && record?.suspendedProcesses.includes(name),
  );
  if (theirs.length > 0)
    throw new StaleObservation(`${theirs.join(' and ')} of group ${group} is suspended already`);
  if (closes && hidesDecrement(before, record))
    throw new StaleObservation(`group ${group} is described as before it got smaller`);
  const changes = closes ? made(before, record) : planned;
  await tag(aws, target, changedTags(cluster, before, changes));
  const dropped = before.suspended.filter((name) => !changes.suspended.includes(name));
  if (dropped.length > 0) await keepNoted(aws, target, { before, changes, dropped });
}

/** With weights, by how much a detachment makes a group smaller shows only afterwards. */
function hidesDecrement(
  { addedSizes: { change } }: TemporaryChanges,
  record: Pick<DescribedGroup, 'desiredCapacity' | 'members'> | undefined,
): boolean {
  if (change === undefined || record === undefined) return false;
  const { from, to } = change;
  return (
    to.desiredCapacity < from.desiredCapacity &&
    record.desiredCapacity >= from.desiredCapacity &&
    record.members.some(({ weight }) => weight !== 1)
  );
}

/**
 * If a process was resumed before its note was removed and is suspended again, another invocation that still
 * found the note has suspended it: we put the note back, and the next look decides.
 */
async function keepNoted(
  aws: Aws,
  target: Target,
  {
    before,
    changes,
    dropped,
  }: {
    readonly before: TemporaryChanges;
    readonly changes: TemporaryChanges;
    readonly dropped: readonly string[];
  },
): Promise<void> {
  const { cluster, group } = target;
  const [record] = await describeGroups(aws, [group]);
  const again = dropped.filter((name) => record?.suspendedProcesses.includes(name));
  if (again.length === 0) return;
  await tag(aws, target, changedTags(cluster, changes, { ...changes, suspended: before.suspended }));
  throw new StaleObservation(`${again.join(' and ')} of group ${group} is suspended again`);
}

/** As with notes: another invocation may have overwritten what we noted just after we read it. */
async function assertNoted(aws: Aws, { cluster, group }: Target, noted?: TemporaryChanges): Promise<void> {
  const [record] = noted === undefined ? [] : await describeGroups(aws, [group]);
  const isNoted =
    noted === undefined ||
    (record?.tags[GROUP_TAGS.cluster] === cluster && recordsChanges(record.tags, noted));
  if (!isNoted) throw new StaleObservation(`the tags of group ${group} have changed`);
}

export async function changeSizes(
  aws: Aws,
  target: Target,
  { noted, ...action }: Action<'set-sizes'>,
): Promise<void> {
  await assertNoted(aws, target, noted);
  return setSizes(aws, target.group, action);
}

/**
 * If another invocation resumed a process and removed our note before this, the process would stay suspended
 * for ever, so we read the note again.
 */
export async function suspend(
  aws: Aws,
  { cluster, group }: Target,
  processes: readonly string[],
  now: Date,
): Promise<void> {
  await suspendProcesses(aws, group, processes);
  const [record] = await describeGroups(aws, [group]);
  const noted = record === undefined ? undefined : readRoll(record.tags, cluster, now);
  const orphaned = processes.filter((name) => !noted?.changes.suspended.includes(name));
  if (record === undefined || orphaned.length === 0) return;
  await resumeProcesses(aws, group, orphaned);
  throw new StaleObservation(`the tags of group ${group} no longer record ${orphaned.join(' and ')}`);
}

/**
 * An instance refresh may have begun while its process was suspended, by us, and would end members undrained
 * from then on: that process alone stays as it is, and the next look finds the refresh and tells of it. Where
 * no note says that we suspended it nothing holds it back.
 */
export async function resume(
  aws: Aws,
  target: Target,
  { processes, noted }: Action<'resume-processes'>,
): Promise<void> {
  const { group } = target;
  const isOurs = processes.includes('InstanceRefresh') && noted?.suspended.includes('InstanceRefresh');
  const waiting = isOurs ? await runningInstanceRefresh(aws, group) : undefined;
  await assertNoted(aws, target, noted);
  const resumed = waiting ? processes.filter((name) => name !== 'InstanceRefresh') : processes;
  if (resumed.length > 0) await resumeProcesses(aws, group, resumed);
  if (waiting)
    throw new StaleObservation(`an instance refresh of group ${group} has begun: ${waiting.status}`);
}

/**
 * A look may take minutes. An agent may be lost meanwhile, and of two invocations one may have found that the
 * earlier turn is held, and the other that it no longer is: each would drain another instance.
 */
export async function drainBeside(
  aws: Aws,
  { cluster }: Target,
  { containerInstances, beside, next }: Action<'drain'>,
): Promise<void> {
  const arns = [...beside, ...next].map(({ arn }) => arn);
  const found = await containerInstancesAmong(aws, cluster, arns);
  const serving = found.filter(({ status, agentConnected }) => status === 'ACTIVE' && agentConnected);
  const lost = beside.filter(({ arn }) => serving.every((each) => each.arn !== arn));
  if (lost.length > 0) throw new StaleObservation(`${instanceIdsOf(lost).join(', ')} no longer takes tasks`);
  const draining = next.filter(({ arn }) =>
    found.some((each) => each.arn === arn && each.status === 'DRAINING'),
  );
  if (draining.length > 0) throw new StaleObservation(`${instanceIdsOf(draining).join(', ')} drains already`);
  return drain(aws, cluster, containerInstances);
}

export async function terminatePooled(
  aws: Aws,
  group: string,
  instanceIds: readonly string[],
): Promise<void> {
  const pooled = new Set((await describeWarmPool(aws, group)).map(({ instanceId }) => instanceId));
  const left = instanceIds.filter((instanceId) => !pooled.has(instanceId));
  if (left.length > 0) throw new StaleObservation(`${left.join(', ')} has left the warm pool of ${group}`);
  return terminateInstances(aws, instanceIds);
}

/** Without its marks nobody would find a detached instance. */
export async function unmark(aws: Aws, group: string, instanceIds: readonly string[]): Promise<void> {
  const [record] = await describeGroups(aws, [group]);
  const pool = record?.hasWarmPool ? await describeWarmPool(aws, group) : [];
  const staying = [...(record?.members ?? []), ...pool].filter(stays);
  const ids = new Set(staying.map(({ instanceId }) => instanceId));
  const gone = instanceIds.filter((instanceId) => !ids.has(instanceId));
  if (gone.length > 0) throw new StaleObservation(`${gone.join(', ')} is leaving group ${group}`);
  return untagInstances(aws, instanceIds);
}

/**
 * Notes about a roll must not outlast it: after another invocation's last action the next roll would find
 * them.
 */
export async function recordOnRoll(aws: Aws, target: Target, tags: Tags): Promise<void> {
  const isRolled = (await tagsNow(aws, target))[GROUP_TAGS.cluster] === target.cluster;
  assertStill(isRolled, target, 'is over');
  return tag(aws, target, tags);
}

/** No look is older. */
const LONGEST_INVOCATION_SECONDS = 900;

/**
 * Another invocation may have begun the roll since the look, and given the group its image: what it launched
 * before, and goes back to, would be lost.
 */
export async function beginRoll(aws: Aws, target: Target, tags: Tags, now: Date): Promise<void> {
  const begun = readRoll(await tagsNow(aws, target), target.cluster, now)?.startedAt;
  const isAnew = begun === undefined || isOver(begun, LONGEST_INVOCATION_SECONDS, now);
  assertStill(isAnew, target, 'has begun');
  return tag(aws, target, tags);
}

/** Another invocation may have begun the roll anew, of whose end nobody would be told. */
export async function clearRoll(aws: Aws, target: Target): Promise<void> {
  const begun = dateIn((await tagsNow(aws, target))[GROUP_TAGS.startedAt]);
  assertStill(begun === undefined || begun.getTime() === target.begun?.getTime(), target, 'has begun anew');
  return untag(aws, target, ROLL_TAG_KEYS);
}

/** The roll may have begun since somebody read its notice, and would end halfway. */
export async function recordOnNotice(aws: Aws, target: Target, tags: Tags, now: Date): Promise<void> {
  const notice = readNotice(await tagsNow(aws, target), target.cluster, now);
  assertStill(notice !== undefined, target, 'is announced no more');
  return tag(aws, target, tags);
}

/** A recorded abort or rollback names the roll's images, so with others it would count no more. */
export async function recordForward(aws: Aws, target: Target, tags: Tags, now: Date): Promise<void> {
  const course = readRoll(await tagsNow(aws, target), target.cluster, now)?.course;
  const isForward = course !== undefined && (course.kind === 'forward' || isRequest(course, now));
  assertStill(isForward, target, 'goes forward no more');
  return tag(aws, target, tags);
}

/** None if the group is gone. */
async function tagsNow(aws: Aws, { group }: Target): Promise<Tags> {
  const [record] = await describeGroups(aws, [group]);
  return record?.tags ?? {};
}

function assertStill(isSo: boolean, { group }: Target, what: string) {
  if (!isSo) throw new StaleObservation(`the roll of group ${group} ${what}`);
}
