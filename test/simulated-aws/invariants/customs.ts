import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { WorldEvent } from '../world/events.ts';

/** What a group's roll has come to. */
export type Outcome = 'completed' | 'rolled-back' | 'aborted';

/** A setting of a group that a roll may change for the time being. */
export type TemporarySetting = 'minSize' | 'maxSize' | 'desiredCapacity' | 'suspended';

/**
 * How a roller works, and what its tags on groups and instances mean: the invariants know no roller's tags.
 * Each question may be asked again at any time, as tags change.
 */
export interface Customs {
  /** Whether these tags, by key, exclude a group or instance from rolls. */
  isExcluded(tags: ReadonlyMap<string, string>): boolean;
  /**
   * Whether the instance is marked as one to end, so that a successor knows if the roller dies.
   * @param does the call that is about to end, detach or drain it
   * @param wasTagged whether any call has tagged it
   */
  isMarked(instance: Instance, does: WorldEvent['kind'], wasTagged: boolean): boolean;
  /** Whether a member is marked as being replaced in place: it is not missed while it drains. */
  isGoing(instance: Instance): boolean;
  /**
   * Whether somebody has changed the roller's tags on the instance, so that it can't know its own any more.
   */
  isUnknown(instance: Instance): boolean;
  /** Whether the group's roll is being rolled back. */
  isGoingBack(group: Group): boolean;
  /** Whether the roll may take the instance away because it is being rolled back. */
  isTakenBack(instance: Instance): boolean;
  outcomeOf(group: Group): Outcome;
  /** Whether the instance may run its image at the end, given the target image of its roll. */
  mayRun(instance: Instance, group: Group, targetImageId: string | undefined): boolean;
  /** Keys of the roller's tags that must be gone once the roll is over. */
  tagsLeftOn(one: Group | Instance): readonly string[];
  /** Settings that the roller can't restore because somebody has changed its note of them. */
  forgets(group: Group): readonly TemporarySetting[];
  /**
   * How often somebody has changed the note of what the roller added to the group: each time it may be off by
   * its surge.
   */
  mistakenSurges(group: Group): number;
}

/**
 * Nothing is known about its tags, except that it must tag what it detaches: no group knows that instance any
 * more.
 */
export const ANYBODYS_CUSTOMS: Customs = {
  isExcluded: () => false,
  isMarked: (_, does, wasTagged) => does !== 'member-detaching' || wasTagged,
  isGoing: () => false,
  isUnknown: () => false,
  isGoingBack: () => false,
  isTakenBack: () => false,
  outcomeOf: () => 'completed',
  mayRun: ({ imageId }, _, targetImageId) => imageId === targetImageId,
  tagsLeftOn: () => [],
  forgets: () => [],
  mistakenSurges: () => 0,
};
