import type { Group } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { WorldEvent } from '../world/events.ts';

/** What a group's roll has come to. */
export type Outcome = 'completed' | 'rolled-back' | 'aborted';

/** A setting of a group that a roll may change for the time being. */
export type TemporarySetting = 'minSize' | 'maxSize' | 'desiredCapacity' | 'suspended';

/**
 * How a roller goes about it, and what the notes say that it leaves on groups and instances: the invariants know no roller's
 * tags. Every question may be asked again at any time, as notes change.
 */
export interface Customs {
  /** Whether the owner's tags, by key, keep the roller from the group or instance. */
  isExcluded(tags: ReadonlyMap<string, string>): boolean;
  /**
   * Whether the instance bears a note that it is to go, so that a successor knows should the roller die.
   * @param does the call that is about to end, detach or drain it
   * @param wasTagged whether any call has tagged it
   */
  isMarked(instance: Instance, does: WorldEvent['kind'], wasTagged: boolean): boolean;
  /** Whether a note on a member says that it is on its way out: it is counted neither as serving nor as missing. */
  isGoing(instance: Instance): boolean;
  /** Whether nobody can tell any more whose the instance is, because somebody has spoilt its notes. */
  isUnknown(instance: Instance): boolean;
  /** Whether the group's roll is being rolled back. */
  isGoingBack(group: Group): boolean;
  /** Whether the roll may take the instance away because it is being rolled back. */
  isTakenBack(instance: Instance): boolean;
  outcomeOf(group: Group): Outcome;
  /** Whether an instance may run at the end what it runs, if its roll was to bring it onto the target image. */
  mayRun(instance: Instance, group: Group, targetImageId: string | undefined): boolean;
  /** The roller's own tags, by key, that must not be there any more once the roll is over. */
  tagsLeftOn(one: Group | Instance): readonly string[];
  /** Settings that the roller can't give back because somebody has spoilt its note of them. */
  forgets(group: Group): readonly TemporarySetting[];
  /** How often somebody has spoilt the note of what the roller has added to the group: each time it may err by its surge. */
  mistakenSurges(group: Group): number;
}

/** Nothing is known of its notes, but that it has to tag what it detaches: that is in no group any more. */
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
