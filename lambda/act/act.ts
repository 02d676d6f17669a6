import { describeGroups, describeWarmPool } from '../aws/autoscaling.ts';
import {
  attachInstances,
  detachInstances,
  resumeProcesses,
  setHealthy,
  setSizes,
  suspendProcesses,
  tagGroup,
  terminateMembers,
  untagGroup,
  useLaunchConfiguration,
  useTemplateVersion,
} from '../aws/autoscaling-changes.ts';
import type { Aws } from '../aws/clients.ts';
import { tagInstances, terminateInstances, untagInstances } from '../aws/ec2.ts';
import { activate, deregister, drain } from '../aws/ecs.ts';
import { StaleObservation } from '../aws/errors.ts';
import { copyLaunchConfiguration, deleteLaunchConfiguration } from '../aws/launch-configurations.ts';
import {
  createTemplateVersion,
  deleteTemplateVersions,
  setDefaultTemplateVersion,
} from '../aws/launch-templates.ts';
import { changePolicy } from '../aws/mixed-instances.ts';
import { stopTasks } from '../aws/tasks.ts';
import { GROUP_TAGS } from '../contract.ts';
import type { Action } from '../core/actions/decision.ts';
import { stays } from '../core/model/members.ts';
import type { TemporaryChanges } from '../core/model/roll.ts';
import { unmade } from '../core/sizes/temporary-changes.ts';
import type { Tags } from '../tags/tag-values.ts';
import {
  canaryTags,
  changedTags,
  courseTags,
  markTags,
  NEW_ROLL_TAGS,
  pausedTags,
  REJECTION_TAG_KEYS,
  ROLL_TAG_KEYS,
  readRoll,
  recordsChanges,
  rejectionTags,
  rollTags,
} from '../tags/tags.ts';

/** Tags of a group as they have been written; undefined for those that were taken away. */
export interface Written {
  readonly group: string;
  readonly tags: Readonly<Record<string, string | undefined>>;
}

/** The group that is acted upon, and the cluster that it is rolled for. */
export interface Target {
  readonly cluster: string;
  readonly group: string;
  /** The UUID in the group's ARN. */
  readonly uuid: string;
}

/**
 * Carries out one action. Repeating it does no harm, for it may have taken effect without our having learnt
 * of it.
 *
 * @returns the group's tags that it wrote, if it did
 * @throws StaleObservation when AWS is not as it was when the action was decided
 */
export async function act(aws: Aws, target: Target, action: Action): Promise<Written | undefined> {
  switch (action.kind) {
    case 'record-roll':
      return tag(aws, target, {
        ...rollTags(target.cluster, action.roll),
        ...(action.begins && NEW_ROLL_TAGS),
      });
    case 'record-cluster':
      return tag(aws, target, { [GROUP_TAGS.cluster]: target.cluster });
    case 'record-changes':
      return recordChanges(aws, target, action);
    case 'record-canary':
      return recordOnRoll(aws, target, canaryTags(action.canary));
    case 'record-course':
      return recordOnRoll(aws, target, courseTags(action.course));
    case 'record-rejection':
      return tag(aws, target, rejectionTags(action.rejection));
    case 'clear-rejection':
      return untag(aws, target, REJECTION_TAG_KEYS);
    case 'pause':
      return tag(aws, target, pausedTags(action.since));
    case 'resume':
      return untag(aws, target, [GROUP_TAGS.paused]);
    case 'clear-roll':
      return untag(aws, target, ROLL_TAG_KEYS);
    default:
      await change(aws, target, action);
      return undefined;
  }
}

/** What is written on the group's tags. */
type Recording = Extract<
  Action,
  {
    kind:
      | 'record-roll'
      | 'record-cluster'
      | 'record-changes'
      | 'record-canary'
      | 'record-course'
      | 'record-rejection'
      | 'clear-rejection'
      | 'pause'
      | 'resume'
      | 'clear-roll';
  }
>;

function change(aws: Aws, target: Target, action: Exclude<Action, Recording>): Promise<void> {
  const { cluster } = target;
  switch (action.kind) {
    case 'copy-launch-configuration':
      return copyLaunchConfiguration(aws, action);
    case 'use-launch-configuration':
      return useLaunchConfiguration(aws, action.group, action.name);
    case 'create-launch-template-version':
      return createTemplateVersion(aws, action.templateId, action);
    case 'use-launch-template-version':
      return useTemplateVersion(aws, action.group, action.templateId, action.version);
    case 'change-mixed-instances-policy':
      return changePolicy(aws, action.group, action.changes);
    case 'set-default-version':
      return setDefaultTemplateVersion(aws, action.templateId, action.version);
    case 'mark-instances':
      return tagInstances(aws, action.instanceIds, markTags(cluster, action.mark));
    case 'unmark-instances':
      return unmark(aws, action.group, action.instanceIds);
    case 'detach-instances':
      return detachInstances(aws, action.group, action.instanceIds, action.decrement);
    case 'attach-instances':
      return attachInstances(aws, action.group, action.instanceIds);
    case 'set-sizes':
      return changeSizes(aws, target, action);
    case 'suspend-processes':
      return suspend(aws, target, action.processes);
    case 'resume-processes':
      return resumeProcesses(aws, action.group, action.processes);
    case 'set-healthy':
      return setHealthy(aws, action.instanceIds);
    case 'drain':
      return drain(aws, cluster, action.containerInstances);
    case 'activate':
      return activate(aws, cluster, action.containerInstances);
    case 'stop-tasks':
      return stopTasks(aws, cluster, action.tasks, action.because);
    case 'deregister':
      return deregister(aws, cluster, action.containerInstance, action.mayStay);
    case 'terminate':
      return action.pooledIn === undefined
        ? terminateInstances(aws, action.instanceIds)
        : terminatePooled(aws, action.pooledIn, action.instanceIds);
    case 'terminate-members':
      return terminateMembers(aws, action.instanceIds, action.decrement);
    case 'delete-launch-configuration':
      return deleteLaunchConfiguration(aws, action.name);
    case 'delete-launch-template-versions':
      return deleteTemplateVersions(aws, action.templateId, action.versions);
  }
}

