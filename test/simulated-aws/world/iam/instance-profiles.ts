import type { State } from '../state.ts';

export interface InstanceProfile {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly createdAtMs: number;
  /** Names. An instance can be launched with one role, not with none. */
  readonly roles: readonly string[];
}

export interface InstanceProfileOptions {
  /** Names; AWS allows one. Default: the profile's own name. */
  readonly roles?: readonly string[];
}

export function addInstanceProfile(
  state: State,
  name: string,
  { roles = [name] }: InstanceProfileOptions = {},
): InstanceProfile {
  const instanceProfile: InstanceProfile = {
    id: state.ids.next('AIPA'),
    name,
    arn: `arn:aws:iam::${state.account}:instance-profile/${name}`,
    createdAtMs: state.clock.now(),
    roles,
  };
  state.instanceProfiles.set(name, instanceProfile);
  return instanceProfile;
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

/** Why EC2 would launch nothing with it, in its words: https://github.com/terraform-aws-modules/terraform-aws-eks/issues/2639 */
export function instanceProfileProblem(state: State, nameOrArn: string): string | undefined {
  const instanceProfile = findInstanceProfile(state, nameOrArn);
  if (instanceProfile?.roles.length === 0)
    return `IAM Instance Profile "${instanceProfile.arn}" has no associated IAM Roles.`;
  if (instanceProfile) return undefined;
  return nameOrArn.startsWith('arn:')
    ? `Value (${nameOrArn}) for parameter iamInstanceProfile.arn is invalid. Invalid IAM Instance Profile ARN.`
    : `Value (${nameOrArn}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name.`;
}
