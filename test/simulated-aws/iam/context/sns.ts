import type { GetTopicAttributesInput, PublishInput } from '@aws-sdk/client-sns';
import type { Call } from '../../account/call.ts';
import type { Check } from '../policy.ts';
import { unmapped } from './checks.ts';

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html */
export function snsChecks(call: Call): readonly Check[] {
  if (call.operation !== 'Publish' && call.operation !== 'GetTopicAttributes') return unmapped(call);
  const { TopicArn: resource = '' } = call.input as PublishInput | GetTopicAttributesInput;
  return [{ action: `sns:${call.operation}`, resource, context: {} }];
}
