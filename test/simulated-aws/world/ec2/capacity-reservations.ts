import {
  DescribeCapacityReservationsCommand,
  type CapacityReservation as Described,
} from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';

/** Reserved for instances of a type in a zone that name it. */
export interface CapacityReservation {
  readonly id: string;
  readonly instanceType: string;
  readonly availabilityZone: string;
  total: number;
  state: 'active' | 'expired' | 'cancelled';
}

export function addCapacityReservation(
  state: State,
  { instanceType = 'm5.large', zone = 'a', total }: { instanceType?: string; zone?: string; total: number },
): CapacityReservation {
  const availabilityZone = `${state.region}${zone}`;
  const reservation: CapacityReservation = {
    id: state.ids.next('cr-'),
    instanceType,
    availabilityZone,
    total,
    state: 'active',
  };
  state.capacityReservations.set(reservation.id, reservation);
  return reservation;
}

/**
 * "Terminating instances go through a lengthy clean up process before they're fully terminated. During this
 * time, they can't be reused."
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html
 */
function freeIn(state: State, { id, total }: CapacityReservation): number {
  const running = [...state.instances.values()].filter(
    ({ capacityReservationId, state: now }) => capacityReservationId === id && now !== 'terminated',
  );
  return total - running.length;
}

/**
 * Why a launch can't have the reservation that it targets.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-launch.html
 */
export function reservationProblem(
  state: State,
  id: string,
  { instanceType, zone }: { readonly instanceType: string | undefined; readonly zone: string },
): string | undefined {
  const reservation = state.capacityReservations.get(id);
  const suits =
    reservation?.state === 'active' &&
    reservation.instanceType === instanceType &&
    reservation.availabilityZone === zone &&
    freeIn(state, reservation) > 0;
  if (suits) return undefined;
  return 'The requested reservation does not have sufficient compatible and available capacity for this request.';
}

export function capacityReservationOperation(state: State): Operation {
  const page = createPager<CapacityReservation>('DescribeCapacityReservations', {
    default: 1000,
    max: 1000,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return on(
    DescribeCapacityReservationsCommand,
    { CapacityReservationIds: 'all', MaxResults: 'all', NextToken: 'all' },
    ({ CapacityReservationIds: ids, MaxResults: limit, NextToken: token }) => {
      const all = ids?.length
        ? ids.map((id) => findReservation(state, id))
        : [...state.capacityReservations.values()];
      const found = page(all, { limit, token });
      return {
        CapacityReservations: found.items.map((one) => describe(state, one)),
        NextToken: found.token,
      };
    },
  );
}

function findReservation({ capacityReservations }: State, id: string): CapacityReservation {
  const found = capacityReservations.get(id);
  if (found) return found;
  // ledger: reservations-unknown
  throw new AwsError(
    'InvalidCapacityReservationId.NotFound',
    `The capacity reservation '${id}' does not exist.`,
  );
}

const describe = (state: State, reservation: CapacityReservation): Described => ({
  CapacityReservationId: reservation.id,
  InstanceType: reservation.instanceType,
  AvailabilityZone: reservation.availabilityZone,
  OwnerId: state.account,
  State: reservation.state,
  InstanceMatchCriteria: 'targeted',
  TotalInstanceCount: reservation.total,
  AvailableInstanceCount: freeIn(state, reservation),
});
