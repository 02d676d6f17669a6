import {
  type Activity,
  AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import {
  countRequestedTerminations,
  describeDetachments,
  describeFailedLaunches,
  describeInServiceTimes,
  describeNamedSize,
  describeTerminations,
} from '../../lambda/aws/autoscaling-activities.ts';
import { createAws } from '../../lambda/aws/clients.ts';
import { mocked } from './mocked.ts';

const api = mocked(AutoScalingClient);
const aws = createAws({ region: 'eu-west-1' });

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
const MESSAGE = 'We currently do not have sufficient capacity. Launching EC2 instance failed.';

const activity = (minute: number, parts: Partial<Activity> = {}): Activity => ({
  ActivityId: `a-${minute}`,
  AutoScalingGroupName: 'web',
  Description: `Launching a new EC2 instance.  Status Reason: ${MESSAGE}`,
  Cause: 'At 2026-11-21T12:00:00Z an instance was started in response to a difference.',
  StartTime: at(minute),
  StatusCode: 'Failed',
  StatusMessage: MESSAGE,
  ...parts,
});

const launches = () => describeFailedLaunches(aws, 'web', at(10), 900);

describe('failed launches', () => {
  test('are read newest first, page by page, and no further back than requested', async () => {
    api
      .on(DescribeScalingActivitiesCommand)
      .resolvesOnce({ Activities: [activity(30), activity(20)], NextToken: 'more' })
      .resolvesOnce({ Activities: [activity(10), activity(9)], NextToken: 'even more' })
      .rejects(new Error('is never asked for'));
    expect(await launches()).toEqual([30, 20, 10].map((minute) => ({ at: at(minute), message: MESSAGE })));
    const inputs = api.commandCalls(DescribeScalingActivitiesCommand).map(({ args: [{ input }] }) => input);
    expect(inputs).toMatchObject([
      { AutoScalingGroupName: 'web', MaxRecords: 100 },
      { AutoScalingGroupName: 'web', NextToken: 'more' },
    ]);
  });

  test('that were cancelled give the reason in their description, and whether there was an instance', async () => {
    const Description =
      'Launching a new EC2 instance: i-0a1.  Status Reason: Lifecycle Action was abandoned.';
    const cancelled = activity(30, { StatusCode: 'Cancelled', StatusMessage: undefined, Description });
    api.on(DescribeScalingActivitiesCommand).resolves({ Activities: [cancelled] });
    expect(await launches()).toEqual([{ at: at(30), message: Description, launched: true }]);
  });

  test('that their group called off, as it got smaller, say nothing against an instance', async () => {
    const Description = 'Launching a new EC2 instance: i-0a1';
    const cancelled = activity(30, { StatusCode: 'Cancelled', StatusMessage: undefined, Description });
    api.on(DescribeScalingActivitiesCommand).resolves({ Activities: [cancelled] });
    expect(await launches()).toEqual([{ at: at(30), message: Description }]);
  });

  test('do not include launches that succeeded or are in progress, or other failures', async () => {
    api.on(DescribeScalingActivitiesCommand).resolves({
      Activities: [
        activity(30, { StatusCode: 'InProgress' }),
        activity(20, { StatusCode: 'Successful' }),
        activity(15, { Description: 'Terminating EC2 instance: i-1' }),
      ],
    });
    expect(await launches()).toEqual([]);
  });

  test('include what the load balancer found unhealthy before it had to be ready', async () => {
    const why = (check: string) => `An instance was taken out of service in response to ${check}.`;
    const ended = (minute: number, id: string, check = 'an ELB system health check failure') => {
      const Description = `Terminating EC2 instance: ${id} - Waiting For ELB connection draining`;
      const rest = { StatusMessage: undefined, EndTime: undefined, Cause: why(check) };
      return activity(minute, { ...rest, Description, StatusCode: 'InProgress' });
    };
    const begun = (minute: number, id: string) => {
      const Description = `Launching a new EC2 instance: ${id}`;
      return activity(minute, { Description, StatusCode: 'Successful', StatusMessage: undefined });
    };
    api.on(DescribeScalingActivitiesCommand).resolves({
      Activities: [
        ended(34, 'i-4', 'an EC2 health check indicating it has been terminated or stopped'),
        ended(33, 'i-3'),
        ended(32, 'i-2'),
        ended(31, 'i-1'),
        activity(30),
        begun(20, 'i-4'),
        begun(18, 'i-3'),
        begun(16, 'i-2'),
        begun(9, 'i-1'),
      ],
    });
    expect(await launches()).toEqual([
      { at: at(30), message: MESSAGE },
      { at: at(18), message: why('an ELB system health check failure'), launched: true },
    ]);
  });
});

describe('detachments', () => {
  const detachment = (minute: number, parts: Partial<Activity> = {}): Activity =>
    activity(minute, {
      Description: 'Detaching EC2 instance: i-0a1',
      Cause: 'At 2026-11-21T12:00:00Z instance i-0a1 was detached in response to a user request.',
      StatusCode: 'Successful',
      StatusMessage: undefined,
      ...parts,
    });
  const told = async (activities: Activity[], ids = ['i-0a1'], deletedToo = false) => {
    api.on(DescribeScalingActivitiesCommand).resolves({ Activities: activities });
    return [...(await describeDetachments(aws, 'web', ids, at(10), deletedToo))];
  };

  test.each([
    ['as AWS describes them', {}],
    ['that are under way', { StatusCode: 'InProgress' }],
    ['that wait for a load balancer', { StatusCode: 'WaitingForELBConnectionDraining' }],
    ['in other words', { Description: 'Instance i-0a1 was detached.' }],
    ['whose details have the id', { Description: 'Detaching instances', Details: '{"InstanceId":"i-0a1"}' }],
  ] as const)('%s are reported with their time', async (_, parts) => {
    expect(await told([detachment(20, parts)])).toEqual([['i-0a1', at(20)]]);
  });

  test.each([
    ['of another instance', { Description: 'Detaching EC2 instance: i-0a12' }],
    ['that failed', { StatusCode: 'Failed' }],
    ['that were cancelled', { StatusCode: 'Cancelled' }],
    ['before that time', { StartTime: at(9) }],
    ['that are terminations', { Description: 'Terminating EC2 instance: i-0a1' }],
    [
      'that are launches, whatever their fault says',
      { Description: 'Launching a new EC2 instance: i-0a1.  Status Reason: detaching of the volume failed' },
    ],
    ['that only the cause speaks of, where names of policies stand too', { Description: 'i-0a1' }],
  ] as const)('%s do not count', async (_, parts) => {
    expect(await told([detachment(20, parts)])).toEqual([]);
  });

  test('are reported once for each instance, the latest', async () => {
    expect(await told([detachment(15, { StatusCode: 'InProgress' }), detachment(20)])).toEqual([
      ['i-0a1', at(20)],
    ]);
  });

  test('are missing of what the group was ending before, and retained: its owner detached it', async () => {
    const ending = (minute: number, id = 'i-0a1') =>
      activity(minute, { Description: `Terminating EC2 instance: ${id}`, StatusCode: 'Cancelled' });
    expect(await told([detachment(20), ending(15)])).toEqual([]);
    expect(await told([detachment(20), ending(9)])).toEqual([['i-0a1', at(20)]]);
    expect(await told([ending(25), detachment(20)])).toEqual([['i-0a1', at(20)]]);
    expect(await told([detachment(20), ending(15, 'i-0a12')])).toEqual([['i-0a1', at(20)]]);
  });

  test('are missing of what was attached again since: it has left by another, which is not shown yet', async () => {
    const attaching = (minute: number, id = 'i-0a1') =>
      activity(minute, {
        Description: `Attaching an existing EC2 instance: ${id}`,
        StatusCode: 'Successful',
      });
    expect(await told([attaching(25), detachment(20)])).toEqual([]);
    expect(await told([detachment(30), attaching(25), detachment(20), attaching(15)])).toEqual([
      ['i-0a1', at(30)],
    ]);
    expect(await told([attaching(25, 'i-0a12'), detachment(20)])).toEqual([['i-0a1', at(20)]]);
  });

  test('are found behind activities that have long been in progress, page by page to the end', async () => {
    api
      .on(DescribeScalingActivitiesCommand)
      .resolvesOnce({ Activities: [activity(1, { StatusCode: 'InProgress' })], NextToken: 'more' })
      .resolvesOnce({ Activities: [detachment(20)], NextToken: 'even more' })
      .resolvesOnce({ Activities: [activity(9)], NextToken: 'older' })
      .rejects(new Error('is never asked for'));
    expect([...(await describeDetachments(aws, 'web', ['i-0a1'], at(10), false)).keys()]).toEqual(['i-0a1']);
  });

  test.each([
    [false, undefined],
    [true, true],
  ])('of deleted groups are requested: %s', async (deletedToo, included) => {
    await told([detachment(20)], ['i-0a1'], deletedToo);
    const [call] = api.commandCalls(DescribeScalingActivitiesCommand);
    expect(call?.args[0].input.IncludeDeletedGroups).toBe(included);
  });
});

describe('activities', () => {
  const ended = (minute: number, Description: string) =>
    activity(minute, { Description, StatusCode: 'Successful', EndTime: at(minute + 1) });
  const underWay = (minute: number, Description: string) =>
    activity(minute, { Description, StatusCode: 'InProgress' });
  const HELD_FOR_LONG = underWay(1, 'Terminating EC2 instance: i-9 - Waiting for Terminate Lifecycle Action');

  test('tell when an instance began to end, in a warm pool, too', async () => {
    const Activities = [underWay(30, 'Terminating EC2 instance from warm pool: i-1')];
    api.on(DescribeScalingActivitiesCommand).resolves({ Activities });
    expect(await describeTerminations(aws, 'web', ['i-1'], at(10))).toEqual(new Map([['i-1', at(30)]]));
  });

  test('in progress come before all others, however long ago they began', async () => {
    api.on(DescribeScalingActivitiesCommand).resolves({
      Activities: [
        underWay(30, 'Terminating EC2 instance: i-1 - Waiting for Terminate Lifecycle Action'),
        HELD_FOR_LONG,
        activity(20),
        ended(15, 'Launching a new EC2 instance: i-2'),
        ended(5, 'Launching a new EC2 instance: i-3'),
      ],
    });
    expect(await launches()).toEqual([{ at: at(20), message: MESSAGE }]);
    expect(await describeTerminations(aws, 'web', ['i-1'], at(10))).toEqual(new Map([['i-1', at(30)]]));
    expect(await describeInServiceTimes(aws, 'web', ['i-2', 'i-3'], at(10))).toEqual(
      new Map([['i-2', at(16)]]),
    );
  });

  test('mention a warm-pool instance when it leaves the pool, not when it enters', async () => {
    api.on(DescribeScalingActivitiesCommand).resolves({
      Activities: [
        ended(30, 'Launching a new EC2 instance from warm pool: i-1'),
        ended(20, 'Launching a new EC2 instance into warm pool: i-1'),
      ],
    });
    expect(await describeInServiceTimes(aws, 'web', ['i-1'], at(10))).toEqual(new Map([['i-1', at(31)]]));
  });
});

test('count only terminations that somebody asked for, each instance once', async () => {
  const ending = (minute: number, id: string, why: string) =>
    activity(minute, {
      Description: `Terminating EC2 instance: ${id}`,
      Cause: `At 2026-11-21T12:00:00Z instance ${id} was taken out of service in response to ${why}.`,
      StatusCode: 'InProgress',
    });
  api.on(DescribeScalingActivitiesCommand).resolves({
    Activities: [
      ending(30, 'i-1', 'a user request, shrinking the capacity from 5 to 4'),
      ending(29, 'i-1', 'a user request'),
      ending(28, 'i-2', 'a user request'),
      ending(27, 'i-3', 'an EC2 health check indicating it has been terminated or stopped'),
      ending(26, 'i-4', 'a user health-check'),
      ending(
        25,
        'i-5',
        'a difference between desired and actual capacity, shrinking the capacity from 4 to 3',
      ),
      ending(9, 'i-6', 'a user request'),
    ],
  });
  expect(await countRequestedTerminations(aws, 'web', at(10))).toBe(2);
});

describe('the size that somebody has named', () => {
  const time = 'At 2026-11-21T12:00:00Z';
  const by = (who: string) => `${time} ${who}.  ${time} an instance was started in response to a difference.`;
  const CHANGED = 'changing the desired capacity from 6 to 4';
  const named = (...causes: string[]) => {
    const Activities = causes.map((Cause, index) => activity(30 - index, { Cause }));
    api.on(DescribeScalingActivitiesCommand).resolves({ Activities });
    return describeNamedSize(aws, 'web', at(10));
  };
  const BY_POLICY = by(`a monitor alarm low in state ALARM triggered policy my-policy ${CHANGED}`);
  const BY_HAND = by(`a user request explicitly set group desired capacity ${CHANGED}`);

  const requested = (what: string) => `${time} ${what} in response to`;
  const ASIDE = `${requested('instance i-1 was moved to standby')} a user request, shrinking the capacity from 6 to 5.`;
  const BACK = `${requested('instance i-1 was moved out of standby')} a user request, increasing the capacity from 5 to 6.`;
  const ATTACHED = `${requested('an instance was added')} user request. Keeping the capacity at the new 6.`;

  test.each([
    ['by a call', BY_HAND],
    [
      'by an update',
      by(`a user request update of AutoScalingGroup constraints to min: 0, max: 16, desired: 4 ${CHANGED}`),
    ],
    ['by a forecast', by(`predictive scaling policy my-policy, by its forecast, ${CHANGED}`)],
    ['by a schedule', by('the scheduled action night executed. Setting desired capacity from 6 to 4')],
  ])('is told of %s', async (_, cause) => {
    expect(await named(cause)).toBe(4);
  });

  test.each([
    ['a policy', BY_POLICY],
    ['a policy that somebody executes', by(`a user request executed policy my-policy ${CHANGED}`)],
    ['nobody', by('an instance was taken out of service')],
    ['somebody who puts a member on Standby', ASIDE],
    ['somebody who brings it back', BACK],
    ['somebody who attaches one', ATTACHED],
  ])('is not what %s has changed', async (_, cause) => {
    expect(await named(cause)).toBeUndefined();
  });

  test('is that of the latest change, of several in one activity too', async () => {
    const later = BY_HAND.replace('to 4', 'to 5');
    expect(await named(later, BY_HAND)).toBe(5);
    expect(await named(`${BY_HAND}  ${later}`)).toBe(5);
    expect(await named(BY_POLICY, BY_HAND)).toBeUndefined();
    for (const byOne of [ASIDE, BACK, ATTACHED]) expect(await named(byOne, BY_HAND)).toBeUndefined();
    expect(await named(by('an instance was taken out of service'), BY_HAND)).toBe(4);
    const ended = `${time} instance i-1 was taken out of service in response to a difference between desired and actual capacity, shrinking the capacity from 6 to 5.`;
    expect(await named(ended, BY_HAND)).toBe(4);
  });
});
