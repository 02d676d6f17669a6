import { AwsError, type Operation } from '../../account/operation.ts';
import { demandSimulated } from '../../account/simulated-input.ts';
import { keyOf } from '../../wire/schema.ts';

interface MaybeDry {
  readonly DryRun?: boolean;
}

/**
 * "Checks whether you have the required permissions for the action, without actually making the request": an
 * answer that is an error either way.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/CommonParameters.html
 */
export function dryRunnable({ schema, simulates, handle }: Operation): Operation {
  const declared = simulates === 'all' ? simulates : { ...simulates, DryRun: 'all' as const };
  return {
    schema,
    simulates: declared,
    handle({ DryRun: isDry, ...input }: MaybeDry) {
      if (!isDry) return handle(input);
      demandSimulated(keyOf(schema), declared, input);
      // ledger: dry-run
      throw new AwsError(
        'DryRunOperation',
        'Request would have succeeded, but DryRun flag is set.',
        PRECONDITION_FAILED,
      );
    },
  };
}

const PRECONDITION_FAILED = 412;
