import { AwsError } from '../../account/operation.ts';
import type { State } from '../state.ts';

/** A volume that was created separately; an instance's volumes follow from what it was launched from. */
export interface Volume {
  readonly id: string;
  readonly sizeGib: number;
  readonly availabilityZone: string;
  readonly snapshotId: string | undefined;
  readonly createdAtMs: number;
  readonly tags: Map<string, string>;
  state: 'creating' | 'available';
}

export interface Snapshot {
  readonly id: string;
  readonly volumeId: string;
  readonly sizeGib: number;
  readonly description: string | undefined;
  readonly createdAtMs: number;
  readonly tags: Map<string, string>;
  state: 'pending' | 'completed';
}

/** By their ids. */
export interface Storage {
  readonly volumes: Map<string, Volume>;
  readonly snapshots: Map<string, Snapshot>;
  /** Ids of those that were deleted. */
  readonly deleted: Set<string>;
}

export const createStorage = (): Storage => ({
  volumes: new Map(),
  snapshots: new Map(),
  deleted: new Set(),
});

export function findVolume({ storage }: State, id: string | undefined): Volume {
  const volume = storage.volumes.get(id ?? '');
  // ledger: volume-unknown
  if (!volume) throw new AwsError('InvalidVolume.NotFound', `The volume '${id}' does not exist.`);
  return volume;
}

export function findSnapshot({ storage }: State, id: string | undefined): Snapshot {
  const snapshot = storage.snapshots.get(id ?? '');
  // ledger: snapshot-unknown
  if (!snapshot) throw new AwsError('InvalidSnapshot.NotFound', `The snapshot '${id}' does not exist.`);
  return snapshot;
}

interface TagSpecification {
  readonly ResourceType?: string | undefined;
  readonly Tags?:
    | readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[]
    | undefined;
}

/** Those that a request gives to what it makes. */
export function requestedTags(
  specifications: readonly TagSpecification[] | undefined,
  resourceType: string,
): Map<string, string> {
  const own = (specifications ?? []).filter(({ ResourceType: type }) => type === resourceType);
  const tags = own.flatMap(({ Tags = [] }) => Tags);
  return new Map(tags.map(({ Key: key = '', Value: value = '' }) => [key, value]));
}

export const describeTags = (tags: ReadonlyMap<string, string>) =>
  [...tags].map(([Key, Value]) => ({ Key, Value }));
