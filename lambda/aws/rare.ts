/**
 * Calls that few invocations make. Loading an SDK client takes milliseconds of every cold start, so what
 * makes these calls is loaded before the first of them. The build cuts the bundle at each `import()`.
 */
export const rare = {
  alarms: once(() => import('./cloudwatch.ts')),
  changeCalendars: once(() => import('./ssm.ts')),
  classicLoadBalancers: once(() => import('./classic-load-balancing.ts')),
  events: once(() => import('./events.ts')),
  hooks: once(() => import('./hooks.ts')),
  instanceProfiles: once(() => import('./iam.ts')),
  sequenceTables: once(() => import('./sequence-table.ts')),
  parameters: once(() => import('./ssm.ts')),
  topics: once(() => import('./topics.ts')),
  targetGroups: once(() => import('./target-groups.ts')),
} as const;

/** Once loaded it is there with the next microtask, which the virtual time of tests relies on. */
export function once<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
