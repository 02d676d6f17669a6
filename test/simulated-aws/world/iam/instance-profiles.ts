import type { State } from '../state.ts';

/** As the managed policy AmazonEC2ContainerServiceforEC2Role allows them, among others. */
export type AgentAction = 'ecs:CreateCluster' | 'ecs:RegisterContainerInstance';

export interface InstanceProfile {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly createdAtMs: number;
  /** Names. An instance can be launched with one role, not with none. */
  readonly roles: readonly string[];
  /** Of what an agent calls, that its role may not. */
  readonly lackedActions: ReadonlySet<AgentAction>;
}

export interface InstanceProfileOptions {
  /** Names; AWS allows one. Default: the profile's own name. */
  readonly roles?: readonly string[];
  /** Default: none. */
  readonly lackedActions?: readonly AgentAction[];
}

export function addInstanceProfile(
  state: State,
  name: string,
  { roles = [name], lackedActions }: InstanceProfileOptions = {},
): InstanceProfile {
  const instanceProfile: InstanceProfile = {
    id: state.ids.next('AIPA'),
    name,
    arn: `arn:aws:iam::${state.account}:instance-profile/${name}`,
    createdAtMs: state.clock.now(),
    roles,
    lackedActions: new Set(lackedActions),
  };
  state.instanceProfiles.set(name, instanceProfile);
  return instanceProfile;
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/instance_IAM_role.html */
export const CONTAINER_INSTANCE_PROFILE = 'ecsInstanceRole';

/** What instances that the world builds into a cluster are launched with. */
export function ensureContainerInstanceProfile(state: State) {
  if (!state.instanceProfiles.has(CONTAINER_INSTANCE_PROFILE))
    addInstanceProfile(state, CONTAINER_INSTANCE_PROFILE);
}

/** A launch spec may name one either way. */
export function findInstanceProfile(
  { instanceProfiles }: State,
  nameOrArn: string,
): InstanceProfile | undefined {
  if (!nameOrArn.startsWith('arn:')) return instanceProfiles.get(nameOrArn);
  return [...instanceProfiles.values()].find(({ arn }) => arn === nameOrArn);
}

export const roleArn = ({ account }: State, role: string) => `arn:aws:iam::${account}:role/${role}`;

/**
 * Why EC2 would launch nothing with it, in its words:
 * https://github.com/terraform-aws-modules/terraform-aws-eks/issues/2639
 */
export function instanceProfileProblem(state: State, nameOrArn: string): string | undefined {
  const instanceProfile = findInstanceProfile(state, nameOrArn);
  if (instanceProfile?.roles.length === 0)
    return `IAM Instance Profile "${instanceProfile.arn}" has no associated IAM Roles.`;
  if (instanceProfile) return undefined;
  return nameOrArn.startsWith('arn:')
    ? `Value (${nameOrArn}) for parameter iamInstanceProfile.arn is invalid. Invalid IAM Instance Profile ARN.`
    : `Value (${nameOrArn}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name.`;
}
