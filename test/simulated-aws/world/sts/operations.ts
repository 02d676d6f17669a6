import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { type Operation, on } from '../../account/operation.ts';
import { SIMULATED_ROLE as ROLE } from '../../iam/policy.ts';
import type { State } from '../state.ts';

/** Every caller is the one that IAM is asked about, and that its refusals name. */
export function identityOperations({ account }: State): Operation[] {
  return [
    on(GetCallerIdentityCommand, {}, () => ({
      UserId: `AROA00000000000000001:${ROLE}`,
      Account: account,
      Arn: `arn:aws:sts::${account}:assumed-role/${ROLE}/${ROLE}`,
    })),
  ];
}
