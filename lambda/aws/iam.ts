import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { type Aws, rareClient } from './clients.ts';
import { hasCode } from './errors.ts';
import { noteOperations } from './operations.ts';

export const iamOf = rareClient((config) => noteOperations(new IAMClient(config), 'iam'));

/** EC2 launches nothing with a profile that has no role: `… has no associated IAM Roles`. */
export type InstanceProfileState = 'there' | 'without-role' | 'missing';

/** @param nameOrArn as in a launch spec: the name, or the ARN, which may have a path before the name */
export async function instanceProfileState(aws: Aws, nameOrArn: string): Promise<InstanceProfileState> {
  const InstanceProfileName = nameOrArn.split('/').at(-1);
  try {
    const { InstanceProfile } = await iamOf(aws).send(new GetInstanceProfileCommand({ InstanceProfileName }));
    return InstanceProfile?.Roles?.length ? 'there' : 'without-role';
  } catch (error) {
    if (!hasCode(error, 'NoSuchEntityException')) throw error;
    return 'missing';
  }
}
