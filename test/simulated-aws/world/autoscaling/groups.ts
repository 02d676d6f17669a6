import { AwsError } from '../../operation.ts';
import type { State } from '../state.ts';
import type { Group, LaunchSpec } from './model.ts';

/** Auto Scaling answers most refusals with this one code. */
export function validationError(message: string): AwsError {
  return new AwsError('ValidationError', message);
}

export function findGroup(state: State, name: string | undefined): Group {
  const group = state.groups.get(name ?? '');
  if (!group) throw validationError(`AutoScalingGroup name not found - no such group: ${name}`);
  return group;
}

type GroupSettings = Pick<
  Group,
  'name' | 'clusterName' | 'launchSpec' | 'minSize' | 'maxSize' | 'desiredCapacity'
>;

export function addGroup(state: State, settings: GroupSettings): Group {
  const { account, region } = state;
  const group: Group = {
    ...settings,
    arn: `arn:aws:autoscaling:${region}:${account}:autoScalingGroup:${state.ids.uuid()}:autoScalingGroupName/${settings.name}`,
    createdAtMs: state.clock.now(),
    members: new Map(),
    tags: new Map(),
    suspendedProcesses: new Set(),
    activities: [],
    isReconcileScheduled: false,
    launches: 0,
  };
  state.groups.set(group.name, group);
  return group;
}

/** How a launch template is named in requests and answers of Auto Scaling. */
export function templateSpecification(spec: Exclude<LaunchSpec, { kind: 'launch-configuration' }>) {
  return {
    LaunchTemplateId: spec.template.id,
    LaunchTemplateName: spec.template.name,
    ...(spec.version !== undefined && { Version: spec.version }),
  };
}
