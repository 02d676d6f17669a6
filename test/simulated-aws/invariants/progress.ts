import type { Listener, WorldEvent } from '../world/events.ts';
import { groupsInScope, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** What the invocation said of a group. */
export interface GroupReport {
  readonly group: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

const ENDED = new Set(['up-to-date', 'completed', 'planned']);

/** 6. An invocation gets on, waits for something that it names, or tells why it can't; and never starts over. */
export function watchProgress(watch: Watch, ledger: Ledger) {
  const made = new Map<string, number>();
  let hasWritten = false;

  /** One launch configuration a group and image, one template version a template and image, whatever happens. */
  const expectOnce = (key: string) => {
    const count = (made.get(key) ?? 0) + 1;
    made.set(key, count);
    if (watch.expectations.roller === 'anybody') return;
    // Once somebody has spoilt what a roll remembered, it makes anew what it can't tell to be its own.
    const forged = groupsInScope(watch).flatMap((group) => [
      ...(watch.state.forgeries.groups.get(group)?.values() ?? []),
    ]);
    const most = groupsInScope(watch).length + forged.reduce((sum, count) => sum + count, 0);
    ledger.expect(6, count <= most, () => `${key} was made ${count} times`);
  };

  const listener: Listener = (event) => {
    if (event.kind === 'called') hasWritten = true;
    if (!('change' in event) || event.cause !== 'call') return;
    const key = keyOf(event);
    if (event.change === 'created') expectOnce(key);
    // What a rollback has deleted is made anew by the next roll.
    if (event.change === 'deleted') made.delete(key);
  };

  const invocationEnded = (groups: readonly GroupReport[]) => {
    for (const { group, state, reason } of groups)
      ledger.expect(
        6,
        ENDED.has(state) || hasWritten || Boolean(reason),
        () => `${group} is ${state}, nothing was done, and no reason is given`,
      );
    hasWritten = false;
  };

  return { listener, invocationEnded };
}

function keyOf(event: Written): string {
  return event.kind === 'launch-configuration-written'
    ? `A launch configuration for ${event.launchConfiguration.description.ImageId}`
    : `A version of ${event.template.name} for ${event.version.data.ImageId}`;
}

type Written = Extract<WorldEvent, { readonly change: unknown }>;
