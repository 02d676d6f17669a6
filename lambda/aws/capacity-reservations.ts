import type { CapacityReservationSpecification, DistributionSegment } from '@aws-sdk/client-auto-scaling';
import {
  DescribeCapacityReservationsCommand,
  type LaunchTemplateCapacityReservationSpecificationResponse,
} from '@aws-sdk/client-ec2';
import type { Reserved } from '../core/model/launch.ts';
import type { Aws } from './clients.ts';
import { tryRead } from './errors.ts';

const ONLY = 'capacity-reservations-only';
const FIRST = 'capacity-reservations-first';
const ON_DEMAND = 'on-demand';

/**
 * Whether a group itself says that it launches into Capacity Reservations, or anywhere; undefined if its
 * launch template decides. Segments come before either.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/target-capacity-reservations.html,
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/use-distribution-segments.html
 */
export function reservedByGroup(
  specification: CapacityReservationSpecification | undefined,
  segments: readonly DistributionSegment[] = [],
): Reserved | 'anywhere' | undefined {
  const { CapacityReservationPreference: preference = 'default', CapacityReservationTarget: target } =
    specification ?? {};
  const [id] = target?.CapacityReservationIds ?? [];
  const types = segments.flatMap(({ TargetCapacityTypes = [] }) => TargetCapacityTypes);
  if (types.length > 0) return ofSegments(types, id);
  switch (preference) {
    case 'default':
      return undefined;
    case ONLY:
      return reserved(id);
    case FIRST:
      return { ...reserved(id), orElsewhere: true };
    default:
      return 'anywhere';
  }
}

/** In their order: On-Demand capacity, which isn't reserved, is the last. */
function ofSegments([first, ...others]: readonly string[], id: string | undefined): Reserved | 'anywhere' {
  if (first === ON_DEMAND) return 'anywhere';
  return { ...reserved(id), ...(others.includes(ON_DEMAND) && { orElsewhere: true }) };
}

/**
 * A target by its id is binding; a group of reservations only if the preference says so.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-launch.html
 */
export function reservedByTemplate(
  specification: LaunchTemplateCapacityReservationSpecificationResponse | undefined,
): Reserved | undefined {
  const { CapacityReservationPreference: preference, CapacityReservationTarget: target } =
    specification ?? {};
  const id = target?.CapacityReservationId || undefined;
  return preference === ONLY || id !== undefined ? reserved(id) : undefined;
}

const reserved = (id: string | undefined): Reserved => ({ ...(id !== undefined && { id }) });

/**
 * How many more instances a Capacity Reservation has room for, none unless it is active; undefined if that
 * can't be read.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservation.html
 */
export async function describeFreePlaces({ ec2 }: Aws, id: string): Promise<number | undefined> {
  const command = new DescribeCapacityReservationsCommand({ CapacityReservationIds: [id] });
  const read = await tryRead(ec2.send(command));
  if (read.kind === 'unread') return undefined;
  const [reservation] = read.answer.CapacityReservations ?? [];
  return reservation && reservation.State !== 'active' ? 0 : reservation?.AvailableInstanceCount;
}
