import type { GenerateMacRequest } from '@aws-sdk/client-kms';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check } from '../policy.ts';
import { check, unmapped } from './checks.ts';

/**
 * The resource is the key, by whichever alias it was named; what isn't there is asked about as it was named.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awskeymanagementservice.html
 */
export function kmsChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  if (call.operation !== 'GenerateMac') return unmapped(call);
  const { KeyId: named = '', MacAlgorithm: algorithm = '' } = call.input as GenerateMacRequest;
  const isAlias = /(?:^|:)alias\//.test(named);
  const alias = named.slice(named.indexOf('alias/'));
  const key = facts.key(named);
  const context = { 'kms:MacAlgorithm': algorithm, ...(isAlias && { 'kms:RequestAlias': alias }) };
  return [{ ...check(call, key?.arn ?? named, context), ...(key && { resourcePolicy: key.policy }) }];
}
