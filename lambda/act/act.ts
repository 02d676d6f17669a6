import {
  attachInstances,
  detachInstances,
  setHealthy,
  terminateMembers,
  useLaunchConfiguration,
  useTemplateVersion,
} from '../aws/autoscaling-changes.ts';
import type { Aws } from '../aws/clients.ts';
import { terminateInstances } from '../aws/ec2-changes.ts';
import { activate, deregister, stopTasks } from '../aws/ecs-changes.ts';
import { tagInstances } from '../aws/instance-tag-changes.ts';
import {
  copyLaunchConfiguration,
  deleteLaunchConfiguration,
  type LaunchConfigurationCopy,
} from '../aws/launch-configuration-changes.ts';
import {
  createTemplateVersion,
  deleteTemplateVersions,
  setDefaultTemplateVersion,
} from '../aws/launch-template-changes.ts';
import { changePolicy } from '../aws/mixed-instances-changes.ts';
import { LaunchSpecRefused } from '../aws/refused.ts';
import { GROUP_TAGS } from '../contract.ts';
import type { Action, ActionKind } from '../core/actions/decision.ts';
import { markTags } from '../tags/instance-tags.ts';
import {
  canaryTags,
  courseTags,
  NEW_ROLL_TAGS,
  NO_NOTICE,
  noticeTags,
  pausedTags,
  REJECTION_TAG_KEYS,
  rejectionTags,
  rollTags,
} from '../tags/roll-tags.ts';
import { answerHook, askHook } from './ask-hook.ts';
import {
  beginRoll,
  changeSizes,
  clearRoll,
  drainBeside,
  recordChanges,
  recordForward,
  recordOnNotice,
  recordOnRoll,
  resume,
  suspend,
  tag,
  terminatePooled,
  unmark,
  untag,
} from './guarded-writes.ts';
import type { Made, Target } from './target.ts';

/** Where and when to carry out an action. */
interface ActContext {
  readonly aws: Aws;
  readonly target: Target;
  readonly now: Date;
}

type Doing<Kind extends ActionKind> = (
  action: Action<Kind>,
  context: ActContext,
) => Promise<Made | undefined> | Promise<void>;

