import { expect, test } from 'vitest';
import { type EndedInstance, terminationEvent } from '../../lambda/core/terminations.ts';
import { type PastTermination, pastTerminations } from '../../lambda/history/past-terminations.ts';
import { processorTime } from '../processor-time.ts';

const SINCE = new Date('2026-11-23T05:00:00Z');

/** A line as the function tells it, so many minutes after its group began to end the instance. */
function line(minutes: number, rest: Partial<EndedInstance> = {}, changes: object = {}): string {
  const detail = terminationEvent({
    instanceId: 'i-0ab',
    group: 'web-a',
    cluster: 'web',
    gone: false,
    since: SINCE,
    at: new Date(SINCE.getTime() + minutes * 60_000),
    step: { kind: 'release', because: 'empty', left: [] },
    says: 'lets go of i-0ab, as nothing is left on it',
    ...rest,
  });
  return JSON.stringify({ source: 'ecs-ami-deploy', detail: { ...detail, ...changes } });
}

/** As CloudWatch took them in at once. */
const read = (...messages: readonly string[]): PastTermination[] =>
  pastTerminations(messages.map((message) => ({ message, ingestedAt: SINCE.getTime() })));

const LATE = { step: { kind: 'release', because: 'late', left: [] }, instanceId: 'i-0cd' } as const;

test('what was ended outside rolls, the latest first, however often it was told', () => {
  expect(read(line(6), line(31, LATE), line(6))).toEqual([
    expect.objectContaining({ instanceId: 'i-0cd', ended: 'timed-out', seconds: 1860 }),
    {
      at: '2026-11-23T05:06:00.000Z',
      cluster: 'web',
      group: 'web-a',
      instanceId: 'i-0ab',
      ended: 'drained',
      seconds: 360,
      text: 'web/web-a: lets go of i-0ab, as nothing is left on it',
    },
  ]);
});

test('nobody takes the place of an event by its id, nor adds to the past', () => {
  const forged = line(6, {}, { text: 'all is well' });
  expect(read(forged, line(6)).map(({ text }) => text)).toHaveLength(2);
  expect(read(line(-2000))).toEqual([]);
});

test('events of rolls, of strangers, and lines that are none, are left out', () => {
  const ofRoll = JSON.stringify({ source: 'ecs-ami-deploy', detail: { kind: 'completed', id: '1' } });
  const stranger = line(6).replace('"ecs-ami-deploy"', '"somebody"');
  expect(read('', '{', 'null', ofRoll, stranger, line(6, {}, { at: 'noon' }))).toEqual([]);
});

test('a hundred thousand are read in seconds', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => line(6, { instanceId: `i-${index}` }));
  const spent = processorTime();
  expect(read(...lines)).toHaveLength(100_000);
  expect(spent()).toBeLessThan(30_000);
});
