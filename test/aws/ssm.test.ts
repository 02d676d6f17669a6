import { GetCalendarStateCommand, GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { calendarState, imageIdInParameter } from '../../lambda/aws/ssm.ts';
import { mocked } from './mocked.ts';

const ssm = mocked(SSMClient);
const aws = createAws({ region: 'eu-west-1' });

describe('an image id in a parameter', () => {
  test.each([
    ['ami-0123456789abcdef0', 'ami-0123456789abcdef0'],
    [' ami-0123456789abcdef0\n', 'ami-0123456789abcdef0'],
    ['{"image_id":"ami-0123456789abcdef0","os":"Amazon Linux 2"}', 'ami-0123456789abcdef0'],
    ['{"image":"ami-1"}', undefined],
    ['{"image_id":7}', undefined],
    ['{not json', undefined],
    ['something else', undefined],
  ])('%j is %s', async (Value, expected) => {
    ssm.on(GetParametersCommand).resolves({ Parameters: [{ Name: '/image', Value }] });
    expect(await imageIdInParameter(aws, '/image')).toBe(expected);
  });

  test('is undefined for a missing parameter', async () => {
    ssm.on(GetParametersCommand).resolves({ Parameters: [], InvalidParameters: ['/image'] });
    expect(await imageIdInParameter(aws, '/image')).toBeUndefined();
  });
});

describe('a change calendar', () => {
  test.each([
    [
      { State: 'OPEN', NextTransitionTime: '2026-11-21T02:00:00Z' },
      { isOpen: true, changesAt: new Date('2026-11-21T02:00:00Z') },
    ],
    [{ State: 'CLOSED' }, { isOpen: false }],
    [{ State: 'CLOSED', NextTransitionTime: 'soon' }, { isOpen: false }],
    [{}, { isOpen: false }],
  ] as const)('that answers %o is %o', async (answer, expected) => {
    ssm.on(GetCalendarStateCommand, { CalendarNames: ['arn'] }).resolves(answer);
    expect(await calendarState(aws, 'arn')).toEqual(expected);
  });
});
