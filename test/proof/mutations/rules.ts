import type { Mutation } from './mutation.ts';
import { RULES_OF_ASKING } from './rules/asking.ts';
import { RULES_OF_BEFOREHAND } from './rules/beforehand.ts';
import { RULES_OF_BLAME } from './rules/blame.ts';
import { RULES_OF_CALLS } from './rules/calls.ts';
import { RULES_OF_COURSE } from './rules/course.ts';
import { RULES_OF_ENDINGS } from './rules/endings.ts';
import { RULES_OF_FORGERIES } from './rules/forgeries.ts';
import { RULES_OF_HOOKS } from './rules/hooks.ts';
import { RULES_OF_LAUNCH_SPECS } from './rules/launch-specs.ts';
import { RULES_OF_OTHERS } from './rules/others.ts';
import { RULES_OF_PLACEMENT } from './rules/placement.ts';
import { RULES_OF_REGISTRATIONS } from './rules/registrations.ts';
import { RULES_OF_REPLACEMENT } from './rules/replacement.ts';
import { RULES_OF_SIZES } from './rules/sizes.ts';
import { RULES_OF_TERMINATIONS } from './rules/terminations.ts';
import { RULES_OF_TELLING } from './rules/told.ts';

/**
 * Every rule our promise rests on: no task lost, no instance lost or left behind, nothing of others' touched.
 */
export const RULES: readonly Mutation[] = [
  ...RULES_OF_BEFOREHAND,
  ...RULES_OF_REPLACEMENT,
  ...RULES_OF_ENDINGS,
  ...RULES_OF_REGISTRATIONS,
  ...RULES_OF_HOOKS,
  ...RULES_OF_TERMINATIONS,
  ...RULES_OF_ASKING,
  ...RULES_OF_PLACEMENT,
  ...RULES_OF_SIZES,
  ...RULES_OF_COURSE,
  ...RULES_OF_BLAME,
  ...RULES_OF_LAUNCH_SPECS,
  ...RULES_OF_OTHERS,
  ...RULES_OF_FORGERIES,
  ...RULES_OF_CALLS,
  ...RULES_OF_TELLING,
];
