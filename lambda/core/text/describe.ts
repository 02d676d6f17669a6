import { type Action, type RollRecord, VERSION_TO_COME } from '../model/decision.ts';
import type { Group } from '../model/group.ts';
import type { Image, PolicyChange, VolumeSnapshot } from '../model/launch.ts';
import { instanceIdsOf } from '../model/registrations.ts';
import type { Canary, NewSizes, RaisedMinSize, Sizes, TemporaryChanges } from '../model/roll.ts';

/** Most ids that a sentence names; more are counted. */
const NAMED = 3;

/** One action as a sentence: what plans, logs and tests show is this. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case 'record-roll':
      return `tag group ${action.group}: ${describeRollout(action.roll)}`;
    case 'record-cluster':
      return `tag group ${action.group} with the cluster of its roll again`;
    case 'record-changes':
      return `tag group ${action.group}: ${describeChanges(action.changes)}`;
    case 'record-canary':
      return `tag group ${action.group}: ${describeCanary(action.canary)}`;
    case 'record-course':
      return `tag group ${action.group}: ${action.course.kind}, because ${action.course.because}`;
    case 'record-rejection':
      return `tag group ${action.group}: not onto ${action.rejection.imageIds.join(', ')} again`;
    case 'clear-rejection':
      return `take the tags from group ${action.group} that tell of images not to be tried again`;
    case 'pause':
      return `tag group ${action.group}: paused`;
    case 'resume':
      return `take the tag from group ${action.group} that has it paused`;
    case 'copy-launch-configuration':
      return `copy launch configuration ${action.source} to ${action.name} with ${describeImage(action.image)}${describeSnapshots(action.snapshots)}`;
    case 'use-launch-configuration':
      return `let group ${action.group} launch from ${action.name}`;
    case 'create-launch-template-version':
      return `create a version of launch template ${action.templateId} from version ${action.sourceVersion} with ${action.imageId}${describeSnapshots(action.snapshots)}`;
    case 'use-launch-template-version':
      return `let group ${action.group} launch from ${versionOf(action.version)} of ${action.templateId}`;
    case 'change-mixed-instances-policy':
      return `let the mixed instances policy of group ${action.group} name ${action.changes.map(describeChange).join(', ')}`;
    case 'set-default-version':
      return `make ${versionOf(action.version)} the default of ${action.templateId}`;
    case 'mark-instances':
      if (action.mark.drainGivenUpAt !== undefined)
        return `tag ${listIds(action.instanceIds)} as not drained in time`;
      return action.mark.drainStartedAt === undefined
        ? `tag ${listIds(action.instanceIds)} to be replaced`
        : `tag ${listIds(action.instanceIds)} as the next to drain`;
    case 'unmark-instances':
      return `take the tags from ${listIds(action.instanceIds)}`;
    case 'detach-instances':
      return `detach ${listIds(action.instanceIds)} from group ${action.group}, which ${
        action.decrement ? 'gets smaller by as many' : 'launches as many'
      }`;
    case 'set-sizes':
      return `set group ${action.group} to ${describeSizes(action)}`;
    case 'suspend-processes':
      return `suspend ${action.processes.join(' and ')} of group ${action.group}`;
    case 'resume-processes':
      return `resume ${action.processes.join(' and ')} of group ${action.group}`;
    case 'attach-instances':
      return `attach ${listIds(action.instanceIds)} to group ${action.group}, which gets larger by as many`;
    case 'set-healthy':
      return `set ${listIds(action.instanceIds)} of group ${action.group} Healthy`;
    case 'activate':
      return `set ${listIds(instanceIdsOf(action.containerInstances))} back ACTIVE`;
    case 'stop-tasks':
      return `stop ${listIds(action.tasks.map(({ arn }) => arn.split('/').at(-1) ?? arn))}`;
    case 'drain':
      return `drain ${listIds(instanceIdsOf(action.containerInstances))}`;
    case 'deregister':
      return `deregister ${action.containerInstance.instanceId}${action.mayStay ? ', where ECS lets it' : ''}`;
    case 'terminate':
      return `terminate ${listIds(action.instanceIds)}`;
    case 'terminate-members':
      return `terminate ${listIds(action.instanceIds)} through group ${action.group}, which ${action.decrement ? 'gets smaller by as many' : 'launches as many'}`;
    case 'delete-launch-configuration':
      return `delete launch configuration ${action.name}`;
    case 'delete-launch-template-versions':
      return `delete versions ${action.versions.join(', ')} of launch template ${action.templateId}`;
    case 'clear-roll':
      return `take the tags from group ${action.group}`;
  }
}

function describeSnapshots(snapshots: readonly VolumeSnapshot[]): string {
  return snapshots.map(({ deviceName, snapshotId }) => `, ${deviceName} from ${snapshotId}`).join('');
}

function describeCanary(canary: Canary): string {
  switch (canary.kind) {
    case 'pending':
      return 'the first batch is yet to be tried out';
    case 'baking':
      return 'the first batch is tried out';
    case 'passed':
      return 'the first batch has passed its trial';
  }
}

function describeRollout({ imageIds, forceBefore }: RollRecord): string {
  const forced = forceBefore === undefined ? '' : ', replacing every older instance';
  return `roll onto ${imageIds.join(', ')}${forced}`;
}

/** Why nothing more is done about a group, and in what way it isn't as its owner has it meanwhile. */
export function withChanges({ roll }: Pick<Group, 'roll'>, reason: string): string {
  if (roll === undefined) return reason;
  const { suspended, addedSizes, raisedMinSize } = roll.changes;
  const isNone =
    suspended.length + addedSizes.desiredCapacity + addedSizes.maxSize === 0 && raisedMinSize === undefined;
  if (isNone) return reason;
  return `${reason}; meanwhile: ${describeChanges(roll.changes)}`;
}

