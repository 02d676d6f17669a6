import type { Group, Member } from '../simulated-aws/world/autoscaling/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { Draw } from './random.ts';

/** A group as something happens to it. */
export interface Scene {
  readonly world: World;
  readonly group: Group;
  /** One of its members in service, if there is one. */
  readonly member: Member | undefined;
  readonly raisesMaxSize: boolean;
  /** An invocation is between what it sees and what it does about that. */
  isLooking(): boolean;
  /** A call that records or sets sizes is in progress. */
  isSettingSizes(): boolean;
  readonly draw: Draw;
}

/** Does something, and says what; undefined if that isn't possible. */
export type Strike = (scene: Scene) => string | undefined;
