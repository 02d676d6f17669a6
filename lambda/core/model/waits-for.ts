import type { Service, Task } from './cluster.ts';

/** What has to change before a wait can be over. As long as none of it has, no whole look is needed. */
export interface WaitsFor {
  /** Tasks on draining instances, as they were seen last. */
  readonly tasks: readonly Task[];
  readonly services: readonly Service[];
  /** So many more container instances of the cluster. */
  readonly registrations: number;
  /** What Auto Scaling says of the group. */
  readonly group: boolean;
}