/** What of a group is ours to put back, as a sentence takes it. */
export function describeChanges({ suspended, addedSizes, raisedMinSize }: TemporaryChanges): string {
  const { change } = addedSizes;
  const parts = [
    ...(suspended.length === 0 ? [] : [`${suspended.join(' and ')} suspended by us`]),
    ...(addedSizes.desiredCapacity === 0 ? [] : [`${addedSizes.desiredCapacity} of its instances are ours`]),
    ...(addedSizes.maxSize === 0 ? [] : [`${addedSizes.maxSize} of its maximum size is ours`]),
    ...(raisedMinSize === undefined
      ? []
      : [
          `its minimum size is ${raisedMinSize.ours.join(' or ')} by us, instead of ${raisedMinSize.owner}${soon(raisedMinSize)}`,
        ]),
    ...(change === undefined ? [] : [`its size goes from ${sizes(change.from)} to ${sizes(change.to)}`]),
  ];
  return parts.join('; ') || 'nothing of it is ours any more';
}

function soon({ restsSince }: RaisedMinSize): string {
  return restsSince === undefined ? '' : ', for some minutes still';
}

function sizes({ desiredCapacity, maxSize }: Sizes): string {
  return `${desiredCapacity} of ${maxSize}`;
}

function describeSizes({ desiredCapacity, maxSize, minSize }: NewSizes): string {
  if (minSize !== undefined) return `at least ${minSize} instances`;
  if (desiredCapacity === undefined) return `at most ${maxSize} instances`;
  return maxSize === undefined
    ? `${desiredCapacity} instances`
    : `${desiredCapacity} of at most ${maxSize} instances`;
}

function describeChange(change: PolicyChange): string {
  if (change.kind === 'image') return `${change.to} in place of ${change.from}`;
  return `${versionOf(change.to)} of ${change.templateId}`;
}

/** Why members are to be replaced: how many for each reason, or just the reason where all have the same. */
export function describeReasons(drifted: readonly { readonly reasons: readonly string[] }[]): string {
  const counts = new Map<string, number>();
  for (const { reasons } of drifted) {
    const key = reasons.join(' and ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [first, ...others] = [...counts];
  if (first !== undefined && others.length === 0) return `by ${first[0]}`;
  return [...counts].map(([reason, count]) => `${count} by ${reason}`).join(', ');
}

function versionOf(version: number): string {
  return version === VERSION_TO_COME ? 'the new version' : `version ${version}`;
}

/** An image by id and name. */
export function describeImage(image: Image): string {
  return `${image.imageId} (${image.name})`;
}

/** Ids as the subject of a sentence: `i-1 is`, `i-1, i-2 are`. */
export function subject(ids: readonly string[], one: string, several: string): string {
  return `${listIds(ids)} ${ids.length === 1 ? one : several}`;
}

/** Ids as a sentence takes them. */
export function listIds(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).join(', ');
  return ids.length > NAMED ? `${named} and ${ids.length - NAMED} more` : named;
}
