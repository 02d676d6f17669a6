import type { Operation } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { capacityReservationOperation } from './capacity-reservations.ts';
import { dryRunnable } from './dry-run.ts';
import { imageMetadataOperation } from './image-metadata-operation.ts';
import { imageOperations } from './image-operations.ts';
import { instanceOperations } from './instance-operations.ts';
import { instanceTypeOperations } from './instance-types.ts';
import { launchTemplateOperations } from './launch-template-operations.ts';
import { placementGroupOperation } from './placement-groups.ts';
import { snapshotOperations } from './snapshot-operations.ts';
import { subnetOperations } from './subnet-operations.ts';
import { tagOperations } from './tag-operations.ts';
import { volumeOperations } from './volume-operations.ts';

export const ec2Operations = (state: State): Operation[] =>
  [
    ...imageOperations(state),
    imageMetadataOperation(state),
    capacityReservationOperation(state),
    placementGroupOperation(state),
    ...instanceOperations(state),
    ...tagOperations(state),
    ...instanceTypeOperations(),
    ...launchTemplateOperations(state),
    ...subnetOperations(state),
    ...volumeOperations(state),
    ...snapshotOperations(state),
  ].map(dryRunnable);
