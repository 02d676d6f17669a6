import type { Step } from '../smoke.ts';
import { capacityProviderStep } from './capacity-provider.ts';
import { clusterStep } from './cluster.ts';
import { groupStep } from './group.ts';
import { launchTemplateStep } from './launch-template.ts';
import { serviceStep } from './service.ts';
import { snapshotStep } from './snapshot.ts';
import { stackStep } from './stack.ts';

/** In the order in which they are made; they are removed the other way round. */
export const STEPS: readonly Step[] = [
  stackStep,
  snapshotStep,
  launchTemplateStep,
  clusterStep,
  groupStep,
  capacityProviderStep,
  serviceStep,
];
