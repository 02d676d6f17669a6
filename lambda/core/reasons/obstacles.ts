import { GROUP_OBSTACLES } from './group-obstacles.ts';
import { LAUNCH_OBSTACLES } from './launch-obstacles.ts';
import { PREFLIGHT_OBSTACLES } from './preflight-obstacles.ts';
import type { ReasonOf } from './reason-of.ts';

/** What keeps a group from being rolled, or its roll from starting or going back, and what helps. */
export const OBSTACLES = { ...GROUP_OBSTACLES, ...LAUNCH_OBSTACLES, ...PREFLIGHT_OBSTACLES };

export type ObstacleCode = keyof typeof OBSTACLES;
export type Obstacle<Code extends ObstacleCode = ObstacleCode> = ReasonOf<typeof OBSTACLES, Code>;

export interface SeveralObstacles {
  readonly code: 'several';
  readonly reasons: readonly Obstacle[];
}

/** The only obstacle, or all of them as one. */
export function joinedObstacles(obstacles: readonly Obstacle[]): Obstacle | SeveralObstacles | undefined {
  const [first, ...others] = obstacles;
  return first === undefined || others.length === 0 ? first : { code: 'several', reasons: obstacles };
}
