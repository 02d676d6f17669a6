import { HttpResponse } from '@smithy/core/protocols';
import { describe, expect, test } from 'vitest';
import { detachInstances } from '../../lambda/aws/autoscaling-changes.ts';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeInstances } from '../../lambda/aws/ec2.ts';
import { drain } from '../../lambda/aws/ecs-changes.ts';
import { ClusterNotFound, explain, FailureAnswered, StaleObservation } from '../../lambda/aws/errors.ts';
import { type AwsFault, faultOf } from '../../lambda/aws/faults.ts';
import { deployedSeal } from '../sealed.ts';
import type { Service } from '../simulated-aws/account/operation.ts';
import { containerInstance } from './container-instance.ts';
import { refusal } from './refusal.ts';

const ROLE = 'arn:aws:sts::123456789012:assumed-role/roll/roll';
const GROUP = 'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:*:autoScalingGroupName/my web';
const ACTION = 'autoscaling:DetachInstances';
const TO_DO =
  "; add it to the function's role: deploy it again, or look for a permissions boundary or an SCP that forbids it";

/** How AWS says which policy needs fixing. */
const notAuthorized = (rest: string) => `User: ${ROLE} is not authorized to perform: ${ACTION}${rest}`;

describe('a denial', () => {
  test.each<[Service, string, string]>([
    [
      'autoscaling',
      'AccessDenied',
      ` on resource: ${GROUP} because no identity-based policy allows the ${ACTION} action`,
    ],
    [
      'ecs',
      'AccessDeniedException',
      ` on resource: ${GROUP} with an explicit deny in a service control policy`,
    ],
    ['ec2', 'UnauthorizedOperation', ` on resource: ${GROUP}. Encoded authorization failure message: abc`],
    ['autoscaling', 'ValidationError', ` on resource: ${GROUP}.`],
    ['iam', 'AccessDenied', ` on resource: ${GROUP}`],
  ])('is told with action and resource (%s: %s%s)', async (service, code, rest) => {
    const error = await refusal(service, code, notAuthorized(rest));
    expect(faultOf(error)).toEqual({ kind: 'denied', retryable: false, action: ACTION, resource: GROUP });
    expect(explain(error)).toMatch(`${code}: not allowed to ${ACTION} on ${GROUP}`);
    expect(explain(error)).toMatch(TO_DO);
  });

  test('is explained with the policy that lacks the permission, or forbids it', async () => {
    const lacking = ` on resource: ${GROUP} because no identity-based policy allows the ${ACTION} action.`;
    expect(explain(await refusal('autoscaling', 'AccessDenied', notAuthorized(lacking)))).toBe(
      `AccessDenied: not allowed to ${ACTION} on ${GROUP} because no identity-based policy allows the ` +
        `${ACTION} action${TO_DO}`,
    );
    const forbidden = ` on resource: ${GROUP} with an explicit deny in a service control policy`;
    expect(explain(await refusal('autoscaling', 'AccessDenied', notAuthorized(forbidden)))).toBe(
      `AccessDenied: not allowed to ${ACTION} on ${GROUP} with an explicit deny in a service control policy${TO_DO}`,
    );
  });

  test('may come without a resource', async () => {
    const error = await refusal('autoscaling', 'AccessDenied', notAuthorized(''));
    expect(faultOf(error)).toEqual({ kind: 'denied', retryable: false, action: ACTION });
    expect(explain(error)).toBe(
      `AccessDenied: not allowed to ${ACTION}, as AWS says: ${notAuthorized('')}${TO_DO}`,
    );
  });

  test('for a launch template is explained with the rights needed to launch from one', async () => {
    const words = 'You are not authorized to use launch template: lt-1';
    expect(explain(await refusal('autoscaling', 'AccessDenied', words))).toBe(
      'AccessDenied: not allowed to launch from it, which takes ec2:RunInstances, ec2:CreateTags and iam:PassRole of its ' +
        `instance profile's role, as AWS says: ${words}${TO_DO}`,
    );
  });

  test("is explained in AWS's words if there are no others", async () => {
    expect(explain(await refusal('ec2', 'UnauthorizedOperation', 'You are not authorized.'))).toBe(
      `UnauthorizedOperation: not allowed to do this, as AWS says: You are not authorized${TO_DO}`,
    );
  });
});

