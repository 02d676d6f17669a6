import {
  type Activity,
  AttachInstancesCommand,
  DetachInstancesCommand,
  EnterStandbyCommand,
  ExitStandbyCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { Cause } from '../events.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';
import { attachInstances } from './attach.ts';
import { decrement, increment } from './capacity.ts';
import { detachMember } from './detach.ts';
import { assertLaunching, findGroup, validationError } from './groups.ts';
import type { Group, LifecycleState, Member } from './model.ts';
import { enterStandby, exitStandby } from './standby.ts';

const MAX_IDS = 20;

interface Query {
  readonly AutoScalingGroupName?: string | undefined;
  readonly InstanceIds?: readonly string[] | undefined;
}

interface Move {
  /** The states in which a member can be moved. */
  readonly from: readonly LifecycleState[];
  readonly move: (
    state: State,
    group: Group,
    member: Member,
    cause: Cause,
    /** What the activity says of the size. */
    resize: string,
  ) => Activity;
}

const DETACH: Move = { from: ['InService', 'Standby'], move: detachMember };
/** "Instances in a retained state can be detached only if you don't decrement the desired capacity." */
const DETACH_TOO: Move = { from: [...DETACH.from, 'Terminating:Retained'], move: detachMember };
const ENTER_STANDBY: Move = { from: ['InService'], move: enterStandby };
const EXIT_STANDBY: Move = { from: ['Standby'], move: exitStandby };

export function memberOperations(state: State): Operation[] {
  return [
    on(AttachInstancesCommand, 'all', ({ AutoScalingGroupName: name, InstanceIds: ids = [] }) => {
      // ledger: attach-most
      assertAtMost(MAX_IDS, ids, 'ValidationError', 'Instance ids');
      attachInstances(state, findGroup(state, name), ids, 'call');
      return {};
    }),
    on(DetachInstancesCommand, 'all', (input) => {
      const { ShouldDecrementDesiredCapacity: decrements } = input;
      const Activities = decrements
        ? moveAll(state, input, DETACH, decrement)
        : moveAll(state, input, DETACH_TOO, undefined);
      return { Activities };
    }),
    on(EnterStandbyCommand, 'all', (input) => {
      const { ShouldDecrementDesiredCapacity: decrements } = input;
      return { Activities: moveAll(state, input, ENTER_STANDBY, decrements ? decrement : undefined) };
    }),
    on(ExitStandbyCommand, 'all', (input) => {
      assertLaunching(findGroup(state, input.AutoScalingGroupName), 'exit Standby');
      return { Activities: moveAll(state, input, EXIT_STANDBY, increment) };
    }),
  ];
}

/** All or none of them. */
function moveAll(
  state: State,
  query: Query,
  { from, move }: Move,
  changeCapacity: typeof decrement | undefined,
): Activity[] {
  const group = findGroup(state, query.AutoScalingGroupName);
  const ids = query.InstanceIds ?? [];
  // ledger: detach-most, enter-standby-most, exit-standby-most
  assertAtMost(MAX_IDS, ids, 'ValidationError', 'Instance ids');
  const members = [...new Set(ids)].map((id) => memberIn(group, id, from));
  const resize = changeCapacity?.(state, group, members, 'call') ?? '';
  return members.map((member) => move(state, group, member, 'call', resize));
}

function memberIn(group: Group, id: string, states: readonly LifecycleState[]): Member {
  const member = group.members.get(id) ?? group.warmPool?.members.get(id);
  // ledger: detach-stranger
  if (!member) throw validationError(`The instance ${id} is not part of Auto Scaling group ${group.name}.`);
  const { lifecycleState } = member;
  if (states.includes(lifecycleState)) return member;
  // ledger: detach-states, detach-retained-decrement, enter-standby-states, exit-standby-states
  throw validationError(`The instance ${id} is not in ${states.join(' or ')}, but in ${lifecycleState}.`);
}
