import type { CapacityReservationSpecification } from '@aws-sdk/client-auto-scaling';
import {
  DescribeCapacityReservationsCommand,
  type LaunchTemplateCapacityReservationSpecificationResponse,
} from '@aws-sdk/client-ec2';
import type { Reserved } from '../core/model/launch.ts';
import type { Aws } from './clients.ts';
import { tryRead } from './errors.ts';

const ONLY = 'capacity-reservations-only';

/**
 * Whether a group itself says that it launches only into Capacity Reservations, or anywhere; undefined if its
 * launch template decides.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/target-capacity-reservations.html
 */
export function reservedByGroup(
  specification: CapacityReservationSpecification | undefined,
): Reserved | 'anywhere' | undefined {
  const { CapacityReservationPreference: preference = 'default', CapacityReservationTarget: target } =
    specification ?? {};
  if (preference === 'default') return undefined;
  return preference === ONLY ? reserved(target?.CapacityReservationIds?.[0]) : 'anywhere';
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
