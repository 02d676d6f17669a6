import { expect, test } from 'vitest';
import { pastRolls } from '../../lambda/history/past-rolls.ts';
import { pictureOfPast } from '../../lambda/history/picture-of-past.ts';

const at = (minute: number) => `2026-11-23T05:${String(minute).padStart(2, '0')}:00.000Z`;

const OLD = { instanceId: 'i-1', role: 'old', launchedAt: '2026-01-01T00:00:00.000Z' };
const NEW = { instanceId: 'i-2', role: 'new', launchedAt: at(1) };

const line = (kind: string, minute: number, instances: readonly object[], rest: object = {}) =>
  JSON.stringify({
    source: 'ecs-ami-deploy',
    detail: {
      id: `${kind} ${minute}`,
      kind,
      at: at(minute),
      cluster: 'web',
      group: 'web-a',
      startedAt: at(0),
      seconds: minute * 60,
      images: { from: ['ami-1'], to: ['ami-2'] },
      counts: { replaced: 1, total: 1 },
      text: `${kind} of web-a`,
      instances,
      ...rest,
    },
  });

function drawn(...lines: readonly string[]) {
  const [roll] = pastRolls(lines.map((message) => ({ message, ingestedAt: Date.parse(at(0)) })));
  if (roll === undefined) throw new Error('no roll');
  return pictureOfPast(roll);
}

const draining = { ...OLD, drainStartedAt: at(4) };

test('an old instance serves, drains, and is gone by when its batch was done; a new one serves by then', () => {
  const picture = drawn(
    line('begun', 0, [OLD]),
    line('batch-done', 8, [draining, NEW]),
    line('completed', 10, [draining, NEW]),
  );
  expect(picture).toMatchObject({ seconds: 600, services: [] });
  expect(picture.instances).toEqual([
    {
      instanceId: 'i-1',
      isOld: true,
      stretches: [
        { phase: 'serving', from: 0, to: 240 },
        { phase: 'draining', from: 240, to: 480 },
      ],
    },
    {
      instanceId: 'i-2',
      isOld: false,
      stretches: [
        { phase: 'launched', from: 60, to: 480 },
        { phase: 'serving', from: 480, to: 600 },
      ],
    },
  ]);
});

test('an instance that is launched with the old image, as a roll goes back, is old', () => {
  const back = { ...NEW, imageId: 'ami-1' };
  const { instances } = drawn(line('begun', 0, [OLD]), line('rolled-back', 5, [OLD, back]));
  expect(instances).toMatchObject([{ instanceId: 'i-1' }, { instanceId: 'i-2', isOld: true }]);
});

test('an instance that never drained serves to the end', () => {
  const { instances } = drawn(line('begun', 0, [OLD]), line('aborted', 5, [OLD], { because: 'asked' }));
  expect(instances).toMatchObject([{ stretches: [{ phase: 'serving', from: 0, to: 300 }] }]);
});

test('what happened is listed, with trouble as such, and how it ended is said with why', () => {
  const picture = drawn(line('begun', 0, []), line('rolled-back', 5, [], { because: 'tasks fail' }));
  expect(picture.moments.map(({ at, isTrouble }) => [at, isTrouble])).toEqual([
    [0, false],
    [300, true],
  ]);
  expect(picture.facts).toContainEqual(['Began', '2026-11-23 05:00 UTC']);
  expect(picture.facts).toContainEqual(['Ended', 'rolled-back: tasks fail']);
});

test('a look at a roll under way adds what has been launched since its last event, and how far it is', () => {
  const message = line('begun', 0, [OLD]);
  const [roll] = pastRolls([{ message, ingestedAt: Date.parse(at(0)) }]);
  if (roll === undefined) throw new Error('no roll');
  const inRoll = [
    { ...OLD, imageId: 'ami-1', role: 'old' as const, drainStartedAt: at(4) },
    { ...NEW, imageId: 'ami-2', role: 'new' as const },
  ];
  const instances = { drifted: 0, detached: 1, replaced: 0, total: 1 };
  const status = { state: 'in-progress', instances, reason: 'i-1 drains', inRoll } as const;
  const picture = pictureOfPast(roll, { at: new Date(at(6)), status });
  expect(picture.instances).toEqual([
    {
      instanceId: 'i-1',
      isOld: true,
      stretches: [
        { phase: 'serving', from: 0, to: 240 },
        { phase: 'draining', from: 240, to: 360 },
      ],
    },
    { instanceId: 'i-2', isOld: false, stretches: [{ phase: 'launched', from: 60, to: 360 }] },
  ]);
  expect(picture.facts).toContainEqual(['Instances', '0 of 1 replaced, 1 still to drain']);
  expect(pictureOfPast(roll).facts).toContainEqual(['Instances', '1 of 1 replaced']);
});

test('a roll that has not ended says so', () => {
  const { facts } = drawn(line('begun', 0, [OLD]), line('held', 3, [OLD]));
  expect(facts).toContainEqual(['Took', '3 min so far']);
  expect(facts).toContainEqual(['Last event', 'held']);
});

test('of what events name without end, so much is drawn as has room, and it says what is left out', () => {
  const lines = Array.from({ length: 1500 }, (_, index) =>
    line(
      'blocked',
      1,
      Array.from({ length: 100 }, (_, one) => ({ ...OLD, instanceId: `i-${index}-${one}` })),
      {
        id: `forged ${index}`,
        services: { total: 9, short: Array.from({ length: 20 }, (_, one) => short(`${index}-${one}`)) },
      },
    ),
  );
  const began = performance.now();
  const { instances, services, moments, facts } = drawn(...lines);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect([instances.length, services.length, moments.length]).toEqual([1000, 50, 1000]);
  expect(facts.at(-1)).toEqual(['Left out', '500 more events, 19950 more services, 99000 more instances']);
});

const short = (name: string) => ({ name, running: 0, desired: 1, least: 1 });