describe('a temporary fault', () => {
  test.each<[Service, string]>([
    ['ec2', 'RequestLimitExceeded'],
    ['autoscaling', 'Throttling'],
    ['ecs', 'ThrottlingException'],
    ['ssm', 'TooManyRequestsException'],
    ['ec2', 'EC2ThrottledException'],
  ])('of %s is %s', async (service, code) => {
    expect(faultOf(await refusal(service, code))).toEqual({ kind: 'throttled', retryable: true });
    expect(explain(await refusal(service, code, 'Rate exceeded.'))).toBe(
      `${code}: Rate exceeded; the next invocation tries again`,
    );
  });

  test.each([500, 599])('is an answer of %i', async (statusCode) => {
    const error = await refusal('autoscaling', 'InternalFailure', 'no answer', statusCode);
    expect(faultOf(error)).toEqual({ kind: 'unavailable', retryable: true });
    expect(explain(error)).toBe('InternalFailure: no answer; the next invocation tries again');
  });

  test.each([
    ['a time limit', Object.assign(new Error('no answer'), { name: 'TimeoutError' })],
    ['a connection that breaks', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['a name that is not found', Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })],
  ])('is %s', (_, error) => {
    expect(faultOf(error)).toEqual({ kind: 'unavailable', retryable: true });
    expect(explain(error)).toMatch(/; the next invocation tries again$/);
  });
});

describe('any other fault', () => {
  test('is a refusal if AWS answered it', async () => {
    const error = await refusal('autoscaling', 'ValidationError', 'The size is too large.');
    expect(faultOf(error)).toEqual({ kind: 'refused', retryable: false });
    expect(explain(error)).toBe('ValidationError: The size is too large.');
  });

  test.each<[Error, AwsFault]>([
    [new StaleObservation('looks again'), { kind: 'refused', retryable: true }],
    [new ClusterNotFound('web'), { kind: 'refused', retryable: false }],
    [new FailureAnswered('DescribeTasks failed'), { kind: 'refused', retryable: false }],
  ])('that we tell of ourselves says all: %s', (error, fault) => {
    expect(faultOf(error)).toEqual(fault);
    expect(explain(error)).toBe(error.message);
  });

  test.each([new TypeError('undefined is not a function'), new Error('no effect'), 'thrown', undefined])(
    'is ours: %s',
    (error) => {
      expect(faultOf(error)).toEqual({ kind: 'internal', retryable: false });
    },
  );

  test('keeps its name if it is ours, unless that says nothing', () => {
    expect(explain(new TypeError('is no function'))).toBe('TypeError: is no function');
    expect(explain(new Error('no effect'))).toBe('no effect');
    expect(explain('thrown')).toBe('thrown');
  });
});

/** Clients to which every call is answered so. */
function answering(
  statusCode: number,
  contentType: string,
  body: string,
  { maxAttempts = 1, onCall = () => {} } = {},
) {
  const clients = createAws({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    retryMode: 'standard',
    maxAttempts,
    requestHandler: {
      handle: async () => {
        onCall();
        return {
          response: new HttpResponse({
            statusCode,
            headers: { 'content-type': contentType },
            body: new TextEncoder().encode(body),
          }),
        };
      },
    },
  });
  return { ...clients, seal: async () => deployedSeal };
}

const xml = answering(
  403,
  'text/xml',
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Denied.</Message></Error></ErrorResponse>',
);
const ec2Xml = answering(
  403,
  'text/xml',
  '<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>Denied.</Message></Error></Errors></Response>',
);
const json = answering(
  400,
  'application/x-amz-json-1.1',
  '{"__type":"AccessDeniedException","message":"Denied."}',
);

describe('Auto Scaling that is throttled with RateExceeded', () => {
  const body =
    '<ErrorResponse><Error><Code>RateExceeded</Code><Message>Rate exceeded</Message></Error></ErrorResponse>';

  test('is asked again, and is throttled to the end at last', async () => {
    let calls = 0;
    const clients = answering(400, 'text/xml', body, {
      maxAttempts: 2,
      onCall: () => {
        calls += 1;
      },
    });
    const error = await detachInstances(clients, 'web', ['i-1'], true).catch((thrown: unknown) => thrown);
    expect(faultOf(error)).toEqual({ kind: 'throttled', retryable: true });
    expect(calls).toBe(2);
  });
});

describe('an operation that the answer does not name', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['autoscaling:DetachInstances', () => detachInstances(xml, 'web', ['i-1'], true)],
    ['ec2:DescribeInstances', () => describeInstances(ec2Xml, ['i-1'])],
    ['ecs:UpdateContainerInstancesState', () => drain(json, 'web', [containerInstance('c-1')])],
  ])('is known all the same: %s', async (action, call) => {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(faultOf(error)).toEqual({ kind: 'denied', retryable: false, action });
    expect(explain(error)).toMatch(`: not allowed to ${action}, as AWS says: Denied;`);
  });

  test('does not come from a refusal by our own client', async () => {
    const error = await detachInstances(answering(200, 'text/xml', 'no XML'), 'web', ['i-1'], true).catch(
      (thrown: unknown) => thrown,
    );
    expect(faultOf(error)).not.toHaveProperty('action');
  });
});
