import type { Check } from '../smoke.ts';
import { historyCheck } from './history.ts';
import { managedScalingCheck } from './managed-scaling.ts';
import { questionsCheck } from './questions.ts';
import { roleCheck } from './role.ts';
import { rollCheck } from './roll.ts';
import { badImageCheck, rollbackCheck } from './rollback.ts';
import { tagLagCheck } from './tag-lag.ts';
import { terminationCheck } from './termination.ts';

/** Each begins where the last one left the group: whole, on an image that serves. */
export const CHECKS: readonly Check[] = [
  roleCheck,
  questionsCheck,
  tagLagCheck,
  rollCheck,
  historyCheck,
  badImageCheck,
  rollbackCheck,
  terminationCheck,
  managedScalingCheck,
];
