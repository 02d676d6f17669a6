import { describe, expect, test } from 'vitest';
import { EventError, parseEvent } from '../lambda/event.ts';

const CONFIGURED = ['web', 'jobs'];
const FUNCTION_ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:ecs-ami-deploy';
const parse = (event: unknown) => parseEvent(event, CONFIGURED, FUNCTION_ARN);

function faultsOf(event: unknown): readonly string[] {
  try {
    parse(event);
  } catch (error) {
    if (error instanceof EventError) return error.faults;
    throw error;
  }
  return [];
}

const SCHEDULED = {
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '123456789012',
  time: '2026-11-21T00:00:00Z',
  region: 'eu-west-1',
  resources: ['arn:aws:events:eu-west-1:123456789012:rule/daily'],
  detail: {},
};

const notification = (Message: string) => ({
  Records: [
    {
      EventSource: 'aws:sns',
      EventVersion: '1.0',
      EventSubscriptionArn: 'arn:aws:sns:eu-west-1:123456789012:images:1',
      Sns: {
        Type: 'Notification',
        TopicArn: 'arn:aws:sns:eu-west-1:123456789012:images',
        Subject: null,
        Message,
      },
    },
  ],
});

describe('a scheduled event or a notification', () => {
  test('rolls every configured cluster', () => {
    const rollAll = { action: 'roll', clusters: CONFIGURED, force: false };
    expect(parse(SCHEDULED)).toMatchObject({ ...rollAll, origin: 'schedule' });
    expect(parse(notification('a new image'))).toMatchObject(rollAll);
  });

  test('gets what it says about images logged, and no more', () => {
    const command = parse(
      notification('{"action":"plan","image":"ami-0123456789abcdef0","clusters":["other"]}'),
    );
    expect(command).toMatchObject({
      action: 'roll',
      clusters: CONFIGURED,
      mentionedImageIds: ['ami-0123456789abcdef0'],
    });
  });
});

describe('a direct invocation', () => {
  test.each(['roll', 'continue', 'plan', 'status'])('may ask to %s', (action) => {
    expect(parse({ action })).toMatchObject({ action, clusters: CONFIGURED, force: false });
  });

  test('may name some of the clusters, by name or ARN', () => {
    const clusters = ['arn:aws:ecs:eu-west-1:123456789012:cluster/jobs'];
    expect(parse({ action: 'roll', clusters, force: true })).toMatchObject({
      clusters: ['jobs'],
      force: true,
    });
  });

  test.each(['approve', 'refuse'])('may %s what a roll has asked', (action) => {
    const answers = { group: 'web-ecs', question: '9c1f02ab' };
    expect(parse({ action, ...answers })).toMatchObject({ action, answers });
  });

  const MAY_BE_ACTION =
    'it may be roll, continue, plan, status, pause, resume, abort, rollback, skip, approve, refuse';
  test.each([
    [{}, [`action was missing; ${MAY_BE_ACTION}`]],
    [{ action: 'rol' }, [`action was "rol"; ${MAY_BE_ACTION}`]],
    [
      { action: 'roll', clusters: ['web', 'other'] },
      [
        'clusters[1] was "other"; it may be a list with some of the clusters that the function is configured with',
      ],
    ],
    [{ action: 'roll', force: false }, ['force was false; it may be true or left out']],
    [{ action: 'status', force: true }, ['force works with the actions roll and plan, not with status']],
    [
      { action: 'status', outsideSequence: true },
      ['outsideSequence works with the actions roll and plan, not with status'],
    ],
    [
      { action: 'approve' },
      [
        'group was missing; it may be the group that asks',
        'question was missing; it may be what the roll asked by, such as 9c1f02ab',
      ],
    ],
    [{ action: 'refuse', question: '9c1f02ab' }, ['group was missing; it may be the group that asks']],
    [
      { action: 'refuse', group: 'web-ecs' },
      ['question was missing; it may be what the roll asked by, such as 9c1f02ab'],
    ],
    [
      { action: 'pause', group: 'web-ecs' },
      ['group works with the actions approve and refuse, not with pause'],
    ],
    [
      { action: 'refuse', group: 'web-ecs', question: 'web' },
      ['question was "web"; it may be what the roll asked by, such as 9c1f02ab'],
    ],
    [
      { action: 'skip', question: '9c1f02ab' },
      ['question works with the actions approve and refuse, not with skip'],
    ],
    [
      { action: 'roll', image: 'ami-1', dryRun: true },
      [
        "image isn't a key of an event; there are action, clusters, force, outsideSequence, group, question",
        "dryRun isn't a key of an event; there are action, clusters, force, outsideSequence, group, question",
      ],
    ],
    [
      'roll',
      [
        'the event was "roll"; it may be an object with action, clusters, force, outsideSequence, group, question',
      ],
    ],
    [
      null,
      [
        'the event was null; it may be an object with action, clusters, force, outsideSequence, group, question',
      ],
    ],
  ])('is refused when it is %j', (event, faults) => {
    expect(faultsOf(event)).toEqual(faults);
  });

  test('reports everything that is wrong with it', () => {
    expect(faultsOf({ action: 'go', clusters: 'web', force: 1, next: 'stop' })).toHaveLength(4);
  });

  test.each([
    'arn:aws:ecs:us-east-1:123456789012:cluster/web',
    'arn:aws:ecs:eu-west-1:999999999999:cluster/web',
  ])('a cluster elsewhere is none of its own, though it bear the same name (%s)', (cluster) => {
    expect(faultsOf({ action: 'roll', clusters: [cluster] })).toHaveLength(1);
  });

  test('an event of another source is refused', () => {
    expect(faultsOf({ ...SCHEDULED, source: 'aws.ec2' })).not.toEqual([]);
    expect(faultsOf({ Records: [{ EventSource: 'aws:s3' }] })).not.toEqual([]);
  });
});
