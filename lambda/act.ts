import {
  detachInstances,
  tagGroup,
  untagGroup,
  useLaunchConfiguration,
  useTemplateVersion,
} from './aws/autoscaling.ts';
import type { Aws } from './aws/clients.ts';
import { tagInstances, terminateInstances, untagInstances } from './aws/ec2.ts';
import { deregister, drain } from './aws/ecs.ts';
import { copyLaunchConfiguration, deleteLaunchConfiguration } from './aws/launch-configurations.ts';
import {
  createTemplateVersion,
  deleteTemplateVersions,
  setDefaultTemplateVersion,
} from './aws/launch-templates.ts';
import type { Action } from './core/decision.ts';
import { markTags, rolloutTags } from './tags.ts';

/**
 * Carries out one action. Repeating it does no harm, for it may have taken effect without our having learnt of it.
 *
 * @throws StaleObservation when AWS is not as it was when the action was decided
 */
export async function act(aws: Aws, cluster: string, action: Action): Promise<void> {
  switch (action.kind) {
    case 'record-rollout':
      return tagGroup(aws, action.group, rolloutTags(cluster, action.rollout));
    case 'copy-launch-configuration':
      return copyLaunchConfiguration(aws, action);
    case 'use-launch-configuration':
      return useLaunchConfiguration(aws, action.group, action.name);
    case 'create-launch-template-version':
      return createTemplateVersion(aws, action.templateId, action);
    case 'use-launch-template-version':
      return useTemplateVersion(aws, action.group, action.templateId, action.version);
    case 'set-default-version':
      return setDefaultTemplateVersion(aws, action.templateId, action.version);
    case 'mark-instances':
      return tagInstances(aws, action.instanceIds, markTags(cluster, action.mark));
    case 'unmark-instances':
      return untagInstances(aws, action.instanceIds);
    case 'detach-instances':
      return detachInstances(aws, action.group, action.instanceIds);
    case 'drain':
      return drain(aws, cluster, action.containerInstances);
    case 'deregister':
      return deregister(aws, cluster, action.containerInstance);
    case 'terminate':
      return terminateInstances(aws, action.instanceIds);
    case 'delete-launch-configuration':
      return deleteLaunchConfiguration(aws, action.name);
    case 'delete-launch-template-versions':
      return deleteTemplateVersions(aws, action.templateId, action.versions);
    case 'clear-rollout':
      return untagGroup(aws, action.group);
  }
}
