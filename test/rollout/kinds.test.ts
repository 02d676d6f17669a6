import { describe, test } from 'vitest';
import { IS_WHOLE, testsFor } from '../sample/sampled.ts';
import { AWS_DEFAULTS } from '../simulated-aws/world/delays.ts';
import { FAMILY_KINDS, KINDS } from './kinds.ts';
import { rollKind } from './roll-kind.ts';
import { BRISK } from './sweep.ts';

describe.each([...testsFor(KINDS, 0, ({ name }) => name), ...testsFor(FAMILY_KINDS, 3)])('$name', (kind) => {
  test('rolls from end to end', () => rollKind(kind, IS_WHOLE ? {} : BRISK));
});

describe.each(['no', 'counts'] as const)(
  'as long as AWS takes by default, while stopping tasks count towards the maximum: %s',
  (stoppingInMaximum) => {
    test.each(testsFor(KINDS, 3))('$name', ({ furnish, ...kind }) =>
      rollKind(
        {
          ...kind,
          furnish(world) {
            furnish(world);
            world.state.readings.stoppingInMaximum = stoppingInMaximum;
          },
        },
        { shortcut: true, delays: AWS_DEFAULTS },
      ),
    );
  },
);
