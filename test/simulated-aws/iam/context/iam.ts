import type { GetInstanceProfileRequest } from '@aws-sdk/client-iam';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check } from '../policy.ts';
import { check, unmapped } from './checks.ts';

/**
 * IAM's resources are of no Region, and its one endpoint is in us-east-1.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagementiam.html
 */
export function iamChecks(call: Call, { accountId }: ResourceFacts): readonly Check[] {
  if (call.operation !== 'GetInstanceProfile') return unmapped(call);
  const { InstanceProfileName: name } = call.input as GetInstanceProfileRequest;
  const resource = `arn:aws:iam::${accountId}:instance-profile/${name}`;
  return [check(call, resource, { 'aws:RequestedRegion': 'us-east-1' })];
}
