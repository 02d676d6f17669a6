import { SetInstanceHealthCommand } from '@aws-sdk/client-auto-scaling';
import { type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { validationError } from './groups.ts';
import { secondsOfGrace } from './health.ts';
import { isEnding } from './members.ts';
import type { Group, Member } from './model.ts';
import { touchGroup } from './touch.ts';

/**
 * A custom health check, which works while HealthCheck is suspended, and is the only way for an Unhealthy
 * member to become Healthy again:
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-health-checks.html
 */
export function healthOperation(state: State): Operation {
  return on(SetInstanceHealthCommand, 'all', (input) => {
    const { InstanceId: id = '', HealthStatus: status, ShouldRespectGracePeriod: respects = true } = input;
    if (status !== 'Healthy' && status !== 'Unhealthy')
      // ledger: set-health-values
      throw validationError(`HealthStatus is Healthy or Unhealthy, not ${status}.`);
    const { group, member } = find(state, id);
    // ledger: set-health-ending
    if (isEnding(member)) throw validationError(`The instance ${id} is in ${member.lifecycleState}.`);
    const isTooYoung = status === 'Unhealthy' && respects && secondsOfGrace(state, group, member) > 0;
    if (isTooYoung) return {};
    member.healthStatus = status;
    touchGroup(state, group);
    return {};
  });
}

function find(state: State, id: string): { readonly group: Group; readonly member: Member } {
  for (const group of state.groups.values()) {
    const member = group.members.get(id);
    if (member) return { group, member };
  }
  // ledger: set-health-stranger
  throw validationError(`Instance Id not found - No managed instance found for instance ID: ${id}`);
}
