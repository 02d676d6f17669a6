import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  type DescribeInstancesCommandInput,
  type InstanceStateChange,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { notSimulated } from '../../account/aws-error.ts';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter } from '../filters.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { describeInstance, describeState, filteredInstances } from './instance-descriptions.ts';
import { findInstances, findInstancesToChange, terminateInstance } from './instances.ts';
import { type Instance, isAlive } from './model.ts';

const MAX_IDS = 1000;

export function instanceOperations(state: State): Operation[] {
  const page = createPager<Instance>('DescribeInstances', {
    default: 1000,
    min: 5,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });

  const filtered = filteredInstances(state);

  return [
    on(
      DescribeInstancesCommand,
      {
        InstanceIds: 'all',
        Filters: 'all',
        IncludeManagedResources: 'all',
        NextToken: 'all',
        MaxResults: 'all',
      },
      (input) => {
        // ledger: describe-ids-paged
        if (input.InstanceIds?.length && input.MaxResults !== undefined)
          throw new AwsError(
            'InvalidParameterCombination',
            'The parameter instancesSet cannot be used with the parameter maxResults',
          );
        assertZones(state, input.InstanceIds);
        const passes = ec2Filter(input.Filters, filtered);
        const instances = input.InstanceIds?.length
          ? findInstances(state, input.InstanceIds)
          : [...state.instances.values()].filter((each) => isShown(each, input));
        const { items, token } = page(instances.filter(passes), {
          limit: input.MaxResults,
          token: input.NextToken,
        });
        return {
          Reservations: items.map((instance) => ({
            ReservationId: instance.id.replace('i-', 'r-'),
            OwnerId: state.account,
            Instances: [describeInstance(state, instance)],
          })),
          NextToken: token,
        };
      },
    ),

    on(
      TerminateInstancesCommand,
      { InstanceIds: 'all', Force: [false], SkipOsShutdown: [false] },
      (input) => {
        const ids = input.InstanceIds ?? [];
        // ledger: terminate-ids
        assertAtMost(MAX_IDS, ids, 'InvalidParameterValue', 'Instance ids');
        const found = findInstancesToChange(state, ids);
        const kept = found.filter((instance) => protectionOf(instance) !== undefined && isAlive(instance));
        const zones = new Set(kept.map(({ availabilityZone }) => availabilityZone));
        const changes = found
          .filter(({ availabilityZone }) => !zones.has(availabilityZone))
          .map((instance): InstanceStateChange => {
            const PreviousState = describeState(instance);
            terminateInstance(state, instance, 'call');
            return { InstanceId: instance.id, PreviousState, CurrentState: describeState(instance) };
          });
        const [first] = kept;
        // ledger: terminate-protected-zone
        if (first) throw refuseTermination(first);
        return { TerminatingInstances: changes };
      },
    ),

    on(
      DescribeInstanceAttributeCommand,
      { InstanceId: 'all', Attribute: ['disableApiTermination', 'disableApiStop'] },
      ({ InstanceId: id = '', Attribute: attribute }) => {
        const [instance] = findInstances(state, [id]);
        if (attribute === 'disableApiTermination')
          return {
            InstanceId: id,
            DisableApiTermination: { Value: instance?.isTerminationProtected ?? false },
          };
        if (attribute === 'disableApiStop')
          return { InstanceId: id, DisableApiStop: { Value: instance?.isStopProtected ?? false } };
        throw notSimulated(`ec2.DescribeInstanceAttribute: Attribute ${attribute}`);
      },
    ),
  ];
}

/**
 * "By default, Amazon EC2 hides managed resources"; "Direct queries with known instance IDs return results
 * regardless". Row describe-managed-hidden.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/amazon-ec2-managed-instances.html
 */
const isShown = (
  { operator }: Instance,
  { IncludeManagedResources: all = false }: DescribeInstancesCommandInput,
) => all || operator === undefined;

/**
 * "in the rare case where an Availability Zone is experiencing a service disruption and you specify instance
 * IDs that are in the affected zone, or do not specify any instance IDs at all, the call fails". Row
 * describe-zone-disrupted; by what error isn't said.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html
 */
function assertZones({ disruptedZones, instances }: State, ids: readonly string[] = []) {
  const zones = ids.map((id) => instances.get(id)?.availabilityZone);
  const isAffected = (ids.length === 0 ? [...disruptedZones] : zones).some(
    (zone) => zone !== undefined && disruptedZones.has(zone),
  );
  // ledger: describe-zone-disrupted
  if (isAffected) throw new AwsError('InternalError', 'An internal error has occurred', 500);
}

/**
 * Those of other zones end all the same. Row terminate-protected-zone.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_TerminateInstances.html
 */
const refuseTermination = (instance: Instance) =>
  new AwsError(
    'OperationNotPermitted',
    `The instance '${instance.id}' may not be terminated. Modify its '${protectionOf(instance)}' instance attribute and try again.`,
  );

/**
 * "Stop protection also protects your instance from accidental termination":
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-stop-protection.html
 */
function protectionOf({ isTerminationProtected, isStopProtected }: Instance): string | undefined {
  if (isTerminationProtected) return 'disableApiTermination';
  return isStopProtected ? 'disableApiStop' : undefined;
}
