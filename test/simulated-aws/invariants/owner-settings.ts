import type { Group } from '../world/autoscaling/model.ts';
import type { WorldEvent } from '../world/events.ts';
import type { State } from '../world/state.ts';

export type Sizes = Pick<Group, 'minSize' | 'maxSize' | 'desiredCapacity'>;

/**
 * What is its owner's business: sizes, suspended processes, the way in which it refers to its launch spec,
 * and all others.
 */
interface Settings extends Sizes {
  readonly suspended: ReadonlySet<string>;
  readonly reference: string;
  /** As one text, to be compared. */
  readonly others: string;
}

/** What changed so recently may not have been seen by who calls. */
const UNSEEN_MS = 120_000;

/** What owners have changed since the last call, as one change: nobody sees more of it. */
interface Changing {
  readonly wanted: readonly Settings[];
  readonly seen: Settings;
  /** Its sizes are numbers that a schedule or a person names, if only an activity tells of that in time. */
  readonly isNamed: boolean;
}

/**
 * Follows what owners, and the processes that work for them, have made of their groups' settings: a change of
 * theirs counts by what it changes, on top of whatever calls have made meanwhile; but who names a size may
 * mean it as it is. What they change between two calls is one change: ECS may end three members at once, and
 * lower the desired capacity by one for each.
 */
export function followOwners({ groups, clock }: State) {
  const wanted = new Map<Group, readonly Settings[]>();
  const seen = new Map<Group, Settings>();
  const changing = new Map<Group, Changing>();
  const changedAtMs = new Map<Group, number>();
  for (const group of groups.values()) {
    wanted.set(group, [settingsOf(group)]);
    seen.set(group, settingsOf(group));
  }
  const noteOwners = (group: Group, all: readonly Settings[], before: Settings, now: Settings) => {
    const first = changing.get(group) ?? { wanted: all, seen: before, isNamed: false };
    const isNamed = first.isNamed || (group.resizedBy !== '' && !group.resizedBy.includes('policy'));
    changing.set(group, { ...first, isNamed });
    changedAtMs.set(group, clock.now());
    const meanings = isNamed ? [meantOnTop, meantAsItIs] : [meantOnTop];
    const may = first.wanted.flatMap((each) =>
      meanings.map((meant) => changed(each, first.seen, now, meant)),
    );
    wanted.set(group, [...new Map(may.map((each) => [describe(each), each])).values()]);
  };
  const noteCall = (group: Group, all: readonly Settings[], before: Settings, now: Settings) => {
    changing.delete(group);
    const isUnseen = clock.now() - (changedAtMs.get(group) ?? Number.NEGATIVE_INFINITY) <= UNSEEN_MS;
    // "This sets the group's DesiredCapacity to the new MinSize value", though it was scaled in just before.
    const lift = now.minSize > before.minSize ? Math.max(0, now.desiredCapacity - before.desiredCapacity) : 0;
    wanted.set(
      group,
      all.map((settings) => {
        // What was given back is its owner's from then on, though a policy takes its instances away later.
        const isGivenBack = now.maxSize < before.maxSize && now.maxSize === roomOf(settings);
        return {
          ...settings,
          ...(isUnseen && { desiredCapacity: settings.desiredCapacity + lift }),
          ...(isGivenBack && { maxSize: now.maxSize }),
        };
      }),
    );
  };
  return {
    note(event: WorldEvent) {
      if (event.kind === 'called') {
        for (const group of groups.values()) seen.set(group, settingsOf(group));
        changing.clear();
      }
      if (event.kind !== 'group-written') return;
      const { group, cause } = event;
      const now = settingsOf(group);
      const before = seen.get(group) ?? now;
      seen.set(group, now);
      const note = cause === 'call' ? noteCall : noteOwners;
      note(group, wanted.get(group) ?? [now], before, now);
    },
    /** What its owner may mean, the least first. */
    wantedOf(group: Group): readonly [Settings, ...Settings[]] {
      const [first = settingsOf(group), ...others] = [...(wanted.get(group) ?? [])].sort(
        (one, other) => one.desiredCapacity - other.desiredCapacity,
      );
      return [roomy(first), ...others.map(roomy)];
    },
  };
}

