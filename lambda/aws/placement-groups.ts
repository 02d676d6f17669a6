import { DescribePlacementGroupsCommand, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import type { Aws } from './clients.ts';
import { PAGE, unlessDisrupted } from './ec2.ts';
import { tryRead } from './errors.ts';

/**
 * Of a spread placement group: "it supports a maximum of seven running instances in each Availability Zone".
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html
 */
const MOST_IN_ZONE = 7;

/**
 * How many more instances a placement group lets run in these zones together; undefined if it has no such
 * limit, or nobody tells: a list by filters fails while a zone is disrupted. Whoever shares it may run some
 * that don't show.
 */
export async function describeSpreadRoom(
  aws: Aws,
  name: string,
  zones: readonly string[],
): Promise<number | undefined> {
  const Filters = [{ Name: 'group-name', Values: [name] }];
  const read = await tryRead(aws.ec2.send(new DescribePlacementGroupsCommand({ Filters })));
  const [group] = (read.kind === 'read' && read.answer.PlacementGroups) || [];
  // Those of hosts are on Outposts, and have no such number.
  if (group?.Strategy !== 'spread' || group.SpreadLevel === 'host') return undefined;
  const counted = await unlessDisrupted(countByZone(aws, name));
  if ('error' in counted) return undefined;
  const roomIn = (zone: string) => Math.max(0, MOST_IN_ZONE - (counted.answer.get(zone) ?? 0));
  return zones.reduce((room, zone) => room + roomIn(zone), 0);
}

/** Those that hold a place in a placement group. */
async function countByZone({ ec2 }: Aws, name: string): Promise<ReadonlyMap<string, number>> {
  const input = {
    Filters: [
      { Name: 'placement-group-name', Values: [name] },
      { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'shutting-down'] },
    ],
  };
  const counts = new Map<string, number>();
  for await (const { Reservations = [] } of paginateDescribeInstances({ client: ec2, pageSize: PAGE }, input))
    for (const { Placement } of Reservations.flatMap(({ Instances = [] }) => Instances)) {
      const zone = Placement?.AvailabilityZone ?? '';
      counts.set(zone, (counts.get(zone) ?? 0) + 1);
    }
  return counts;
}
