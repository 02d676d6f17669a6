import { expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { type Memory, rememberTags, victimsIn } from '../proof/forger.ts';
import { testsFor } from '../sample/sampled.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { KINDS } from './kinds.ts';
import { writes } from './outcomes.ts';
import { stage } from './stage.ts';
import { BRISK } from './sweep.ts';

const DAY_SECONDS = 86_400;

/** What ends, drains or moves an instance. */
const MOVES = /Instances?(State|InAutoScalingGroup)?$/;

const FORGERIES = [1, 59, 30].flatMap((days) =>
  [undefined, 'rollback', 'abort'].map((course) => ({ days, course })),
);

/** Everything that a tag has said last, on whatever lives. */
function putBack(world: World, memory: Memory, course: string | undefined): void {
  for (const { name, sort, write } of victimsIn(world)) {
    const said = memory.get(name);
    for (const [key, values] of said ?? []) write(key, values.at(-1));
    if (said !== undefined && sort === 'group' && course !== undefined) write(GROUP_TAGS.course, course);
  }
}

test.each(testsFor(KINDS, 4))(
  'all tags of a finished roll, put back 1, 60 and 90 days later, move nothing: $name',
  async ({ environment, expectations, furnish }) => {
    let memory: Memory = new Map();
    const staging = stage({
      ...BRISK,
      environment: { ...BRISK.environment, ...environment },
      expectations: { ...expectations, endings: ['completed', 'aborted', 'rolled-back'], surplus: 4 },
      furnish(world) {
        furnish(world);
        memory = rememberTags(world);
      },
    });
    const { world, clock, account, invoke } = staging;
    await invoke();
    await staging.finish();
    expect(memory.size).toBeGreaterThan(0);
    const calls = account.calls.log.length;
    for (const { days, course } of FORGERIES) {
      clock.advance(days * DAY_SECONDS);
      putBack(world, memory, course);
      for (let count = 0; count < 3; count++) {
        await invoke({ action: 'continue' });
        clock.advance(300);
      }
    }
    expect(writes(account.calls.log.slice(calls)).filter((each) => MOVES.test(each))).toEqual([]);
  },
);
