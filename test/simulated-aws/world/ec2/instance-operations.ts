import {
  CreateTagsCommand,
  DeleteTagsCommand,
  type Instance as Described,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  type InstanceStateChange,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../operation.ts';
import { ec2Filter, type FilterFields } from '../filters.ts';
import { assertAtMost, createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { terminateInstance } from './instances.ts';
import { type Instance, type InstanceState, isAlive } from './model.ts';
import { subnetIn } from './subnets.ts';

const STATE_CODES: Readonly<Record<InstanceState, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopped: 80,
};

/** Some of the filters need to know the image. */
const fieldsOf = (state: State): FilterFields<Instance> => ({
  architecture: (instance) => [architectureOf(state, instance)],
  'availability-zone': (instance) => [instance.availabilityZone],
  'image-id': (instance) => [instance.imageId],
  'instance-id': (instance) => [instance.id],
  'instance-state-code': (instance) => [`${STATE_CODES[instance.state]}`],
  'instance-state-name': (instance) => [instance.state],
  'instance-type': (instance) => [instance.instanceType],
  'operator.managed': ({ operator }) => [String(operator !== undefined)],
  'operator.principal': ({ operator }) => [operator],
});

const MAX_IDS = 1000;

export function instanceOperations(state: State): Operation[] {
  const page = createPager<Instance>('DescribeInstances', {
    default: 1000,
    min: 5,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });

  const fields = fieldsOf(state);

  return [
    on(DescribeInstancesCommand, (input) => {
      if (input.InstanceIds?.length && input.MaxResults !== undefined)
        throw new AwsError(
          'InvalidParameterCombination',
          'The parameter instancesSet cannot be used with the parameter maxResults',
        );
      const passes = ec2Filter(input.Filters, fields, ({ tags }) => tags);
      const instances = input.InstanceIds?.length
        ? find(state, input.InstanceIds)
        : [...state.instances.values()];
      const { items, token } = page(instances.filter(passes), {
        limit: input.MaxResults,
        token: input.NextToken,
      });
      return {
        Reservations: items.map((instance) => ({
          ReservationId: instance.id.replace('i-', 'r-'),
          OwnerId: state.account,
          Instances: [describe(state, instance)],
        })),
        NextToken: token,
      };
    }),

    on(CreateTagsCommand, (input) => {
      const tags = input.Tags ?? [];
      for (const { Key: key = '' } of tags) assertOwnKey(key);
      changeTags(state, input.Resources ?? [], (instance) => {
        for (const { Key: key = '', Value: value = '' } of tags) instance.tags.set(key, value);
      });
      return {};
    }),

    on(DeleteTagsCommand, (input) => {
      const tags = input.Tags ?? [];
      for (const { Key: key = '' } of tags) assertOwnKey(key);
      changeTags(state, input.Resources ?? [], (instance) => {
        // A tag named with a value is only deleted where it has that value.
        for (const { Key: key = '', Value: value } of tags)
          if (value === undefined || instance.tags.get(key) === value) instance.tags.delete(key);
      });
      return {};
    }),

    on(TerminateInstancesCommand, (input) => {
      const ids = input.InstanceIds ?? [];
      assertAtMost(MAX_IDS, ids, 'InvalidParameterValue', 'Instance ids');
      const found = find(state, ids);
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
      if (first) throw refuseTermination(first);
      return { TerminatingInstances: changes };
    }),

    on(DescribeInstanceAttributeCommand, ({ InstanceId: id = '', Attribute: attribute }) => {
      const [instance] = find(state, [id]);
      if (attribute === 'disableApiTermination')
        return {
          InstanceId: id,
          DisableApiTermination: { Value: instance?.isTerminationProtected ?? false },
        };
      if (attribute === 'disableApiStop')
        return { InstanceId: id, DisableApiStop: { Value: instance?.isStopProtected ?? false } };
      throw new AwsError('InvalidParameterValue', `The attribute ${attribute} is not simulated.`);
    }),
  ];
}

/** Those of other zones end all the same: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_TerminateInstances.html */
const refuseTermination = (instance: Instance) =>
  new AwsError(
    'OperationNotPermitted',
    `The instance '${instance.id}' may not be terminated. Modify its '${protectionOf(instance)}' instance attribute and try again.`,
  );

/** "Stop protection also protects your instance from accidental termination": https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-stop-protection.html */
function protectionOf({ isTerminationProtected, isStopProtected }: Instance): string | undefined {
  if (isTerminationProtected) return 'disableApiTermination';
  return isStopProtected ? 'disableApiStop' : undefined;
}

function changeTags(state: State, ids: readonly string[], change: (instance: Instance) => void) {
  assertAtMost(MAX_IDS, ids, 'InvalidParameterValue', 'Resource ids');
  for (const instance of find(state, ids)) {
    change(instance);
    state.emit({ kind: 'instance-tagged', instance });
  }
}

/** All or none: one unknown id fails the whole call. */
function find(state: State, ids: readonly string[]): Instance[] {
  return ids.map((id) => {
    if (!/^i-[0-9a-f]{8,17}$/.test(id))
      throw new AwsError('InvalidInstanceID.Malformed', `Invalid id: "${id}"`);
    const instance = state.instances.get(id);
    if (!instance) throw new AwsError('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);
    return instance;
  });
}

function assertOwnKey(key: string) {
  if (key.startsWith('aws:'))
    throw new AwsError(
      'InvalidParameterValue',
      `Tag keys starting with 'aws:' are reserved for internal use: ${key}`,
    );
}

const describeState = (instance: Instance) => ({ Code: STATE_CODES[instance.state], Name: instance.state });

const architectureOf = (state: State, { imageId }: Instance) => state.images.get(imageId)?.architecture;

function describe(state: State, instance: Instance): Described {
  const { operator } = instance;
  return {
    InstanceId: instance.id,
    ImageId: instance.imageId,
    InstanceType: instance.instanceType as Described['InstanceType'],
    LaunchTime: new Date(instance.launchedAtMs),
    Architecture: architectureOf(state, instance),
    Operator: operator === undefined ? { Managed: false } : { Managed: true, Principal: operator },
    State: describeState(instance),
    SubnetId: subnetIn(state, instance.availabilityZone).id,
    Placement: { AvailabilityZone: instance.availabilityZone },
    Tags: [...instance.tags].map(([Key, Value]) => ({ Key, Value })),
  };
}
