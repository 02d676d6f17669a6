import { expect, test } from 'vitest';
import { EVENT_SOURCE, GROUP_TAGS } from '../../lambda/contract.ts';
import type { RollEvent } from '../../lambda/core/model/roll-event.ts';
import { pastRolls } from '../../lambda/history/past-rolls.ts';
import type { BusEvent } from '../simulated-aws/world/event-bus/buses.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';
import { TELLS } from './told.ts';

const CLUSTER_AND_GROUP = 'demo/demo-ecs';

/** As CloudWatch keeps what came to the bus, and tells it: by the time that its sender gave. */
function kept(events: readonly BusEvent[], beganMs: number) {
  return events
    .map((event, index) => ({ event, ingestedAt: beganMs + index }))
    .sort((a, b) => a.event.atMs - b.event.atMs)
    .map(({ event: { source, detail }, ingestedAt }) => ({
      message: JSON.stringify({ source, detail: JSON.parse(detail) }),
      ingestedAt,
    }));
}

test('nobody takes the place of an event in the history, whether they tell of it before or after', async () => {
  const { world, clock, invoke } = stage({
    shortcut: true,
    environment: TELLS,
    furnish: (made) => void standardScenario({ world: made }),
  });
  const { state, forger } = world;
  const began = clock.now();
  const bus = state.eventBuses.get('default');
  if (bus === undefined) throw new Error('each account has a bus');
  const forge = (id: string, kind: string, startedAt: string) => {
    const images = { from: ['ami-0'], to: ['ami-0'] };
    const counts = { replaced: 0, total: 0 };
    const told = { id, kind, at: startedAt, cluster: 'demo', group: 'demo-ecs', startedAt, images, counts };
    const detail = JSON.stringify({ ...told, text: 'forged' });
    forger.putEvent(bus, { atMs: began - 60_000, source: EVENT_SOURCE, detailType: 'Roll', detail });
  };
  const copied = new Set<string>();
  let foreseen = 0;
  const real = () => bus.events.filter((each) => !state.forgeries.events.has(each));
  const foresee = () => {
    const started = state.groups.get('demo-ecs')?.tags.get(GROUP_TAGS.startedAt)?.value;
    const [startedAt] = started?.split(' ') ?? [];
    if (startedAt === undefined || foreseen > 0) return;
    for (const kind of ['begun', 'batch-done', 'completed']) {
      forge(`${CLUSTER_AND_GROUP}/${startedAt}/${kind}`, kind, startedAt);
      foreseen++;
    }
  };
  world.subscribe((event) => {
    if (event.kind !== 'called') return;
    foresee();
    for (const each of real()) {
      const { id, kind, startedAt = '' } = JSON.parse(each.detail) as RollEvent;
      if (!copied.has(id)) forge(id, kind, startedAt);
      copied.add(id);
    }
  });
  await invoke();
  const told = real().map(({ detail }) => JSON.parse(detail) as RollEvent);
  expect([foreseen, copied.size]).toEqual([3, told.length]);
  const [roll, ...others] = pastRolls(kept(bus.events, began));
  expect(others).toEqual([]);
  expect(told.map(({ kind }) => kind)).toEqual(['begun', 'batch-done', 'completed']);
  for (const { text } of told) expect(roll?.events.map((each) => each.text)).toContain(text);
  expect(roll?.ended).toBe('completed');
  expect(roll?.replaced).toBe(4);
});