async function tag(aws: Aws, target: Target, tags: Tags): Promise<Written> {
  if (Object.keys(tags).length > 0) await tagGroup(aws, target, tags);
  return { group: target.group, tags };
}

async function untag(aws: Aws, { group }: Target, keys: readonly string[]): Promise<Written> {
  await untagGroup(aws, group, keys);
  return { group, tags: Object.fromEntries(keys.map((key) => [key, undefined])) };
}

/**
 * Two invocations at once must not write over each other what is to be put back, so it is looked at once
 * more, right before: AWS can't be asked to write on condition.
 */
async function recordChanges(
  aws: Aws,
  target: Target,
  { before, closes, sizes, changes }: Extract<Action, { kind: 'record-changes' }>,
): Promise<Written> {
  const { cluster, group } = target;
  const [record] = await describeGroups(aws, [group]);
  const says = (expected: TemporaryChanges) =>
    record?.tags[GROUP_TAGS.cluster] === cluster && recordsChanges(record.tags, expected);
  const isOurs = says(before) || (closes && says(unmade(before)));
  const isSame =
    sizes === undefined ||
    (record?.desiredCapacity === sizes.desiredCapacity && record.maxSize === sizes.maxSize);
  if (!isOurs || !isSame) throw new StaleObservation(`the tags or sizes of group ${group} have changed`);
  const written = await tag(aws, target, changedTags(cluster, before, changes));
  const dropped = before.suspended.filter((name) => !changes.suspended.includes(name));
  if (dropped.length > 0) await keepNoted(aws, target, { before, changes, dropped });
  return written;
}

/**
 * What was resumed before its note went, and is suspended again, was suspended by another invocation that had found the note
 * in its place: so it is put back, and the next look decides.
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
  await tagGroup(aws, target, changedTags(cluster, changes, { ...changes, suspended: before.suspended }));
  throw new StaleObservation(`${again.join(' and ')} of group ${group} is suspended again`);
}

/** As for notes: what is noted may have been written over since, right after it was looked at. */
async function changeSizes(
  aws: Aws,
  { cluster, group }: Target,
  { noted, ...action }: Extract<Action, { kind: 'set-sizes' }>,
): Promise<void> {
  const [record] = noted === undefined ? [] : await describeGroups(aws, [group]);
  const isNoted =
    noted === undefined ||
    (record?.tags[GROUP_TAGS.cluster] === cluster && recordsChanges(record.tags, noted));
  if (!isNoted) throw new StaleObservation(`the tags of group ${group} have changed`);
  return setSizes(aws, group, action);
}

/**
 * What another invocation has resumed between our note and this, and taken the note away, would stay suspended for ever:
 * so it is looked at once more.
 */
async function suspend(aws: Aws, { cluster, group }: Target, processes: readonly string[]): Promise<void> {
  await suspendProcesses(aws, group, processes);
  const [record] = await describeGroups(aws, [group]);
  const noted = record === undefined ? undefined : readRoll(record.tags, cluster, new Date());
  const orphaned = processes.filter((name) => !noted?.changes.suspended.includes(name));
  if (record === undefined || orphaned.length === 0) return;
  await resumeProcesses(aws, group, orphaned);
  throw new StaleObservation(`the tags of group ${group} tell no more of ${orphaned.join(' and ')}`);
}

async function terminatePooled(aws: Aws, group: string, instanceIds: readonly string[]): Promise<void> {
  const pooled = new Set((await describeWarmPool(aws, group)).map(({ instanceId }) => instanceId));
  const left = instanceIds.filter((instanceId) => !pooled.has(instanceId));
  if (left.length > 0) throw new StaleObservation(`${left.join(', ')} has left the warm pool of ${group}`);
  return terminateInstances(aws, instanceIds);
}

/** Without its marks a detached instance would be found by nobody. */
async function unmark(aws: Aws, group: string, instanceIds: readonly string[]): Promise<void> {
  const [record] = await describeGroups(aws, [group]);
  const pool = record?.hasWarmPool ? await describeWarmPool(aws, group) : [];
  const staying = [...(record?.members ?? []), ...pool].filter(stays);
  const ids = new Set(staying.map(({ instanceId }) => instanceId));
  const gone = instanceIds.filter((instanceId) => !ids.has(instanceId));
  if (gone.length > 0) throw new StaleObservation(`${gone.join(', ')} is leaving group ${group}`);
  return untagInstances(aws, instanceIds);
}

/**
 * What is said of a roll must not outlast it: after the last action of another invocation the next roll would
 * find it.
 */
async function recordOnRoll(aws: Aws, target: Target, tags: Tags): Promise<Written> {
  const [record] = await describeGroups(aws, [target.group]);
  if (record?.tags[GROUP_TAGS.cluster] !== target.cluster)
    throw new StaleObservation(`group ${target.group} is not rolled any more`);
  return tag(aws, target, tags);
}
