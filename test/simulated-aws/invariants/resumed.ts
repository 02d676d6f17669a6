import type { Group } from '../world/autoscaling/model.ts';
import type { Listener } from '../world/events.ts';
import type { Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** 7. Calls resume what calls have suspended, and nothing else. */
export function watchProcesses({ state }: Watch, ledger: Ledger): Listener {
  const byCalls = new Map<Group, Set<string>>();
  const seen = new Map<Group, ReadonlySet<string>>();
  for (const group of state.groups.values()) seen.set(group, new Set(group.suspendedProcesses));

  const noteSuspended = (group: Group, isCall: boolean) => {
    const ours = byCalls.get(group) ?? new Set();
    byCalls.set(group, ours);
    const before = seen.get(group) ?? new Set();
    for (const process of group.suspendedProcesses) {
      if (before.has(process)) continue;
      if (isCall) ours.add(process);
      else ours.delete(process);
    }
  };
  const resumed = (group: Group) =>
    [...(seen.get(group) ?? [])].filter((process) => !group.suspendedProcesses.has(process));

  return (event) => {
    if (event.kind !== 'group-written') return;
    const { group, cause } = event;
    for (const process of resumed(group))
      if (cause === 'call')
        ledger.expect(
          7,
          byCalls.get(group)?.has(process) === true,
          () => `${process} of ${group.name} was resumed, though no call had suspended it`,
        );
    noteSuspended(group, cause === 'call');
    seen.set(group, new Set(group.suspendedProcesses));
  };
}