/** What each kind of action does to AWS; `core/actions` has everything else about it. */
const DOINGS: { readonly [Kind in ActionKind]: Doing<Kind> } = {
  'record-roll': ({ roll, begins, anew }, { aws, target, now }) =>
    begins
      ? beginRoll(aws, target, { ...rollTags(target.cluster, roll), ...NEW_ROLL_TAGS, ...NO_NOTICE }, now)
      : recordForward(
          aws,
          target,
          {
            ...rollTags(target.cluster, roll),
            ...(anew && canaryTags({ kind: 'pending' }, roll.imageIds.length)),
          },
          now,
        ),
  'record-notice': ({ notice }, { aws, target }) =>
    tag(aws, target, { ...noticeTags(target.cluster, notice), ...NEW_ROLL_TAGS }),
  'record-cluster': (_, { aws, target }) => tag(aws, target, { [GROUP_TAGS.cluster]: target.cluster }),
  'record-changes': (action, { aws, target }) => recordChanges(aws, target, action),
  'record-canary': ({ canary, images }, { aws, target }) =>
    recordOnRoll(aws, target, canaryTags(canary, images)),
  'record-course': ({ course, notice }, { aws, target, now }) =>
    notice === undefined
      ? recordOnRoll(aws, target, courseTags(course))
      : recordOnNotice(aws, target, courseTags(course), now),
  'record-rejection': ({ rejection }, { aws, target }) => tag(aws, target, rejectionTags(rejection)),
  'clear-rejection': (_, { aws, target }) => untag(aws, target, REJECTION_TAG_KEYS),
  pause: ({ since }, { aws, target }) => tag(aws, target, pausedTags(since)),
  resume: (_, { aws, target }) => untag(aws, target, [GROUP_TAGS.paused]),
  'ask-hook': (action, { aws, target, now }) => askHook(aws, target, action, now),
  'answer-hook': (action, { aws, target }) => answerHook(aws, target, action),
  'clear-hook': (_, { aws, target }) => untag(aws, target, [GROUP_TAGS.hook]),
  'clear-roll': (_, { aws, target }) => clearRoll(aws, target),
  'copy-launch-configuration': (action, { aws }) => copyLaunchConfiguration(aws, action),
  'use-launch-configuration': async ({ group, name, copy }, { aws }) => {
    if (copy !== undefined) await copyLaunchConfiguration(aws, copy);
    await useLaunchConfiguration(aws, group, name);
    if (copy !== undefined) await keepOffForged(aws, copy);
  },
  'delete-launch-configuration': ({ name }, { aws }) => deleteLaunchConfiguration(aws, name),
  'create-launch-template-version': async (action, { aws, now }) => {
    const version = await createTemplateVersion(aws, action, now);
    return version === undefined ? undefined : { templateId: action.templateId, version };
  },
  'use-launch-template-version': ({ group, templateId, version }, { aws }) =>
    useTemplateVersion(aws, group, templateId, version),
  'change-mixed-instances-policy': ({ group, changes }, { aws }) => changePolicy(aws, group, changes),
  'set-default-version': ({ templateId, version }, { aws }) =>
    setDefaultTemplateVersion(aws, templateId, version),
  'delete-launch-template-versions': ({ templateId, versions }, { aws }) =>
    deleteTemplateVersions(aws, templateId, versions),
  'mark-instances': ({ instanceIds, mark }, { aws, target }) =>
    tagInstances(aws, instanceIds, markTags(target.cluster, mark)),
  'unmark-instances': ({ group, instanceIds }, { aws }) => unmark(aws, group, instanceIds),
  terminate: ({ instanceIds, pooledIn }, { aws }) =>
    pooledIn === undefined
      ? terminateInstances(aws, instanceIds)
      : terminatePooled(aws, pooledIn, instanceIds),
  'detach-instances': ({ group, instanceIds, decrement }, { aws }) =>
    detachInstances(aws, group, instanceIds, decrement),
  'attach-instances': ({ group, instanceIds }, { aws }) => attachInstances(aws, group, instanceIds),
  'set-healthy': ({ instanceIds }, { aws }) => setHealthy(aws, instanceIds),
  'terminate-members': ({ instanceIds, decrement }, { aws }) => terminateMembers(aws, instanceIds, decrement),
  'set-sizes': (action, { aws, target }) => changeSizes(aws, target, action),
  'suspend-processes': ({ processes }, { aws, target, now }) => suspend(aws, target, processes, now),
  'resume-processes': (action, { aws, target }) => resume(aws, target, action),
  drain: (action, { aws, target }) => drainBeside(aws, target, action),
  activate: ({ containerInstances }, { aws, target }) => activate(aws, target.cluster, containerInstances),
  'stop-tasks': ({ tasks, because }, { aws, target }) => stopTasks(aws, target.cluster, tasks, because),
  deregister: ({ containerInstance, mayStay }, { aws, target }) =>
    deregister(aws, target.cluster, containerInstance, mayStay),
};

/** Somebody may have put another in the place of a copy right before its use; of one in use nobody can. */
async function keepOffForged(aws: Aws, copy: LaunchConfigurationCopy): Promise<void> {
  try {
    await copyLaunchConfiguration(aws, copy);
  } catch (error) {
    if (error instanceof LaunchSpecRefused) await useLaunchConfiguration(aws, copy.group, copy.source);
    throw error;
  }
}

/**
 * Carries out one action. Repeating it does no harm, as it may have taken effect without our knowing.
 *
 * @param now by the invocation's clock
 * @returns the version it made, if any
 * @throws StaleObservation if AWS has changed since the action was decided
 */
export async function act<Kind extends ActionKind>(
  aws: Aws,
  target: Target,
  action: Action<Kind>,
  now: Date,
): Promise<Made | undefined> {
  return (await DOINGS[action.kind](action, { aws, target, now })) ?? undefined;
}
