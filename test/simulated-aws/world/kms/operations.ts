import { GenerateMacCommand } from '@aws-sdk/client-kms';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { findKey, type Key, macOf } from './keys.ts';

const MOST_BYTES = 4096;

/** https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html */
export function keyOperations(state: State): Operation[] {
  return [
    on(
      GenerateMacCommand,
      { Message: 'all', KeyId: 'all', MacAlgorithm: 'all', DryRun: 'all' },
      ({ KeyId: named = '', MacAlgorithm: algorithm, Message: message, DryRun: dry }) => {
        // ledger: generate-mac-message
        if (message === undefined || message.length < 1 || message.length > MOST_BYTES)
          throw new AwsError(
            'ValidationException',
            `1 validation error detected: Value at 'message' failed to satisfy constraint: Member must have length less than or equal to ${MOST_BYTES}`,
          );
        const key = keyNamed(state, named);
        // ledger: generate-mac-key-usage
        if (key.spec !== 'HMAC_256' || algorithm !== 'HMAC_SHA_256')
          throw new AwsError(
            'InvalidKeyUsageException',
            `${key.arn} key usage or key spec is incompatible with the operation or algorithm ${algorithm}.`,
          );
        // ledger: generate-mac-dry-run
        if (dry)
          throw new AwsError(
            'DryRunOperationException',
            'The request would have succeeded, but the DryRun option is set.',
          );
        return { Mac: macOf(key.id, message), MacAlgorithm: algorithm, KeyId: key.arn };
      },
    ),
  ];
}

/** https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html */
function keyNamed(state: State, named: string): Key {
  const key = findKey(state, named);
  // ledger: generate-mac-key-unknown
  if (key === undefined) throw new AwsError('NotFoundException', notFound(state, named));
  switch (key.state) {
    case 'Enabled':
      return key;
    case 'Disabled':
      // ledger: generate-mac-key-disabled
      throw new AwsError('DisabledException', `${key.arn} is disabled.`);
    case 'PendingDeletion':
      // ledger: generate-mac-key-state
      throw new AwsError('KMSInvalidStateException', `${key.arn} is pending deletion.`);
    case 'Unavailable':
      // ledger: generate-mac-key-unavailable
      throw new AwsError('KeyUnavailableException', `${key.arn} is unavailable.`, 500);
  }
}

function notFound({ account, region }: State, named: string): string {
  const arn = (name: string) => (name.startsWith('arn:') ? name : `arn:aws:kms:${region}:${account}:${name}`);
  if (named.includes('alias/')) return `Alias ${arn(named)} is not found.`;
  return `Key '${named.startsWith('arn:') ? named : arn(`key/${named}`)}' does not exist`;
}
