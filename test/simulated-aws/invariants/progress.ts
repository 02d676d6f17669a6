import type { Listener } from '../world/events.ts';
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
  const expectOnce = (what: string, imageId: string | undefined) => {
    const key = `${what} for ${imageId}`;
    const count = (made.get(key) ?? 0) + 1;
    made.set(key, count);
    const most = groupsInScope(watch).length;
    ledger.expect(6, count <= most, () => `${key} was made ${count} times`);
  };

  const listener: Listener = (event) => {
    if (event.kind === 'called') hasWritten = true;
    if (!('change' in event) || event.change !== 'created') return;
    if (event.cause !== 'call') return;
    if (event.kind === 'launch-configuration-written')
      expectOnce('A launch configuration', event.launchConfiguration.description.ImageId);
    else expectOnce(`A version of ${event.template.name}`, event.version.data.ImageId);
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
