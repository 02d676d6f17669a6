import { GROUP_TAGS } from '../../lambda/contract.ts';
import { groupsInScope } from '../simulated-aws/invariants/expectations.ts';
import type { OwnInvariant } from '../simulated-aws/invariants/own.ts';
import type { WorldEvent } from '../simulated-aws/world/events.ts';

/**
 * 6. A roll never starts over: one launch configuration for each group and image, one template version for
 * each template and image, whatever happens. Once all rolls are over the next makes its own: what is left of
 * an earlier one may be anybody's.
 */
export const launchSpecsOnce: OwnInvariant = {
  number: 6,
  watch(watch, ledger) {
    const made = new Map<string, number>();
    let isRolling = false;

    const forgetAfterRolls = () => {
      const wasRolling = isRolling;
      isRolling = groupsInScope(watch).some(({ tags }) => tags.has(GROUP_TAGS.startedAt));
      if (wasRolling && !isRolling) made.clear();
    };

    const expectOnce = (key: string) => {
      const count = (made.get(key) ?? 0) + 1;
      made.set(key, count);
      // Once somebody has corrupted what a roll remembered, it remakes what it can't recognize as its own.
      const forged = groupsInScope(watch).flatMap((group) => [
        ...(watch.state.forgeries.groups.get(group)?.values() ?? []),
      ]);
      const most = groupsInScope(watch).length + forged.reduce((sum, count) => sum + count, 0);
      ledger.expect(6, count <= most, () => `${key} was made ${count} times`);
    };

    return (event) => {
      forgetAfterRolls();
      if (!('change' in event)) return;
      const key = keyOf(event);
      if (event.change === 'created' && event.cause === 'call') expectOnce(key);
      // It remakes what a rollback, or somebody else, has deleted.
      if (event.change === 'deleted') made.delete(key);
    };
  },
};

function keyOf(event: Written): string {
  return event.kind === 'launch-configuration-written'
    ? `A launch configuration for ${event.launchConfiguration.description.ImageId}`
    : `A version of ${event.template.name} for ${event.version.data.ImageId}`;
}

type Written = Extract<WorldEvent, { readonly change: unknown }>;
