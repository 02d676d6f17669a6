import { AwsError, type Operation } from '../../account/operation.ts';
import { nameOf } from '../../wire/schema.ts';
import type { State } from '../state.ts';

/** What a call may name a group by. */
interface Naming {
  readonly AutoScalingGroupName?: string;
  readonly InstanceId?: string;
  readonly Tags?: readonly { readonly ResourceId?: string }[];
}

/**
 * "All mutating API calls from non-operator callers are rejected with an `AccessDenied` exception."
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CreateAutoScalingGroup.html
 */
export function byOperatorAlone(state: State, operation: Operation): Operation {
  if (nameOf(operation.schema).startsWith('Describe')) return operation;
  return {
    ...operation,
    handle(input) {
      const { AutoScalingGroupName: name, InstanceId: id = '', Tags = [] }: Naming = input;
      const named = new Set([name, ...Tags.map(({ ResourceId }) => ResourceId)]);
      const managed = [...state.groups.values()].find(
        (group) => group.operator !== undefined && (named.has(group.name) || group.members.has(id)),
      );
      if (managed === undefined) return operation.handle(input);
      // ledger: update-operator-alone, update-operator-error
      throw new AwsError('AccessDenied', `${managed.name} is managed by ${managed.operator}`, 403);
    },
  };
}
