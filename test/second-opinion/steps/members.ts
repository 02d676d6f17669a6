import {
  AttachInstancesCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
  DescribeScalingActivitiesCommand,
  DetachInstancesCommand,
  EnterStandbyCommand,
  ExitStandbyCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { type Account, NAMES } from '../account.ts';
import { type Step, step, UNKNOWN_INSTANCE } from './step.ts';

const { mixedGroup: group } = NAMES;

type Id = (at: Account) => string | Promise<string>;

/** Those of the mixed group come last. */
const first: Id = ({ instances }) => instances[NAMES.members + 1] ?? '';
const second: Id = ({ instances }) => instances[NAMES.members + 2] ?? '';
const unknown: Id = () => UNKNOWN_INSTANCE;
/** The only member that there is by then. */
const left: Id = async (at) => {
  const { AutoScalingGroups = [] } = await describe(at);
  return AutoScalingGroups[0]?.Instances?.[0]?.InstanceId ?? '';
};

const describe = (at: Account) =>
  at.autoScaling.send(new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [group] }));
const details = (id: Id) => async (at: Account) =>
  at.autoScaling.send(new DescribeAutoScalingInstancesCommand({ InstanceIds: [await id(at)] }));
const leave = async (at: Account, id: Id, ShouldDecrementDesiredCapacity: boolean) => ({
  AutoScalingGroupName: group,
  InstanceIds: [await id(at)],
  ShouldDecrementDesiredCapacity,
});
const enter = (id: Id, decrements: boolean) => async (at: Account) =>
  at.autoScaling.send(new EnterStandbyCommand(await leave(at, id, decrements)));
const exit = (id: Id) => async (at: Account) =>
  at.autoScaling.send(new ExitStandbyCommand({ AutoScalingGroupName: group, InstanceIds: [await id(at)] }));
const detach = (id: Id, decrements: boolean) => async (at: Account) =>
  at.autoScaling.send(new DetachInstancesCommand(await leave(at, id, decrements)));
const attach = (id: Id) => async (at: Account) =>
  at.autoScaling.send(
    new AttachInstancesCommand({ AutoScalingGroupName: group, InstanceIds: [await id(at)] }),
  );
const terminate = (id: Id, ShouldDecrementDesiredCapacity: boolean) => async (at: Account) =>
  at.autoScaling.send(
    new TerminateInstanceInAutoScalingGroupCommand({
      InstanceId: await id(at),
      ShouldDecrementDesiredCapacity,
    }),
  );
const setMinimum = (MinSize: number) => (at: Account) =>
  at.autoScaling.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: group, MinSize }));

/**
 * Where another stands in for a member that is back, zones are uneven, which AWS evens out and moto doesn't.
 */
const suspendRebalancing = ({ autoScaling }: Account) =>
  autoScaling.send(
    new SuspendProcessesCommand({ AutoScalingGroupName: group, ScalingProcesses: ['AZRebalance'] }),
  );

export const MEMBER_STEPS: readonly Step[] = [
  step('suspend rebalancing, of which moto knows nothing', suspendRebalancing),
  step('describe a member', details(first)),
  step('describe what is no member anywhere', details(unknown)),
  step('put a member into Standby', enter(first, true)),
  step('describe the group with a member in Standby', describe),
  step('describe a member in Standby', details(first)),
  step('take it out of Standby', exit(first)),
  step('describe the group with the member back', describe),
  step('put a member into Standby, which is replaced', enter(first, false)),
  step('describe the group with another in its place', describe),
  step('take it out of Standby again, beside the other', exit(first)),
  step('describe the group that is larger', describe),
  step('detach a member, which is not replaced', detach(second, true)),
  step('attach it again', attach(second)),
  step('describe the group with it', describe),
  step('detach it once more, which is not replaced', detach(second, true)),
  step('terminate a member, which is replaced', terminate(first, false)),
  step('describe the group with a replacement', describe),
  step('describe the scaling activities of an unknown group', ({ autoScaling }) =>
    autoScaling.send(new DescribeScalingActivitiesCommand({ AutoScalingGroupName: 'unknown' })),
  ),
];

/** At the end, for moto refuses next to nothing. */
export const MEMBER_REFUSAL_STEPS: readonly Step[] = [
  step('put what is no member into Standby', enter(unknown, true)),
  step('take out of Standby what is no member', exit(unknown)),
  step('take out of Standby what is in service', exit(left)),
  step('terminate what is no member', terminate(unknown, false)),
  step('terminate it in its group once more', terminate(first, false)),
  step('set a minimum', setMinimum(5)),
  step('detach below the minimum', detach(left, true)),
  step('attach an unknown instance', attach(unknown)),
  step('attach what is a member already', attach(left)),
  step('put into Standby below the minimum', enter(left, true)),
  step('terminate a member below the minimum', terminate(left, true)),
];
