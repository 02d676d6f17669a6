import {
  DescribeInstanceHealthCommand,
  DescribeLoadBalancersCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  type TargetDescription,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { type Account, NAMES } from '../account.ts';
import { type Step, step, UNKNOWN_INSTANCE } from './step.ts';

const targets = (Targets?: (at: Account) => TargetDescription[]) => (at: Account) =>
  at.elbV2.send(
    new DescribeTargetHealthCommand({
      TargetGroupArn: at.targetGroup,
      ...(Targets && { Targets: Targets(at) }),
    }),
  );
const health =
  (LoadBalancerName: string, ...ids: readonly string[]) =>
  (at: Account) =>
    at.elb.send(
      new DescribeInstanceHealthCommand({
        LoadBalancerName,
        ...(ids.length > 0 && { Instances: ids.map((InstanceId) => ({ InstanceId })) }),
      }),
    );
const member = ({ instances }: Account) => ({ Id: instances[NAMES.members + 1] ?? '' });
const noMember = ({ instances }: Account) => ({ Id: instances[0] ?? '' });

export const LOAD_BALANCING_STEPS: readonly Step[] = [
  step('describe the health of all targets', targets()),
  step(
    'describe the health of one target',
    targets((at) => [member(at)]),
  ),
  step(
    'describe the health of what is no target',
    targets((at) => [noMember(at)]),
  ),
  step(
    'describe the health of a target on another port',
    targets((at) => [{ ...member(at), Port: 81 }]),
  ),
  step('describe the health of an unknown target group', ({ elbV2, targetGroup }) =>
    elbV2.send(
      new DescribeTargetHealthCommand({ TargetGroupArn: targetGroup.replace(/\w+$/, '0123456789abcdef') }),
    ),
  ),
  step('describe a target group', ({ elbV2, targetGroup }) =>
    elbV2.send(new DescribeTargetGroupsCommand({ TargetGroupArns: [targetGroup] })),
  ),
  step('describe a target group by its name', ({ elbV2 }) =>
    elbV2.send(new DescribeTargetGroupsCommand({ Names: [NAMES.targetGroup] })),
  ),
  step('describe an unknown target group by its name', ({ elbV2 }) =>
    elbV2.send(new DescribeTargetGroupsCommand({ Names: ['unknown'] })),
  ),
  step('describe the health of the instances of a load balancer', health(NAMES.loadBalancer)),
  step('describe the health of one instance', (at) => health(NAMES.loadBalancer, member(at).Id)(at)),
  step('describe the health of an instance of no load balancer', (at) =>
    health(NAMES.loadBalancer, noMember(at).Id)(at),
  ),
  step('describe the health of an unknown instance', health(NAMES.loadBalancer, UNKNOWN_INSTANCE)),
  step('describe the health of the instances of an unknown load balancer', health('unknown')),
  step('describe a load balancer', ({ elb }) =>
    elb.send(new DescribeLoadBalancersCommand({ LoadBalancerNames: [NAMES.loadBalancer] })),
  ),
  step('describe an unknown load balancer', ({ elb }) =>
    elb.send(new DescribeLoadBalancersCommand({ LoadBalancerNames: ['unknown'] })),
  ),
];

/** After members have come and gone. */
export const TRAFFIC_STEPS: readonly Step[] = [
  step('describe the health of the targets that are left', targets()),
  step('describe the health of the instances that are left', health(NAMES.loadBalancer)),
];
