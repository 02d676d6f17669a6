import type { Call } from '../../account/call.ts';
import type { Check } from '../policy.ts';
import { unmapped } from './checks.ts';

/**
 * "No permissions are required":
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export function stsChecks(call: Call): readonly Check[] {
  return call.operation === 'GetCallerIdentity' ? [] : unmapped(call);
}
