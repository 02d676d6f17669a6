import type { InvocationRequest } from '@aws-sdk/client-lambda';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check } from '../policy.ts';
import { arn, unmapped } from './checks.ts';

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html */
export function lambdaChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  if (call.operation !== 'Invoke') return unmapped(call);
  const { FunctionName: name = '' } = call.input as InvocationRequest;
  const resource = name.startsWith('arn:') ? name : arn('lambda', `function:${name}`, facts);
  return [{ action: 'lambda:InvokeFunction', resource, context: {} }];
}
