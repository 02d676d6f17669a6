import { DescribeImagesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { assess } from '../../lambda/core/group/assess.ts';
import type { Image } from '../../lambda/core/model/launch.ts';
import { resultOf } from '../../lambda/core/result.ts';
import { type MeteredInvocation, meteredJournal } from '../../lambda/metrics/metered-journal.ts';
import { mocked } from '../aws/mocked.ts';
import {
  ago,
  groupOf,
  launching,
  NEWER,
  NOW,
  OLD,
  observe,
  old,
  PLACE,
  SETTINGS,
  TARGET,
} from '../core/builders.ts';
import { type EmfLine, emfOf, valuesIn } from './emf.ts';

const ec2 = mocked(EC2Client);
const aws = createAws({ region: 'eu-west-1' });
const warn = vi.fn();

afterEach(() => {
  warn.mockClear();
  vi.useRealTimers();
});

const METERED: MeteredInvocation = {
  aws,
  clock: { now: () => NOW, sleep: async () => undefined },
  remainingSeconds: () => 900,
  action: 'roll',
  detail: 'function',
  functionName: 'ecs-ami-deploy',
  logger: { warn },
};

const released = ({ imageId, name, createdAt }: Image) => ({
  ImageId: imageId,
  Name: name,
  CreationDate: createdAt.toISOString(),
});

/** The lines about a group whose only member runs this image, and which is to be rolled onto another. */
function linesOf(change: Partial<MeteredInvocation> = {}, image = OLD, target = NEWER): Promise<EmfLine[]> {
  const observation = observe([old('i-1', { image })], {
    roll: null,
    launch: launching(PLACE, image, target),
  });
  const decided = {
    assessment: assess(groupOf(observation), observation, SETTINGS),
    decision: { kind: 'wait', reason: { code: 'other-groups-first', groups: ['others'] } },
    warnings: [],
    incredible: [],
  } as const;
  const journal = meteredJournal({ ...METERED, ...change });
  return emfOf(async () => {
    journal.decided('web', decided);
    await journal.concluded([resultOf(decided)]);
  });
}

describe('at the end of an invocation', () => {
  test('a group has its metrics, with the releases that its oldest image is behind', async () => {
    ec2.on(DescribeImagesCommand).resolves({ Images: [OLD, TARGET, NEWER].map(released) });
    expect((await linesOf()).map(valuesIn)).toEqual([
      { ImageAgeDays: 51.5, OutdatedMembers: 1, ReleasesBehind: 2 },
    ]);
    expect(ec2.calls()).toHaveLength(1);
  });

  test('a group on the newest image is none behind, which takes no call', async () => {
    expect((await linesOf({}, TARGET, TARGET)).map(valuesIn)).toEqual([
      { ImageAgeDays: 20.5, OutdatedMembers: 0, ReleasesBehind: 0 },
    ]);
    expect(ec2.calls()).toHaveLength(0);
  });

  test.each([
    ['a roll under way is continued', { action: 'continue' }],
    ['little time is left', { remainingSeconds: () => 29 }],
  ] as const)('EC2 is asked for no releases if %s', async (_, change) => {
    expect((await linesOf(change)).map(valuesIn)).toEqual([{ ImageAgeDays: 51.5, OutdatedMembers: 1 }]);
    expect(ec2.calls()).toHaveLength(0);
  });

  test.each([
    ['refuses', () => Promise.reject(new Error('not authorized'))],
    ['does not answer within ten seconds', () => new Promise(() => undefined)],
  ])('all other metrics are there if EC2 %s', async (_, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    ec2.on(DescribeImagesCommand).callsFake(answer);
    const lines = linesOf();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await lines).map(valuesIn)).toEqual([{ ImageAgeDays: 51.5, OutdatedMembers: 1 }]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('a group that failed has the seconds of its phases until then', async () => {
    let now = NOW;
    const clock = { ...METERED.clock, now: () => now };
    const observation = observe([old('i-1')]);
    const journal = meteredJournal({ ...METERED, action: 'continue', clock });
    const decided = {
      assessment: assess(groupOf(observation), observation, SETTINGS),
      decision: { kind: 'wait', reason: { code: 'other-groups-first', groups: ['others'] } },
      warnings: [],
      incredible: [],
    } as const;
    journal.decided('web', decided);
    now = ago(-10);
    journal.failed('web', 'web-ecs', new Error('not authorized'));
    now = ago(-500);
    const lines = await emfOf(() => journal.concluded([{ ...resultOf(decided), state: 'failed' }]));
    expect(lines.map(valuesIn)).toEqual([expect.objectContaining({ HeldSeconds: 10, RollAgeSeconds: 1000 })]);
  });

  test('a fault of the metrics is logged, and nothing more', async () => {
    const now = vi
      .fn(() => NOW)
      .mockImplementationOnce(() => {
        throw new Error('no clock');
      });
    expect(await linesOf({ action: 'continue', clock: { ...METERED.clock, now } })).toEqual([]);
    expect(warn).toHaveBeenCalledWith('metrics could not be told: no clock');
  });
});
