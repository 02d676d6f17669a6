import { AwsError } from '../../account/operation.ts';
import { agentConfiguration } from '../ecs/agent-configuration.ts';
import type { Cause } from '../events.ts';
import type { State } from '../state.ts';
import { type Instance, isAlive } from './model.ts';
import { DEFAULT_SECURITY_GROUP_ID } from './security-groups.ts';
import { subnetIn } from './subnets.ts';

type LaunchRequest = Pick<
  Instance,
  'imageId' | 'instanceType' | 'availabilityZone' | 'launchedBy' | 'launchedFrom' | 'blockDeviceMappings'
> &
  Partial<
    Pick<
      Instance,
      | 'operator'
      | 'isSpot'
      | 'userData'
      | 'instanceProfile'
      | 'securityGroups'
      | 'isTerminationProtected'
      | 'isStopProtected'
      | 'capacityReservationId'
      | 'networkInterfaceId'
      | 'placementGroup'
    >
  > & {
    readonly tags: Iterable<readonly [string, string]>;
  };

export function launchInstance(state: State, request: LaunchRequest): Instance {
  const { tags, ...rest } = request;
  const instance: Instance = {
    operator: undefined,
    isSpot: false,
    userData: undefined,
    instanceProfile: undefined,
    securityGroups: [DEFAULT_SECURITY_GROUP_ID],
    isTerminationProtected: false,
    isStopProtected: false,
    ...rest,
    agent: agentConfiguration(request.userData, state.images.get(request.imageId)?.family),
    id: state.ids.next('i-'),
    launchedAtMs: state.clock.now(),
    tags: new Map(tags),
    state: 'pending',
    isUnknownToChanges: false,
    containerInstance: undefined,
    privateIpAddress: freeAddress(state, rest.availabilityZone),
    addresses: 0,
    registrations: [],
  };
  state.instances.set(instance.id, instance);
  attachInterface(state, instance);
  state.emit({ kind: 'instance-launched', instance });
  return instance;
}

/** Its first, at launch, or the trunk interface of its tasks. */
export function attachInterface(state: State, instance: Instance) {
  instance.addresses++;
  subnetIn(state, instance.availabilityZone).freeAddresses--;
}

/** The lowest of its subnet that no instance has. */
function freeAddress(state: State, zone: string): string | undefined {
  const { isIpv6Native, addressPrefix } = subnetIn(state, zone);
  if (isIpv6Native) return undefined;
  const taken = new Set<string | undefined>();
  for (const { privateIpAddress, state: now } of state.instances.values())
    if (now !== 'terminated') taken.add(privateIpAddress);
  for (let host = FIRST_HOST; ; host++) if (!taken.has(addressPrefix + host)) return addressPrefix + host;
}

/**
 * AWS keeps the first four addresses of a subnet:
 * https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html
 */
const FIRST_HOST = 4;

export function bootLater(state: State, instance: Instance) {
  state.after('bootSeconds', () => {
    if (instance.state === 'pending') boot(state, instance);
  });
}

export function boot(state: State, instance: Instance) {
  instance.state = 'running';
  state.emit({ kind: 'instance-running', instance });
}

/** Ends an instance, whatever runs on it; one that is already ending stays as it is. */
export function terminateInstance(state: State, instance: Instance, cause: Cause) {
  if (!isAlive(instance)) return;
  instance.state = 'shutting-down';
  state.emit({ kind: 'instance-terminating', instance, cause });
  state.after('shutdownSeconds', () => {
    instance.state = 'terminated';
    subnetIn(state, instance.availabilityZone).freeAddresses += instance.addresses;
    state.emit({ kind: 'instance-terminated', instance });
    state.after('goneButVisibleSeconds', () => {
      state.instances.delete(instance.id);
    });
  });
}

/**
 * As `findInstances`, for a change, which may not find what lists show: rows terminate-not-found,
 * delete-tags-unknown-id.
 */
export function findInstancesToChange(state: State, ids: readonly string[]): Instance[] {
  const found = findInstances(state, ids);
  const unknown = found.find(({ isUnknownToChanges }) => isUnknownToChanges);
  // ledger: terminate-not-found, delete-tags-unknown-id
  if (unknown) throw notFound(unknown.id);
  return found;
}

/** All or none: one unknown id fails the whole call. Row terminate-all-or-none. */
export function findInstances(state: State, ids: readonly string[]): Instance[] {
  return ids.map((id) => {
    // ledger: instance-id-malformed
    if (!/^i-[0-9a-f]{8,17}$/.test(id))
      throw new AwsError('InvalidInstanceID.Malformed', `Invalid id: "${id}"`);
    const instance = state.instances.get(id);
    // ledger: terminate-all-or-none, describe-unknown-id
    // ledger: image-metadata-unknown-instance, delete-tags-unknown-id
    if (!instance) throw notFound(id);
    return instance;
  });
}

const notFound = (id: string) =>
  new AwsError('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);
