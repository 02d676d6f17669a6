import { playKinds } from './rollback-play.ts';

playKinds(0, 2);
