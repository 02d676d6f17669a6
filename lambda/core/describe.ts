import type { Action } from './decision.ts';
import { VERSION_TO_COME } from './foresee.ts';
import type { Image } from './model.ts';

/** Most ids that a sentence names; more are counted. */
const NAMED = 3;

/** One action as a sentence: what plans, logs and tests show is this. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case 'record-rollout':
      return `tag group ${action.group}: roll onto ${action.rollout.imageId}${
        action.rollout.forceBefore === undefined ? '' : ', replacing every older instance'
      }`;
    case 'copy-launch-configuration':
      return `copy launch configuration ${action.source} to ${action.name} with ${describeImage(action.image)}`;
    case 'use-launch-configuration':
      return `let group ${action.group} launch from ${action.name}`;
    case 'create-launch-template-version':
      return `create a version of launch template ${action.templateId} from version ${action.sourceVersion} with ${action.imageId}`;
    case 'use-launch-template-version':
      return `let group ${action.group} launch from ${versionOf(action.version)} of ${action.templateId}`;
    case 'set-default-version':
      return `make ${versionOf(action.version)} the default of ${action.templateId}`;
    case 'mark-instances':
      return action.mark.drainStartedAt === undefined
        ? `tag ${listIds(action.instanceIds)} to be replaced`
        : `tag ${listIds(action.instanceIds)} as the next to drain`;
    case 'unmark-instances':
      return `take the tags from ${listIds(action.instanceIds)}`;
    case 'detach-instances':
      return `detach ${listIds(action.instanceIds)} from group ${action.group}, which launches as many`;
    case 'drain':
      return `drain ${listIds(action.containerInstances.map(({ instanceId }) => instanceId))}`;
    case 'deregister':
      return `deregister ${action.containerInstance.instanceId}`;
    case 'terminate':
      return `terminate ${listIds(action.instanceIds)}`;
    case 'delete-launch-configuration':
      return `delete launch configuration ${action.name}`;
    case 'delete-launch-template-versions':
      return `delete versions ${action.versions.join(', ')} of launch template ${action.templateId}`;
    case 'clear-rollout':
      return `take the tags from group ${action.group}`;
  }
}

function versionOf(version: number): string {
  return version === VERSION_TO_COME ? 'the new version' : `version ${version}`;
}

/** An image by id and name. */
export function describeImage(image: Image): string {
  return `${image.imageId} (${image.name})`;
}

/** Ids as a sentence takes them. */
export function listIds(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).join(', ');
  return ids.length > NAMED ? `${named} and ${ids.length - NAMED} more` : named;
}
