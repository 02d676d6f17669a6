import { TABLE } from '../../lambda/settings/table.ts';

/** As the function has it where nothing is set. */
export const STABLE_SECONDS = Number(TABLE.stableSeconds.default);
