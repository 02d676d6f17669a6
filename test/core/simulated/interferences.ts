import type { GroupSettings } from '../../../lambda/core/model/settings.ts';
import { NOW } from '../builders.ts';
import type { SimulatedGroup } from './group.ts';
import { end, type Machine, pick } from './machine.ts';

/** What is known of what others have done, against which what we do is measured. */
export interface Ledger {
  /** The sizes as others have made them, without what is ours. */
  readonly sizes: { desiredCapacity: number; maxSize: number };
  minSize: number;
  /** Others have changed the sizes while a change of ours was open: then it can't be told which of them was made. */
  isUnsure: boolean;
  /** Processes that the owner has suspended. */
  readonly suspended: Set<string>;
}

export interface Interfering {
  readonly group: SimulatedGroup;
  readonly ledger: Ledger;
  readonly value: number;
  /** Settings to which the group may be switched. */
  readonly switches: readonly Partial<GroupSettings>[];
}

const PROCESSES = [
  'AZRebalance',
  'InstanceRefresh',
  'AlarmNotification',
  'ReplaceUnhealthy',
  'ScheduledActions',
];

const processNamed = (value: number) => PROCESSES[Math.abs(value) % PROCESSES.length] ?? '';

/** What others do to a group in the middle of its roll. */
export const INTERFERENCES = {
  /** A person, or a schedule, sets the desired capacity. */
  scale({ group, ledger, value }: Interfering) {
    const { minSize, maxSize } = group;
    resize(group, ledger, Math.min(maxSize, Math.max(minSize, group.desiredCapacity + value)));
    if (value < 0) group.endSurplus();
  },
  /** An alarm does, if it may. */
  alarm(interfering: Interfering) {
    if (!interfering.group.suspended.has('AlarmNotification')) INTERFERENCES.scale(interfering);
  },
  maximum({ group, ledger, value }: Interfering) {
    const maxSize = Math.max(group.desiredCapacity, group.maxSize + value);
    ledger.isUnsure ||= group.changes.addedSizes.change !== undefined;
    ledger.sizes.maxSize += maxSize - group.maxSize;
    group.maxSize = maxSize;
  },
  minimum({ group, ledger, value }: Interfering) {
    const minSize = Math.max(0, Math.min(group.desiredCapacity, group.minSize + value));
    if (minSize !== group.minSize) ledger.minSize = minSize;
    group.minSize = minSize;
  },
  standby({ group, ledger, value }: Interfering) {
    const one = pick(group.serving, value);
    if (one === undefined || group.desiredCapacity - one.weight < group.minSize) return;
    resize(group, ledger, group.desiredCapacity - one.weight);
    Object.assign(one, { state: 'Standby', serving: false });
  },
  'back in service'({ group, ledger, value }: Interfering) {
    const one = pick(
      group.members.filter(({ state, alive }) => state === 'Standby' && alive),
      value,
    );
    if (one === undefined || group.desiredCapacity + one.weight > group.maxSize) return;
    resize(group, ledger, group.desiredCapacity + one.weight);
    one.state = 'Pending';
  },
  death(interfering: Interfering) {
    die(interfering, interfering.group.members);
  },
  'death of ours'(interfering: Interfering) {
    die(
      interfering,
      interfering.group.machines.filter(({ mark }) => mark !== undefined),
    );
  },
  'suspend a process'({ group, ledger, value }: Interfering) {
    const name = processNamed(value);
    // What we have suspended he can't suspend, nor tell that he meant to.
    if (group.changes.suspended.includes(name)) return;
    ledger.suspended.add(name);
    group.suspended.add(name);
  },
  'resume a process'({ group, ledger, value }: Interfering) {
    const name = processNamed(value);
    ledger.suspended.delete(name);
    group.suspended.delete(name);
  },
  exclude({ group, value }: Interfering) {
    const one = pick(group.machines, value);
    if (one) one.excluded = true;
  },
  include({ group }: Interfering) {
    for (const machine of group.machines) machine.excluded = false;
  },
  deploy({ group, value }: Interfering) {
    group.deploying = Math.abs(value);
  },
  /** The tasks on an instance can't move for a while. */
  stick({ group, value }: Interfering) {
    const one = pick(
      group.machines.filter(({ ecs, tasks, launchedAt }) => ecs !== null && tasks > 0 && launchedAt < NOW),
      value,
    );
    if (one) one.stuck = 20 * Math.abs(value);
  },
  /** An alarm that the settings name. */
  ring({ group, value }: Interfering) {
    group.ringing = 5 * Math.abs(value);
  },
  'switch settings'({ group, switches, value }: Interfering) {
    group.overrides = switches[Math.abs(value) % switches.length] ?? {};
  },
};

function resize(group: SimulatedGroup, ledger: Ledger, desiredCapacity: number): void {
  ledger.isUnsure ||= group.changes.addedSizes.change !== undefined;
  ledger.sizes.desiredCapacity += desiredCapacity - group.desiredCapacity;
  group.desiredCapacity = desiredCapacity;
}

/** Its owner lets the group replace it. */
function die({ group, ledger, value }: Interfering, machines: readonly Machine[]): void {
  const alive = machines.filter(({ alive }) => alive);
  const one = pick(alive, value);
  if (one === undefined) return;
  end(one);
  ledger.suspended.delete('ReplaceUnhealthy');
  if (!group.changes.suspended.includes('ReplaceUnhealthy')) group.suspended.delete('ReplaceUnhealthy');
}
