import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { type Aws, rareClient } from './clients.ts';
import { hasCode, type Read, tryRead } from './errors.ts';

/**
 * In most Regions a VPC without a way to the internet has none to IAM, as its endpoint is in the Region of
 * its control plane alone.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_interface_vpc_endpoints.html
 */
const LIMITS = { maxAttempts: 3, milliseconds: 5_000 } as const;

export const iamOf = rareClient(IAMClient, 'iam', LIMITS.maxAttempts);

/** EC2 launches nothing with a profile that has no role: `… has no associated IAM Roles`. */
export type InstanceProfileState = 'there' | 'without-role' | 'missing';

/** @param nameOrArn as in a launch spec: the name, or the ARN, which may have a path before the name */
export async function instanceProfileState(aws: Aws, nameOrArn: string): Promise<Read<InstanceProfileState>> {
  const InstanceProfileName = nameOrArn.split('/').at(-1);
  const abortSignal = AbortSignal.timeout(LIMITS.milliseconds);
  try {
    const command = new GetInstanceProfileCommand({ InstanceProfileName });
    const { InstanceProfile } = await iamOf(aws).send(command, { abortSignal });
    return { kind: 'read', answer: InstanceProfile?.Roles?.length ? 'there' : 'without-role' };
  } catch (error) {
    if (hasCode(error, 'NoSuchEntityException')) return { kind: 'read', answer: 'missing' };
    if (abortSignal.aborted) return { kind: 'unread', because: `IAM gave no answer within ${SECONDS} s` };
    return tryRead(Promise.reject(error));
  }
}

const SECONDS = LIMITS.milliseconds / 1000;
