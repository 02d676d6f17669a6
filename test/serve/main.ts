/**
 * `npm run serve`: the simulated AWS alone, with what this product needs of it. `--help` lists the options.
 */

import { runServe } from '../simulated-aws/serve/run.ts';
import { OURS } from './ours.ts';

await runServe(OURS);
