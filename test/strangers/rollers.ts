import type { Roller } from './roller.ts';
import { allDrained } from './rollers/all-drained.ts';
import { ancestor } from './rollers/ancestor.ts';
import { bareVersion } from './rollers/bare-version.ts';
import { rolling, scaleOutByOne, serial, terminateAll } from './rollers/bouncer.ts';
import { careful } from './rollers/careful.ts';
import { untagged } from './rollers/untagged.ts';

/** The careful one first. */
export const ROLLERS: readonly Roller[] = [
  careful,
  ancestor,
  serial,
  rolling,
  scaleOutByOne,
  terminateAll,
  bareVersion,
  untagged,
  allDrained,
];
