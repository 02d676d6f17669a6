import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FUNCTION_MEMORY_MEGABYTES } from '../../infra/functions.ts';
import { standardStage } from '../rollout/stage.ts';
import { addDrainHook, deployTerminations } from '../rollout/terminations.ts';
import { DELAYS, type Delayed } from './field-delays.ts';
import { dollars } from './prices.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/terminations.md'), 'utf8');
const GROUP = 'demo-ecs';

/** A scale-in by so many of twice as many. */
async function scaleIn(count: number, delayed: Delayed) {
  const { clock, world, account } = standardStage(
    { instances: 2 * count, services: 4, group: { maxSize: 2 * count } },
    { delays: DELAYS[delayed], furnish: (made) => addDrainHook(made, GROUP) },
  );
  const staged = deployTerminations({ clock, world, account, groups: [GROUP], timeoutSeconds: 7200 });
  world.owner.setSizes(GROUP, { desiredCapacity: count });
  await staged.pass(3600);
  expect(staged.faults).toEqual([]);
  expect(staged.lostTooSoon()).toEqual([]);
  const held = [...staged.held.values()];
  expect(held).toHaveLength(count);
  const of = (seconds: (one: (typeof held)[number]) => number) => held.map(seconds).sort((a, b) => a - b);
  const whole = of(({ heldAtMs, releasedAtMs = 0 }) => (releasedAtMs - heldAtMs) / 1000);
  const beyond = of(({ emptyAtMs, releasedAtMs = 0 }) => (releasedAtMs - emptyAtMs) / 1000);
  const { lambdaSeconds, invocations } = staged.count();
  // Of the hour's ticks those that find nothing cost one call each, with or without a scale-in.
  const idle = 3600 / 300 - 1;
  const calls = account.calls.log.length - idle;
  const cost = dollars({ lambdaSeconds, invocations, extraInstanceHours: 0 }, FUNCTION_MEMORY_MEGABYTES);
  return { whole, beyond, calls, cost };
}

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;

function rowOf(
  count: number,
  delayed: Delayed,
  { whole, beyond, calls, cost }: Awaited<ReturnType<typeof scaleIn>>,
) {
  const cells = [
    String(count),
    delayed,
    `${median(whole).toFixed(0)} (${(whole.at(-1) ?? 0).toFixed(0)})`,
    `${median(beyond).toFixed(0)} (${(beyond.at(-1) ?? 0).toFixed(0)})`,
    (calls / count).toFixed(1),
    `$${(cost / count).toFixed(5)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

it.each([
  [1, 'quick'],
  [10, 'quick'],
  [100, 'quick'],
  [1, "AWS's defaults"],
  [10, "AWS's defaults"],
  [100, "AWS's defaults"],
] as const)('%i at once, delays %s, are let go of as docs/terminations.md has it', async (count, delayed) => {
  const played = await scaleIn(count, delayed);
  expect(played.beyond.at(-1)).toBeLessThanOrEqual(25);
  expect(PAGE).toContain(rowOf(count, delayed, played));
});
