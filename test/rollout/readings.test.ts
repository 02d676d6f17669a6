import { describe, test } from 'vitest';
import { testsFor } from '../sample/sampled.ts';
import { READING_NAMES, READINGS, type Reading } from '../simulated-aws/world/readings.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { KINDS, type Kind } from './kinds.ts';
import { rollKind } from './roll-kind.ts';
import { CHANGED_KINDS, MISHAPS, nameOf } from './rollback-kinds.ts';
import { expectEnding, playOut } from './rollback-play.ts';
import { BRISK } from './sweep.ts';

/** Each value of a reading that no other test has by default. */
const OTHERS = READING_NAMES.flatMap((reading) =>
  READINGS[reading].slice(1).map((value) => ({ reading, value })),
);
type Other = (typeof OTHERS)[number];

/** A kind whose world reads AWS's pages in another way. */
function read(kind: Kind, { reading, value }: Other): Kind {
  return {
    ...kind,
    furnish(world: World) {
      kind.furnish(world);
      Object.assign(world.state.readings, { [reading]: value } satisfies { [Name in Reading]?: unknown });
    },
  };
}

/** All kinds with every reading would take an hour: each reading meets so many. */
const KINDS_EACH = 4;
const some = <Each>(all: readonly Each[], index: number): readonly Each[] =>
  all.filter((_, nth) => (nth + index) % Math.ceil(all.length / KINDS_EACH) === 0);

describe('where AWS can be read in another way', () => {
  const rolls = OTHERS.flatMap((other, index) => some(KINDS, index).map((kind) => ({ kind, other })));
  const rows = rolls.map((row) => ({
    ...row,
    name: `${row.other.reading} ${row.other.value}: ${row.kind.name}`,
  }));
  test.each(testsFor(rows, 0, ({ other }) => `${other.reading} ${other.value}`))(
    '$name, a roll comes to its end',
    ({ kind, other }) => {
      const { replaces, ...rest } = read(kind, other);
      // Which zone comes next decides whether another has to even them out.
      return rollKind({ ...rest, ...(other.reading !== 'zoneWhenEven' && { replaces }) }, BRISK);
    },
  );

  const mishaps = Object.values(MISHAPS);
  const rollbacks = OTHERS.flatMap((other, index) =>
    some(CHANGED_KINDS, index + 1).flatMap((kind, nth) => {
      const mishap = mishaps[(index + nth) % mishaps.length] ?? MISHAPS.agents;
      const row = { kind: read(kind, other), mishap, provider: nth % 2 === 1, room: nth % 2 === 0 };
      return { row, name: `${other.reading} ${other.value}: ${nameOf(row)}` };
    }),
  );
  test.each(testsFor(rollbacks, 4, ({ row }) => row.mishap))('$name', async ({ row }) => {
    expectEnding(await playOut(row));
  });
});
