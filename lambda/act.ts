import { describeGroups } from './aws/autoscaling.ts';
import {
  detachInstances,
  resumeProcesses,
  setSizes,
  suspendProcesses,
  tagGroup,
  terminateMembers,
  untagGroup,
  useLaunchConfiguration,
  useTemplateVersion,
} from './aws/autoscaling-changes.ts';
import type { Aws } from './aws/clients.ts';
import { tagInstances, terminateInstances, untagInstances } from './aws/ec2.ts';
import { deregister, drain } from './aws/ecs.ts';
import { StaleObservation } from './aws/errors.ts';
import { copyLaunchConfiguration, deleteLaunchConfiguration } from './aws/launch-configurations.ts';
import {
  createTemplateVersion,
  deleteTemplateVersions,
  setDefaultTemplateVersion,
} from './aws/launch-templates.ts';
import { changePolicy } from './aws/mixed-instances.ts';
import { GROUP_TAGS } from './contract.ts';
import type { Action } from './core/decision.ts';
import { holdTags, markTags, rolloutTags, saysHold } from './tags.ts';

/**
 * Carries out one action. Repeating it does no harm, for it may have taken effect without our having learnt of it.
 *
 * @throws StaleObservation when AWS is not as it was when the action was decided
 */
export async function act(aws: Aws, cluster: string, action: Action): Promise<void> {
  switch (action.kind) {
    case 'record-rollout':
      return tagGroup(aws, action.group, rolloutTags(cluster, action.rollout));
    case 'record-hold':
      return recordHold(aws, cluster, action);
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
      return untagInstances(aws, action.instanceIds);
    case 'detach-instances':
      return detachInstances(aws, action.group, action.instanceIds, action.decrement);
    case 'set-sizes':
      return setSizes(aws, action.group, action);
    case 'suspend-processes':
      return suspendProcesses(aws, action.group, action.processes);
    case 'resume-processes':
      return resumeProcesses(aws, action.group, action.processes);
    case 'drain':
      return drain(aws, cluster, action.containerInstances);
    case 'deregister':
      return deregister(aws, cluster, action.containerInstance);
    case 'terminate':
      return terminateInstances(aws, action.instanceIds);
    case 'terminate-members':
      return terminateMembers(aws, action.instanceIds);
    case 'delete-launch-configuration':
      return deleteLaunchConfiguration(aws, action.name);
    case 'delete-launch-template-versions':
      return deleteTemplateVersions(aws, action.templateId, action.versions);
    case 'clear-rollout':
      return untagGroup(aws, action.group);
  }
}

/**
 * Two invocations at once must not write over each other what is to be put back, so it is looked at once more, right
 * before: AWS can't be asked to write on condition.
 */
async function recordHold(
  aws: Aws,
  cluster: string,
  { group, before, sizes, hold }: Extract<Action, { kind: 'record-hold' }>,
): Promise<void> {
  const [record] = await describeGroups(aws, [group]);
  const isOurs = record?.tags[GROUP_TAGS.cluster] === cluster && saysHold(record.tags, before);
  const isSame =
    sizes === undefined ||
    (record?.desiredCapacity === sizes.desiredCapacity && record.maxSize === sizes.maxSize);
  if (!isOurs || !isSame) throw new StaleObservation(`the tags or sizes of group ${group} have changed`);
  return tagGroup(aws, group, holdTags(cluster, hold));
}
