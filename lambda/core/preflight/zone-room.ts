import { surgeCount } from '../group/budget.ts';
import type { Assessment } from '../model/assessment.ts';
import type { RoomByZone } from '../model/preflight-facts.ts';

/** How many instances must be launched before old ones end; in place these go first, so none. */
export function launchedFirst({ group, settings, classified }: Assessment): number {
  return Math.min(surgeCount(settings.maxSurge, group.members.length), classified.drifted.length);
}

/** A zone without room for what may be launched there before old members end. */
export interface Shortage {
  readonly zone: string;
  readonly free: number;
  readonly instances: number;
}

/**
 * The first zone without room, of a group that launches only where its zones stay even: "Auto Scaling will
 * continue to attempt to launch instances in the Availability Zone". A batch may be of one zone, and even
 * zones may each be the next.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
 */
export function shortZone(assessment: Assessment, free: RoomByZone): Shortage | undefined {
  const most = launchedFirst(assessment);
  if (most === 0) return undefined;
  const { drifted } = assessment.classified;
  const found = [...free].map(([zone, room]) => {
    const going = drifted.filter(({ member }) => member.availabilityZone === zone).length;
    return { zone, free: room, instances: Math.max(1, Math.min(most, going)) };
  });
  return found.find(({ free: room, instances }) => instances > room);
}
