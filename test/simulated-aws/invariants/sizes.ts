import { GROUP_TAGS } from '../../../lambda/contract.ts';
import type { Group } from '../world/autoscaling/model.ts';
import type { Listener } from '../world/events.ts';
import { belongs, type Watch } from './expectations.ts';
import { forgedOften } from './forged.ts';
import type { Ledger } from './ledger.ts';
import { followOwners } from './owner-settings.ts';

/** What an owner has wanted at any time so far: a call may go by what it saw a while ago. */
interface Bounds {
  readonly leastMin: number;
  readonly leastDesired: number;
  readonly leastMax: number;
  readonly mostDesired: number;
  readonly mostMax: number;
}

/** 7. Sizes that calls set stay between what owners have wanted, and that plus the surge. */
export function watchSizes(watch: Watch, ledger: Ledger): Listener {
  const { state, expectations } = watch;
  const owners = followOwners(state);
  const bounds = new Map<Group, Bounds>();
  const note = (group: Group) => bounds.set(group, widened(bounds.get(group), owners.wantedOf(group)));
  for (const group of state.groups.values()) note(group);

  return (event) => {
    owners.note(event);
    if (event.kind !== 'group-written') return;
    const { group, cause } = event;
    note(group);
    const allowed = bounds.get(group);
    if (cause !== 'call' || !belongs(watch, group) || allowed === undefined) return;
    const { minSize, desiredCapacity, maxSize } = group;
    const { maxSurge = allowed.mostDesired } = expectations;
    const surge = maxSurge * (1 + forgedOften(watch, group, GROUP_TAGS.held));
    const most = allowed.mostDesired + surge;
    const expect = (name: string, value: number, least: number, atMost: number) =>
      ledger.expect(
        7,
        least <= value && value <= atMost,
        () => `the ${name} of ${group.name} is ${value}, which is not between ${least} and ${atMost}`,
      );
    expect('desired capacity', desiredCapacity, allowed.leastDesired, most);
    expect('minimum size', minSize, allowed.leastMin, most);
    expect('maximum size', maxSize, allowed.leastMax, allowed.mostMax + surge);
  };
}

function widened(
  before: Bounds | undefined,
  { minSize, desiredCapacity, maxSize }: Pick<Group, 'minSize' | 'desiredCapacity' | 'maxSize'>,
): Bounds {
  const bounds = before ?? {
    leastMin: minSize,
    leastDesired: desiredCapacity,
    leastMax: maxSize,
    mostDesired: desiredCapacity,
    mostMax: maxSize,
  };
  return {
    leastMin: Math.min(bounds.leastMin, minSize),
    leastDesired: Math.min(bounds.leastDesired, desiredCapacity),
    leastMax: Math.min(bounds.leastMax, maxSize),
    mostDesired: Math.max(bounds.mostDesired, desiredCapacity),
    mostMax: Math.max(bounds.mostMax, maxSize),
  };
}
