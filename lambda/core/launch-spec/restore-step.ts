import type { Action } from '../actions/decision.ts';
import type { PolicyChange } from '../model/launch.ts';
import type { Obstacle } from '../model/obstacle.ts';

/** The step that restores one place, or what prevents it. */
export type RestoreStep =
  | { readonly kind: 'action'; readonly action: Action }
  | { readonly kind: 'policy'; readonly change: PolicyChange }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };
