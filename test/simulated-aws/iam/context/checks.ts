import type { Call } from '../../account/call.ts';
import type { ResourceFacts, Tags } from '../context.ts';
import type { Check, Context } from '../policy.ts';

/** The action of the call itself, on a resource. */
export function check(call: Call, resource: string, context: Context = {}): Check {
  const action = `${call.service}:${call.operation}`;
  return { action, resource, context };
}

/** An action that can't be bound to a resource. */
export const onAnything = (call: Call, context: Context = {}) => [check(call, '*', context)];

/** A service that launches instances with a role demands that its caller may hand that role on. */
export const passRole = (roleArn: string): Check => ({
  action: 'iam:PassRole',
  resource: roleArn,
  context: { 'iam:PassedToService': 'ec2.amazonaws.com' },
});

/** Tags that a resource bears, under each of the prefixes that its service has for them. */
export function resourceTags(tags: Tags | undefined, ...prefixes: readonly string[]): Context {
  return Object.fromEntries(
    Object.entries(tags ?? {}).flatMap(([key, value]) =>
      ['aws', ...prefixes].map((prefix) => [`${prefix}:ResourceTag/${key}`, value]),
    ),
  );
}

interface RequestTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** Tags that a request sets or takes away. */
export function requestTags(tags: readonly RequestTag[]): Context {
  const values = tags.map(({ Key = '', Value = '' }) => [`aws:RequestTag/${Key}`, Value]);
  return {
    ...Object.fromEntries(values),
    // To IAM a set without members is not there.
    ...(tags.length > 0 && { 'aws:TagKeys': tags.map(({ Key = '' }) => Key) }),
  };
}

export const arn = (service: string, resource: string, { region, accountId }: ResourceFacts) =>
  `arn:aws:${service}:${region}:${accountId}:${resource}`;

/** An operation that has no mapping must not pass for one that needs no permission. */
export function unmapped(call: Call): never {
  throw new Error(`what ${call.key} asks of IAM isn't simulated`);
}
