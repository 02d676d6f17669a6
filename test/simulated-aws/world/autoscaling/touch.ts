import type { State } from '../state.ts';
import type { Group } from './model.ts';

/** Has the group look at its capacity, some time from now; a look that is due already will do. */
export function touchGroup(state: State, group: Group) {
  if (group.isReconcileScheduled) return;
  group.isReconcileScheduled = true;
  state.after('noticeCapacitySeconds', () => {
    group.isReconcileScheduled = false;
    // It may have been deleted meanwhile.
    if (state.groups.get(group.name) === group) state.emit({ kind: 'group-due', group });
  });
}
