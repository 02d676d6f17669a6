import { DescribePoliciesCommand, type ScalingPolicy } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import { runsTasks } from '../ecs/managed-scaling.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { noteResize } from './capacity.ts';
import { groupWritten } from './groups.ts';
import type { Group } from './model.ts';

const MINUTE_SECONDS = 60;
/** Of target tracking's own alarm for scale-in. */
const LOW_MINUTES = 15;
const MAX_NAMES = 50;

/** A policy of the owner's, as it is described. */
export type PolicySettings = Omit<ScalingPolicy, 'AutoScalingGroupName' | 'PolicyARN'>;

/** Takes a member a minute out once some have had no tasks for long enough, as target tracking does. */
export function addScalingPolicy(state: State, group: Group, settings: PolicySettings) {
  group.scalingPolicies.push(settings);
  if (settings.Enabled === false || settings.TargetTrackingConfiguration?.DisableScaleIn === true) return;
  let lowMinutes = 0;
  const look = () => {
    if (state.groups.get(group.name) !== group) return;
    lowMinutes = loadOf(group) < 1 ? lowMinutes + 1 : 0;
    const isHeeded = !group.suspendedProcesses.has('AlarmNotification');
    if (lowMinutes >= LOW_MINUTES && isHeeded && group.desiredCapacity > group.minSize) {
      const { desiredCapacity: from } = group;
      group.desiredCapacity--;
      noteResize(state, group, from, 'a monitor alarm load in state ALARM triggered policy load');
      groupWritten(state, group, 'group');
    }
    state.clock.schedule(MINUTE_SECONDS, look);
  };
  state.clock.schedule(MINUTE_SECONDS, look);
}

function loadOf({ members }: Group): number {
  const serving = [...members.values()].filter(({ lifecycleState }) => lifecycleState === 'InService');
  const busy = serving.filter(({ instance: { containerInstance: host } }) => host && runsTasks(host));
  return serving.length === 0 ? 1 : busy.length / serving.length;
}

/** Those of ECS managed scaling aren't among them: the product knows these by their capacity provider. */
export function describePolicies(state: State): Operation {
  const page = createPager<ScalingPolicy>('DescribePolicies', {
    default: 50,
    max: 100,
    tokenCode: 'InvalidNextToken',
    limitCode: 'ValidationError',
  });
  return on(DescribePoliciesCommand, 'all', (input) => {
    const { AutoScalingGroupName: named, PolicyNames: names, PolicyTypes: types } = input;
    // ledger: describe-policies-names
    assertAtMost(MAX_NAMES, names ?? [], 'ValidationError', 'Policy names');
    const groups = [...state.groups.values()].filter(({ name }) => named === undefined || name === named);
    const found = groups
      .flatMap((group) => group.scalingPolicies.map((policy) => describe(group, policy)))
      .filter(({ PolicyName = '' }) => !names?.length || names.includes(PolicyName))
      .filter(({ PolicyType = 'SimpleScaling' }) => !types?.length || types.includes(PolicyType));
    const { items, token } = page(found, { limit: input.MaxRecords, token: input.NextToken });
    return { ScalingPolicies: [...items], NextToken: token };
  });
}

const describe = ({ name, arn }: Group, policy: PolicySettings): ScalingPolicy => ({
  ...policy,
  AutoScalingGroupName: name,
  PolicyARN: `${arn.replace(':autoScalingGroup:', ':scalingPolicy:')}:policyName/${policy.PolicyName}`,
});
