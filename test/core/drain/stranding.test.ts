import { describe, expect, test } from 'vitest';
import { retryGivenUp, servicesRunShort } from '../../../lambda/core/drain/stranding.ts';
import type { Stranded } from '../../../lambda/core/model/cluster.ts';
import type { Request } from '../../../lambda/core/model/request.ts';
import {
  ago,
  decided,
  detached,
  fresh,
  groupOf,
  NOW,
  observe,
  ROLL,
  type Scene,
  type Sketch,
  service,
} from '../builders.ts';

const strandedBy = (kind: 'api' | 'web', byImage = false): Stranded => ({
  service: kind,
  why: { kind: 'service-deploying', service: kind },
  byImage,
});

describe('an instance whose tasks find no other place', () => {
  const decide = (
    stranded: readonly Stranded[],
    sketches: readonly Sketch[] = [],
    turn: number | undefined = 30,
    scene: Scene = {},
  ) => {
    const all = [detached('i-1', { turn }), detached('i-2', { turn: 20 }), fresh('i-9'), ...sketches];
    const observation = observe(all, { settled: 60, desiredCapacity: 1, ...scene });
    const details = { ...observation.details, stranded: new Map([['i-1', stranded]]) };
    return decided({ ...observation, details });
  };

  test('keeps serving, as if its drain had been given up', () => {
    expect(decide([strandedBy('api'), strandedBy('web')])).toEqual({
      kind: 'act',
      reason: {
        code: 'drain-spared',
        instanceIds: ['i-1'],
        faults: [strandedBy('api').why, strandedBy('web').why],
      },
      actions: [
        {
          kind: 'mark-instances',
          instanceIds: ['i-1'],
          mark: { group: 'web-ecs', detachStartedAt: ago(400), drainStartedAt: ago(30), drainGivenUpAt: NOW },
        },
      ],
    });
  });

  test('keeps serving, too, where one of its batch may drain to make room for a launch', () => {
    const failedLaunches = [{ at: ago(60), message: 'There is no Spot capacity available.' }];
    expect(decide([strandedBy('api')], [], 30, { desiredCapacity: 2, failedLaunches })).toMatchObject({
      reason: { code: 'drain-spared', instanceIds: ['i-1'] },
    });
  });

  test('fails the image if that is what they lack', () => {
    expect(decide([strandedBy('api'), strandedBy('web', true)])).toMatchObject({
      kind: 'act',
      reason: { because: { code: 'image-lacks', faults: [strandedBy('web').why] } },
    });
  });

  test('is not given up again, nor while it has no turn', () => {
    const givenUp = detached('i-1', { marked: 2500, turn: 2400, givenUp: 60 });
    const beside = (first: Sketch) => {
      const observation = observe([first, detached('i-2', { turn: 20 }), fresh('i-9')], { settled: 60 });
      const stranded = new Map([['i-1', [strandedBy('api')]]]);
      return decided({ ...observation, details: { ...observation.details, stranded } }).reason.code;
    };
    expect(beside(givenUp)).toBe('turns-taken');
    expect(beside(detached('i-1'))).toBe('turns-taken');
  });

  test('waits while a replacement that may have room for them is on its way', () => {
    const coming = fresh('i-8', { member: 'Pending' });
    expect(decide([strandedBy('api')], [coming])).toMatchObject({ kind: 'wait' });
  });
});

describe('services have run short since a drain began', () => {
  const short = (
    services: Scene['services'],
    unsteady: readonly { name: string; runningCount: number }[] = [],
  ) => {
    const observation = observe([fresh('i-9')], { services, roll: { unsteady } });
    return servicesRunShort(observation, groupOf(observation));
  };
  const running = (runningCount: number, rest = {}) => [service('api', { runningCount, ...rest })];

  test('if they run fewer tasks than desired, daemons aside', () => {
    expect(short(running(1))).toEqual(['api']);
    expect(short(running(2))).toEqual([]);
    expect(short(running(1, { daemon: true }))).toEqual([]);
  });

  test('if they were ill and run fewer than then', () => {
    const ill = (runningCount: number) => [
      { name: 'web', runningCount: 0 },
      { name: 'api', runningCount },
    ];
    expect(short(running(1), ill(1))).toEqual([]);
    expect(short(running(0), ill(1))).toEqual(['api']);
    expect(short(running(2), ill(3))).toEqual([]);
  });

  test('in any group, also one without a roll', () => {
    const observation = observe([fresh('i-9')], { services: running(1), roll: null });
    expect(servicesRunShort(observation, groupOf(observation))).toEqual(['api']);
  });
});

describe('a drain that was given up is tried again', () => {
  const givenUp = (id: string, seconds: number) =>
    detached(id, { marked: 2500, turn: 2000, givenUp: seconds });
  const retried = (request: Request, ...sketches: readonly Sketch[]) => {
    const observation = observe([...sketches, fresh('i-9')]);
    return retryGivenUp(groupOf(observation), request, observation);
  };

  test('if somebody has asked for it since', () => {
    const mark = { group: 'web-ecs', detachStartedAt: ago(2500), drainStartedAt: NOW };
    const request = { ...ROLL, retryBefore: ago(60) };
    expect(retried(request, givenUp('i-1', 61), givenUp('i-2', 60), detached('i-3', { turn: 500 }))).toEqual({
      kind: 'act',
      reason: { code: 'drain-retried', instanceIds: ['i-1'] },
      actions: [{ kind: 'mark-instances', instanceIds: ['i-1'], mark }],
    });
  });

  test('but not otherwise', () => {
    expect(retried(ROLL, givenUp('i-1', 61))).toBeUndefined();
    expect(retried({ ...ROLL, retryBefore: ago(100) }, givenUp('i-1', 61))).toBeUndefined();
  });
});
