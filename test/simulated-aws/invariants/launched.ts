import type { BlockDeviceMapping } from '@aws-sdk/client-ec2';
import { type Launch, launchesOf } from '../world/autoscaling/launch-sources.ts';
import type { Group, LaunchedFrom } from '../world/autoscaling/model.ts';
import type { Instance } from '../world/ec2/model.ts';
import type { Listener } from '../world/events.ts';
import type { State } from '../world/state.ts';
import { groupsInScope, isInScope, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';

/** What a replacement has in common with what it replaces. */
type Equipment = Pick<
  Launch,
  | 'instanceType'
  | 'userData'
  | 'instanceProfile'
  | 'securityGroups'
  | 'blockDeviceMappings'
  | 'tagSpecifications'
>;

/**
 * 5. What a group launches has type, volumes, user data, profile, security groups and tags as its owner has
 *    it launched: a launch spec that calls made differs in its image alone, and in the snapshots that belong
 *    to that.
 */
export function watchLaunched(watch: Watch, ledger: Ledger): Listener {
  const { state } = watch;
  const ofOwners = new Map<Group, Map<string, Equipment>>();

  const note = (group: Group) => {
    const known = ofOwners.get(group) ?? new Map<string, Equipment>();
    ofOwners.set(group, known);
    for (const launch of launchesOf(state, group.launchSpec)) {
      if (launch === undefined || isMadeByCall(state, launch.launchedFrom)) continue;
      known.set(describe(state, launch), launch);
    }
  };
  for (const group of groupsInScope(watch)) note(group);

  const check = (group: Group, { id }: Instance) => {
    const owners = [...(ofOwners.get(group)?.values() ?? [])];
    if (owners.length === 0) return;
    const missing = launchesOf(state, group.launchSpec).flatMap((launch) =>
      launch === undefined ? [] : differences(state, launch, owners),
    );
    ledger.expect(
      5,
      missing.length === 0,
      () => `${id} was launched without its owner's ${[...new Set(missing)].join(', ')}`,
    );
  };

  return (event) => {
    if (event.kind === 'template-written' && event.cause !== 'call')
      for (const group of groupsInScope(watch)) note(group);
    if (event.kind === 'group-written' && event.cause !== 'call') note(event.group);
    if (event.kind !== 'instance-launched') return;
    const { launchedBy: group } = event.instance;
    if (isInScope(watch, group)) check(group, event.instance);
  };
}

function isMadeByCall({ launchConfigurations }: State, from: LaunchedFrom): boolean {
  const made =
    from.kind === 'launch-template'
      ? from.template.versions.get(from.version)
      : launchConfigurations.get(from.name);
  return made?.madeBy === 'call';
}

/** Such as `volumes`; all of them, where each by itself is that of some launch of the owner's. */
function differences(state: State, launch: Equipment, owners: readonly Equipment[]): string[] {
  if (owners.some((owner) => describe(state, owner) === describe(state, launch))) return [];
  const found = Object.entries(ASPECTS).flatMap(([name, aspect]) =>
    owners.some((owner) => aspect(state, owner) === aspect(state, launch)) ? [] : [name],
  );
  return found.length > 0 ? found : Object.keys(ASPECTS);
}

const ASPECTS: Readonly<Record<string, (state: State, equipment: Equipment) => string>> = {
  'user data': (_, { userData = '' }) => userData,
  volumes: (state, { blockDeviceMappings }) => describeVolumes(state, blockDeviceMappings),
  'instance type': (_, { instanceType = '' }) => instanceType,
  'instance profile': (_, { instanceProfile = '' }) => instanceProfile,
  'security groups': (_, { securityGroups }) => [...securityGroups].sort().join(' '),
  tags: (_, { tagSpecifications }) => describeTags(tagSpecifications),
};

const describe = (state: State, equipment: Equipment) =>
  JSON.stringify(Object.values(ASPECTS).map((aspect) => aspect(state, equipment)));

/** In no order that counts. */
function describeTags(specifications: Equipment['tagSpecifications']): string {
  const told = specifications.flatMap(({ ResourceType: type, Tags = [] }) =>
    Tags.map(({ Key: key, Value: value = '' }) => JSON.stringify([type, key, value])),
  );
  return told.sort().join(' ');
}

/** A snapshot of an image's own is as good as none. */
function describeVolumes({ images }: State, mappings: readonly BlockDeviceMapping[]): string {
  const ofImages = new Set(
    [...images.values()].flatMap(({ rootSnapshotId, dataVolumes }) => [
      rootSnapshotId,
      ...dataVolumes.map(({ snapshotId }) => snapshotId),
    ]),
  );
  const told = mappings.map(({ Ebs: ebs, ...rest }) => {
    const { SnapshotId: snapshotId = '', ...volume } = ebs ?? {};
    const snapshot = ofImages.has(snapshotId) ? '' : snapshotId;
    return JSON.stringify(Object.entries({ ...rest, ...volume, snapshot }).sort());
  });
  return told.sort().join(' ');
}
