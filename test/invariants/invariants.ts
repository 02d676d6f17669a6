import type { Expectations } from '../simulated-aws/invariants/expectations.ts';
import { type Invariants, watchInvariants as watch } from '../simulated-aws/invariants/invariants.ts';
import type { OwnInvariant } from '../simulated-aws/invariants/own.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { askedFirst } from './asked-first.ts';
import { keptWhole } from './kept-whole.ts';
import { launchSpecsOnce } from './launch-specs-once.ts';
import { memberEndings } from './member-endings.ts';
import { ourCustoms } from './ours.ts';
import { tagKeys } from './tag-keys.ts';
import { told } from './told.ts';

export type { GroupReport, Violation } from '../simulated-aws/invariants/invariants.ts';
export type { Expectations, Invariants };

/** What is expected of this product in any case. */
export const EXPECTED_OF_US = {
  customs: ourCustoms,
  changesOwnersTags: true,
} satisfies Expectations;

/** What is asked of this product beyond what is asked of anybody. */
export const OUR_INVARIANTS: readonly OwnInvariant[] = [
  memberEndings,
  keptWhole,
  launchSpecsOnce,
  tagKeys,
  told,
  askedFirst,
];

/** The simulated AWS's invariants as they apply to this product, and its own. */
export function watchInvariants(world: World, expectations: Expectations = {}): Invariants {
  return watch(world, { ...EXPECTED_OF_US, ...expectations }, OUR_INVARIANTS);
}
