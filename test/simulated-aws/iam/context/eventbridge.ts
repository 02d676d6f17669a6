import type { PutEventsRequest } from '@aws-sdk/client-eventbridge';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check } from '../policy.ts';
import { arn, unmapped } from './checks.ts';

/**
 * Each entry is asked about by its bus, source and detail type.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridge.html
 */
export function eventBridgeChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  if (call.operation !== 'PutEvents') return unmapped(call);
  const { Entries = [] } = call.input as PutEventsRequest;
  return Entries.map(({ EventBusName: bus = 'default', Source = '', DetailType = '' }) => ({
    action: 'events:PutEvents',
    resource: bus.startsWith('arn:') ? bus : arn('events', `event-bus/${bus}`, facts),
    context: { 'events:source': [Source], 'events:detail-type': [DetailType] },
  }));
}
