import { sweepKinds } from './kill-sweep.kinds.ts';

sweepKinds(0, 2);
