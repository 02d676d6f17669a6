import type { Assessed, Attached, DriftReason } from '../model/assessment.ts';
import type { Member } from '../model/group.ts';
import { hasAlias, type Image, type Launch, type LaunchSource } from '../model/launch.ts';
import type { Roll } from '../model/roll.ts';
import type { DriftKind, Settings } from '../model/settings.ts';
import { earlier, secondsBetween } from '../model/time.ts';
import { awaitsSequence } from './in-sequence.ts';
import { isFailed, rollbackStrategy } from './rollback-strategy.ts';
import { endsThroughGroup, strategyOf } from './strategy.ts';

/** What members are compared with. */
export interface DriftCriteria extends Pick<Settings, 'drift' | 'maxInstanceAgeDays' | 'standby'> {
  readonly now: Date;
  readonly sources: readonly LaunchSource[];
  readonly images: ReadonlyMap<string, Image>;
  /** Newer images count as outdated too. */
  readonly exact: boolean;
  readonly forceBefore?: Date;
  /** Set while it is rolled back: what it launched has to go. */
  readonly rolledBack?: Roll;
  /** Members are drained and ended in place. */
  readonly inPlace: boolean;
  /** Surplus members are ended in place too. */
  readonly throughGroup: boolean;
}

export function criteriaOf(assessed: Assessed, { sources }: Launch): DriftCriteria {
  const { group, settings } = assessed;
  const { images, now } = assessed.observation;
  const { image, drift, maxInstanceAgeDays, standby } = settings;
  // Only the settings may ask for a step back, not what the group's tags say about them.
  const exact = image.kind === 'id' && (group.roll?.exact ?? true);
  // A request recorded on the tags holds until the roll is over.
  const forceBefore = forceOf(group.roll, now) ?? group.forceRequestedAt;
  const rolledBack = group.roll?.course.kind === 'rollback' ? group.roll : undefined;
  const throughGroup = endsThroughGroup(settings);
  const inPlace =
    throughGroup || (rolledBack ? endsFailedInPlace(assessed) : strategyOf(group, settings) === 'in-place');
  return {
    now,
    sources,
    images,
    exact,
    forceBefore,
    rolledBack,
    drift,
    maxInstanceAgeDays,
    standby,
    inPlace,
    throughGroup,
  };
}

/**
 * The time that separates old members from new ones in a forced roll. A time in the future would make it
 * replace its own launches again and again, so the roll's start counts instead.
 */
export function forceOf(
  roll: Pick<Roll, 'forceBefore' | 'startedAt'> | undefined,
  now: Date,
): Date | undefined {
  const { forceBefore, startedAt } = roll ?? {};
  return forceBefore && startedAt && forceBefore > now ? earlier(startedAt, now) : forceBefore;
}

/** While a group is larger than it was, members of a failed roll leave without being replaced. */
function endsFailedInPlace(assessed: Assessed): boolean {
  const { addedSizes } = assessed.group.roll?.changes ?? {};
  const isLarger =
    addedSizes !== undefined && (addedSizes.desiredCapacity > 0 || addedSizes.change !== undefined);
  return !isLarger && rollbackStrategy(assessed) === 'in-place';
}

/** Why a member should be replaced; empty if it shouldn't. */
export function driftReasons(attached: Attached, criteria: DriftCriteria): DriftReason[] {
  const { drift, forceBefore, rolledBack } = criteria;
  const { launchedAt, imageId } = attached.instance;
  if (rolledBack !== undefined) return isFailed(rolledBack, attached.instance) ? ['rollback'] : [];
  // What replaced it would run what its sequence doesn't let it roll onto yet.
  if (sourcesOf(attached, criteria).some((source) => isAhead(source, imageId, criteria))) return [];
  return [
    ...drift.filter((cause) => HAS_DRIFTED[cause](attached, criteria)),
    ...(forceBefore !== undefined && launchedAt < forceBefore ? (['force'] as const) : []),
  ];
}

const HAS_DRIFTED: Record<DriftKind, (attached: Attached, criteria: DriftCriteria) => boolean> = {
  image: (attached, criteria) => {
    const { imageId } = attached.instance;
    const sources = sourcesOf(attached, criteria);
    return sources.every((source) => !source.onlyForNew && isOutdatedBy(source, imageId, criteria));
  },
  'launch-spec': ({ member }, { sources }) => !sources.some(({ place }) => wasLaunchedFrom(member, place)),
  age: ({ instance }, { now, maxInstanceAgeDays }) =>
    maxInstanceAgeDays !== undefined &&
    secondsBetween(instance.launchedAt, now) > maxInstanceAgeDays * 86_400,
};

/**
 * Any image other than the target is outdated, except a newer one, unless the target was asked for by its id.
 */
export function isOutdated(
  imageId: string,
  target: Image,
  { images, exact }: Pick<DriftCriteria, 'images' | 'exact'>,
): boolean {
  if (imageId === target.imageId) return false;
  const running = images.get(imageId);
  return exact || running === undefined || !(running.createdAt > target.createdAt);
}

/** Its owner, or an alias, has it launch an image that its sequence hasn't got to. */
function isAhead(source: LaunchSource, imageId: string, criteria: DriftCriteria): boolean {
  return awaitsSequence(source) && isOutdated(imageId, source.target, criteria);
}

/** A sequence that goes back means its release, and no newer one. */
function isOutdatedBy(
  { target, inSequence }: LaunchSource,
  imageId: string,
  { images, exact }: DriftCriteria,
): boolean {
  return isOutdated(imageId, target, { images, exact: exact || (inSequence?.isBack ?? false) });
}

/** The places of a group that launch an outdated image. An alias never does: it resolves to the target. */
export function outdatedSources(criteria: DriftCriteria): LaunchSource[] {
  if (!criteria.drift.includes('image') || criteria.rolledBack !== undefined) return [];
  return criteria.sources.filter(
    (source) => !hasAlias(source.place) && isOutdatedBy(source, source.imageId, criteria),
  );
}

/**
 * The places a member may have been launched from: by its instance type or template, or by its architecture
 * if its owner has changed these since or an override's types are unknown.
 */
function sourcesOf({ member, instance }: Attached, { sources, images }: DriftCriteria) {
  const { instanceType, launchedFrom } = member;
  const architecture = images.get(instance.imageId)?.architecture;
  const isSuited = ({ target }: LaunchSource) => target.architecture === architecture;
  const byType = sources.filter(
    ({ place }) => place.kind === 'override' && place.instanceTypes.includes(instanceType),
  );
  if (byType.length > 0) return byType;
  const byTemplate = sources.filter(
    ({ place }) =>
      launchedFrom?.kind === 'launch-template' &&
      place.kind !== 'launch-configuration' &&
      place.templateId === launchedFrom.templateId &&
      (place.kind === 'launch-template' || place.instanceTypes.length === 0),
  );
  for (const found of [byTemplate.filter(isSuited), byTemplate, sources.filter(isSuited)])
    if (found.length > 0) return found;
  return sources;
}

function wasLaunchedFrom({ launchedFrom }: Member, place: LaunchSource['place']): boolean {
  if (place.kind === 'launch-configuration') {
    return launchedFrom?.kind === 'launch-configuration' && launchedFrom.name === place.name;
  }
  return (
    launchedFrom?.kind === 'launch-template' &&
    launchedFrom.templateId === place.templateId &&
    launchedFrom.version === place.version
  );
}
