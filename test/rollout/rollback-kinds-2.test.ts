import { playKinds } from './rollback-play.ts';

playKinds(1, 2);
