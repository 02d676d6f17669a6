import { sweepKinds } from './kill-sweep.kinds.ts';

sweepKinds(1, 2);
