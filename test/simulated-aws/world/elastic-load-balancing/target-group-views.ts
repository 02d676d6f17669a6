import { serviceTargetGroups } from '../ecs/target-groups.ts';
import type { State } from '../state.ts';
import type { Target, TargetGroup } from './model.ts';

/**
 * A target group as it is described, whether an Auto Scaling group or an ECS service registers its targets.
 */
export interface TargetGroupView {
  readonly arn: string;
  readonly name: string;
  /** The port of targets that name none. */
  readonly port: number;
  readonly targetType: 'instance' | 'ip';
  /** Whether there is a load balancer that uses it. */
  readonly isInUse: boolean;
  readonly targets: readonly TargetView[];
}

export interface TargetView {
  /** Of an instance, or an address. */
  readonly id: string;
  readonly port: number;
  readonly state: Target['state'];
}

export const targetGroupViews = (state: State): TargetGroupView[] => [
  ...[...state.loadBalancing.targetGroups.values()].map(viewOf),
  ...serviceTargetGroups(state),
];

const viewOf = ({ arn, name, port, isInUse, targets }: TargetGroup): TargetGroupView => ({
  arn,
  name,
  port,
  targetType: 'instance',
  isInUse,
  targets: [...targets.values()].map((target) => ({
    id: target.instance.id,
    port: target.port,
    state: target.state,
  })),
});
