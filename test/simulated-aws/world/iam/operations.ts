import { type InstanceProfile as Described, GetInstanceProfileCommand } from '@aws-sdk/client-iam';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { type InstanceProfile, roleArn } from './instance-profiles.ts';

export function instanceProfileOperations(state: State): Operation[] {
  return [
    on(GetInstanceProfileCommand, 'all', ({ InstanceProfileName: name = '' }) => {
      const found = state.instanceProfiles.get(name);
      // ledger: get-instance-profile-none
      if (!found) throw new AwsError('NoSuchEntity', `Instance Profile ${name} cannot be found.`, 404);
      return { InstanceProfile: describe(state, found) };
    }),
  ];
}

function describe(state: State, { id, name, arn, createdAtMs, roles }: InstanceProfile): Described {
  const common = { Path: '/', CreateDate: new Date(createdAtMs) };
  return {
    ...common,
    InstanceProfileName: name,
    InstanceProfileId: id,
    Arn: arn,
    Roles: roles.map((role) => ({
      ...common,
      RoleName: role,
      RoleId: id.replace('AIPA', 'AROA'),
      Arn: roleArn(state, role),
    })),
  };
}
