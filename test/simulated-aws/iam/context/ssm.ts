import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check } from '../policy.ts';
import { arn, check, onAnything, unmapped } from './checks.ts';

interface SsmInput {
  readonly CalendarNames?: readonly string[];
  readonly Name?: string;
  readonly Names?: readonly string[];
  readonly Path?: string;
}

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html */
export function ssmChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  const { Name, Names, Path, CalendarNames }: SsmInput = call.input;
  switch (call.operation) {
    case 'GetParameter':
      return [check(call, parameterArn(Name ?? '', facts))];
    case 'GetParameters':
      return (Names ?? []).map((name) => check(call, parameterArn(name, facts)));
    case 'GetCalendarState':
      return (CalendarNames ?? []).map((name) =>
        check(call, name.startsWith('arn:') ? name : arn('ssm', `document/${name}`, facts)),
      );
    case 'GetParametersByPath':
      return [check(call, parameterArn(Path ?? '', facts))];
    case 'DescribeParameters':
      return onAnything(call);
    default:
      return unmapped(call);
  }
}

/**
 * AWS's own public parameters belong to no account:
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-public-parameters.html
 */
function parameterArn(name: string, facts: ResourceFacts): string {
  // The version or label that was chosen is no part of the resource.
  if (name.startsWith('arn:')) return name.split(':').slice(0, 6).join(':');
  const [unversioned = ''] = name.split(':');
  const resource = `parameter/${unversioned.replace(/^\//, '')}`;
  return unversioned.startsWith('/aws/service/')
    ? `arn:aws:ssm:${facts.region}::${resource}`
    : arn('ssm', resource, facts);
}
