import type { Group } from '../world/autoscaling/model.ts';
import type { Cause, Listener } from '../world/events.ts';
import { belongs, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { followOwners, type Sizes } from './owner-settings.ts';

/** A call may act on what it saw before the owner wanted more. */
const UNSEEN_MS = 60_000;

/** The sizes that an owner has wanted for a group. */
interface Wanted {
  now: Sizes;
  /** What was wanted before, and until when. */
  readonly before: { readonly sizes: Sizes; readonly untilMs: number }[];
  mostDesired: number;
  mostMax: number;
}

/**
 * 7. Calls never leave a group with sizes smaller than its owner wants, or larger than the largest its owner
 *    has wanted plus the surge.
 */
export function watchSizes(watch: Watch, ledger: Ledger): Listener {
  const { state, expectations } = watch;
  const owners = followOwners(state);
  const wantedOf = new Map<Group, Wanted>();

  const note = (group: Group): Wanted => {
    const all = owners.wantedOf(group);
    const [now] = all;
    const wanted = wantedOf.get(group) ?? { now, before: [], mostDesired: 0, mostMax: 0 };
    wantedOf.set(group, wanted);
    if (SIZES.some((size) => wanted.now[size] !== now[size]))
      wanted.before.push({ sizes: wanted.now, untilMs: state.clock.now() });
    wanted.now = now;
    wanted.mostDesired = Math.max(wanted.mostDesired, ...all.map((each) => each.desiredCapacity));
    wanted.mostMax = Math.max(wanted.mostMax, ...all.map((each) => each.maxSize));
    return wanted;
  };
  for (const group of state.groups.values()) note(group);

  const leastOf = ({ now, before }: Wanted, size: keyof Sizes): number => {
    const unseen = before.filter(({ untilMs }) => state.clock.now() - untilMs <= UNSEEN_MS);
    return Math.min(now[size], ...unseen.map(({ sizes }) => sizes[size]));
  };

  const check = (group: Group, wanted: Wanted, cause: Cause) => {
    const { maxSurge = wanted.mostDesired } = expectations;
    const forged = watch.customs.mistakenSurges(group);
    const surge = maxSurge * (1 + forged);
    // It may take away what forged notes made it believe it had added.
    const forgedAway = forged === 0 ? 0 : maxSurge * forged;
    const most = {
      minSize: wanted.mostDesired + surge,
      desiredCapacity: wanted.mostDesired + surge,
      maxSize: wanted.mostMax + surge,
    };
    for (const size of SIZES) {
      const value = group[size];
      const least = leastOf(wanted, size) - forgedAway;
      ledger.keep(
        7,
        `${size} of ${group.name}`,
        Math.max(least - value, value - most[size]),
        () => `the ${NAMES[size]} of ${group.name} is ${value}, not between ${least} and ${most[size]}`,
        cause === 'call',
      );
    }
  };

  return (event) => {
    owners.note(event);
    if (event.kind !== 'group-written') return;
    const { group, cause } = event;
    const wanted = note(group);
    if (belongs(watch, group)) check(group, wanted, cause);
  };
}

const SIZES = ['desiredCapacity', 'minSize', 'maxSize'] as const;

const NAMES: Readonly<Record<keyof Sizes, string>> = {
  desiredCapacity: 'desired capacity',
  minSize: 'minimum size',
  maxSize: 'maximum size',
};
