import type { Call } from '../../account/call.ts';
import type { Check } from '../policy.ts';
import { unmapped } from './checks.ts';

/**
 * Both versions of the API go by one prefix, and nothing that describes can be bound to a resource.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awselasticloadbalancingv2.html
 */
export function elasticLoadBalancingChecks(call: Call): readonly Check[] {
  if (!call.operation.startsWith('Describe')) return unmapped(call);
  return [{ action: `elasticloadbalancing:${call.operation}`, resource: '*', context: {} }];
}
