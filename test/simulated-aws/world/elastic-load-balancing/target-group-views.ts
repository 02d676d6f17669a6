import { serviceTargetGroups } from '../ecs/target-groups.ts';
import type { State } from '../state.ts';
import type { BalancerKind, CrossZone, Target, TargetGroup } from './model.ts';

/**
 * A target group as it is described, whether an Auto Scaling group or an ECS service registers its targets.
 */
export interface TargetGroupView {
  readonly arn: string;
  readonly name: string;
  /** The port of targets that name none. */
  readonly port: number;
  readonly targetType: 'instance' | 'ip';
  /** Default: an Application Load Balancer, which balances across zones. */
  readonly balancer?: BalancerKind;
  readonly balancesAcross?: boolean;
  /** A Gateway Load Balancer's has none. */
  readonly crossZone?: CrossZone | undefined;
  readonly leastHealthyPercent?: number | undefined;
  /** Whether there is a load balancer that uses it. */
  readonly isInUse: boolean;
  /** Whether the health of its targets can be told. Default: yes. */
  readonly isKnown?: boolean;
  readonly targets: readonly TargetView[];
}

export interface TargetView {
  /** Of an instance, or an address. */
  readonly id: string;
  readonly port: number;
  readonly state: Target['state'];
  /** The load balancer isn't enabled in its zone. */
  readonly zoneDisabled?: boolean;
  /** Absent if it runs on no instance. */
  readonly zone?: string;
}

export const targetGroupViews = (state: State): TargetGroupView[] => [
  ...[...state.loadBalancing.targetGroups.values()].map(viewOf),
  ...serviceTargetGroups(state),
];

const viewOf = ({ targets, disabledZones, ...fields }: TargetGroup): TargetGroupView => ({
  ...fields,
  targetType: 'instance',
  targets: [...targets.values()].map((target) => ({
    id: target.instance.id,
    port: target.port,
    state: target.state,
    zone: target.instance.availabilityZone,
    zoneDisabled: disabledZones.has(target.instance.availabilityZone),
  })),
});
