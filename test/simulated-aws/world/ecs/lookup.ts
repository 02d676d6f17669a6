import { AwsError } from '../../account/operation.ts';
import type { State } from '../state.ts';
import type { Cluster, Service, Task } from './model.ts';

export const PAGE_CODES = {
  tokenCode: 'InvalidParameterException',
  limitCode: 'InvalidParameterException',
};

export function invalidParameter(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}

/** Clusters, services and the like go by name or by ARN. */
export function nameOf(nameOrArn: string): string {
  return nameOrArn.split('/').at(-1) ?? nameOrArn;
}

export function findCluster(state: State, nameOrArn: string | undefined): Cluster {
  const cluster = state.clusters.get(nameOf(nameOrArn ?? 'default'));
  // ledger: list-hosts-cluster-unknown
  if (cluster?.status !== 'ACTIVE') throw new AwsError('ClusterNotFoundException', 'Cluster not found.');
  return cluster;
}

export function findService(cluster: Cluster, nameOrArn: string): Service {
  const service = cluster.services.get(nameOf(nameOrArn));
  // ledger: list-tasks-service-unknown
  if (!service) throw new AwsError('ServiceNotFoundException', 'Service not found.');
  return service;
}

/** By ARN, or by a name that only one cluster has a service of. */
export function findServiceAnywhere(state: State, nameOrArn: string): Service {
  const all = [...state.clusters.values()].flatMap(({ services }) => [...services.values()]);
  const [found, ...others] = all.filter(({ arn, name }) => arn === nameOrArn || name === nameOrArn);
  if (!found) throw new Error(`No service ${nameOrArn}`);
  if (others.length > 0) throw new Error(`${nameOrArn} is the name of several services`);
  return found;
}

export function findTask(state: State, arn: string): Task {
  for (const { tasks } of state.clusters.values()) {
    const found = tasks.get(arn);
    if (found) return found;
  }
  throw new Error(`No task ${arn}`);
}

/** By id or ARN, in a map that goes by ARN. */
export function findByArn<Item>(items: ReadonlyMap<string, Item>, idOrArn: string): Item | undefined {
  const byArn = items.get(idOrArn);
  if (byArn || idOrArn.startsWith('arn:')) return byArn;
  for (const [arn, item] of items) if (nameOf(arn) === idOrArn) return item;
  return undefined;
}

/** What was found, and `MISSING` for what was not: Describe calls of ECS fail for none. */
export function foundOrMissing<Item>(
  names: readonly string[],
  find: (name: string) => Item | undefined,
  arnOf: (name: string) => string,
) {
  const found = names.flatMap((name) => find(name) ?? []);
  const failures = names
    .filter((name) => !find(name))
    .map((name) => ({ arn: name.startsWith('arn:') ? name : arnOf(name), reason: 'MISSING' }));
  return { found, failures };
}