/** What calls have added may be more than the group may shrink by. */
function roomy(settings: Settings): Settings {
  const desiredCapacity = Math.max(settings.minSize, settings.desiredCapacity);
  return { ...settings, desiredCapacity, maxSize: roomOf(settings) };
}

/** A policy may have used what was raised for the time being: its instances are not taken away for that. */
function roomOf({ maxSize, desiredCapacity }: Sizes): number {
  return Math.max(maxSize, desiredCapacity);
}

function changed(
  wanted: Settings,
  before: Settings,
  now: Settings,
  meant: (wanted: number, before: number, now: number) => number,
): Settings {
  const suspended = new Set(wanted.suspended);
  for (const name of now.suspended) if (!before.suspended.has(name)) suspended.add(name);
  for (const name of before.suspended) if (!now.suspended.has(name)) suspended.delete(name);
  // Who sets a minimum that calls have raised means what he says.
  const minSize = now.minSize === before.minSize ? wanted.minSize : now.minSize;
  // A lower maximum takes the desired capacity with it, which says nothing of what that is to be.
  const isLowered = now.maxSize < before.maxSize && now.desiredCapacity === now.maxSize;
  const desiredCapacity = meant(wanted.desiredCapacity, before.desiredCapacity, now.desiredCapacity);
  return {
    minSize,
    maxSize: isLowered ? now.maxSize : meant(wanted.maxSize, before.maxSize, now.maxSize),
    desiredCapacity:
      isLowered && meant === meantOnTop ? Math.min(wanted.desiredCapacity, now.maxSize) : desiredCapacity,
    suspended,
    reference: now.reference === before.reference ? wanted.reference : now.reference,
    others: now.others === before.others ? wanted.others : now.others,
  };
}

/**
 * Who sets a group that calls have made larger to what it was without that, or to less, means what he says.
 */
function meantOnTop(wanted: number, before: number, now: number): number {
  const isLiteral = before > wanted && now <= wanted;
  return isLiteral ? now : wanted + now - before;
}

function meantAsItIs(wanted: number, before: number, now: number): number {
  return now === before ? wanted : now;
}

export function settingsOf(group: Group): Settings {
  const { minSize, maxSize, desiredCapacity, suspendedProcesses } = group;
  return {
    minSize,
    maxSize,
    desiredCapacity,
    suspended: new Set(suspendedProcesses),
    reference: referenceOf(group),
    others: othersOf(group),
  };
}

function othersOf(group: Group): string {
  const { healthCheckType, healthCheckGraceSeconds, defaultCooldownSeconds, defaultWarmupSeconds } = group;
  const { capacityType, protectsNewInstances, retainsAbandoned, lifecycleHooks } = group;
  const { targetGroupArns, loadBalancerNames } = group;
  return JSON.stringify({
    ...{ healthCheckType, healthCheckGraceSeconds, defaultCooldownSeconds, defaultWarmupSeconds },
    ...{ capacityType, protectsNewInstances, retainsAbandoned },
    lifecycleHooks: lifecycleHooks.map(({ name }) => name).sort(),
    trafficSources: [...targetGroupArns, ...loadBalancerNames].sort(),
  });
}

export function describe({ minSize, maxSize, desiredCapacity, suspended, reference }: Settings): string {
  const names = [...suspended].sort().join(' ') || 'nothing';
  return `${minSize}/${desiredCapacity}/${maxSize}, ${names} suspended, by ${reference}`;
}

function referenceOf({ launchSpec: spec }: Group): string {
  if (spec.kind === 'launch-configuration') return spec.kind;
  const named = [spec.version, ...overriddenVersions(spec)].map((version) =>
    /^\d+$/.test(version ?? '') ? 'by number' : (version ?? 'none'),
  );
  return `${spec.kind}, version ${named.join(' and ')}`;
}

function overriddenVersions(spec: Exclude<Group['launchSpec'], { kind: 'launch-configuration' }>) {
  if (spec.kind === 'launch-template') return [];
  return spec.overrides.map(({ instanceType, ownTemplate }) =>
    ownTemplate === undefined ? `${instanceType} by the base` : ownTemplate.version,
  );
}
