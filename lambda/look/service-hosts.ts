import type { Aws } from '../aws/clients.ts';
import { describeRecentTaskHosts } from '../aws/task-hosts.ts';
import { isSteady } from '../core/group/steadiness.ts';
import type { Service } from '../core/model/cluster.ts';
import type { Group } from '../core/model/group.ts';
import type { Observation } from '../core/model/observation.ts';
import { isOver } from '../core/model/time.ts';
import type { Memory } from './memory.ts';

/** An answer stays good this long: a service on none of our instances isn't moved by our drains. */
const ANSWER_SECONDS = 60;

/** We ask about at most this many services in one look; the rest count as if they ran on our instances. */
const MOST_ASKED = 10;

/**
 * Adds to each unsteady service where its tasks run. Asks only if it may matter: the cluster has container
 * instances outside the rolled groups, and the service was not seen on a draining one.
 */
export async function withHosts(
  aws: Aws,
  services: readonly Service[],
  groups: readonly Group[],
  { cluster, containerInstances, now }: Observation,
  { servicesOn, taskHosts }: Memory,
): Promise<Service[]> {
  const ours = groups.map(({ instances }) => new Set(instances.map(({ instanceId }) => instanceId)));
  const isAlone = ours.every((ids) => containerInstances.every(({ instanceId }) => ids.has(instanceId)));
  if (isAlone) return [...services];
  const moved = new Set([...servicesOn.values()].flatMap((names) => [...names]));
  const doubtful = services.filter((service) => !isSteady(service) && !moved.has(service.name));
  const keyOf = ({ name }: Service) => `${cluster}/${name}`;
  const unasked = doubtful.filter((service) => {
    const known = taskHosts.get(keyOf(service));
    return known === undefined || isOver(known.asked, ANSWER_SECONDS, now);
  });
  for (const service of unasked) taskHosts.delete(keyOf(service));
  for (const service of unasked.slice(0, MOST_ASKED)) {
    const hosts = await describeRecentTaskHosts(aws, cluster, service.name);
    if (hosts !== undefined) taskHosts.set(keyOf(service), { hosts, asked: now });
  }
  return services.map((service) => {
    const known = doubtful.includes(service) ? taskHosts.get(keyOf(service)) : undefined;
    return known === undefined ? service : { ...service, hosts: known.hosts };
  });
}
