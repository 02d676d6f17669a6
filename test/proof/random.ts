import { createRandom } from '../simulated-aws/world/random.ts';

/** Draws that all follow from one seed. */
export interface Draw {
  /** Below 1. */
  number(): number;
  between(least: number, most: number): number;
  /** A whole number, both ends included. */
  whole(least: number, most: number): number;
  /** True with this probability, 0 to 1. */
  chance(share: number): boolean;
  /** Undefined if there is nothing to pick. */
  oneOf<Item>(items: readonly Item[]): Item | undefined;
}

export function drawFrom(seed: number): Draw {
  const number = createRandom(seed);
  const whole = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  // The first numbers of neighbouring seeds are alike.
  for (let count = 0; count < 5; count++) number();
  return {
    number,
    between: (least, most) => least + number() * (most - least),
    whole,
    chance: (share) => number() < share,
    oneOf: (items) => items[whole(0, items.length - 1)],
  };
}
