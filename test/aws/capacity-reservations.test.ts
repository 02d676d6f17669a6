import type { TargetCapacityType } from '@aws-sdk/client-auto-scaling';
import { DescribeCapacityReservationsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import {
  describeFreePlaces,
  reservedByGroup,
  reservedByTemplate,
} from '../../lambda/aws/capacity-reservations.ts';
import { createAws } from '../../lambda/aws/clients.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(EC2Client);
const aws = createAws({ region: 'eu-west-1' });

// https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CapacityReservationSpecification.html
test.each([
  [undefined, undefined],
  [{}, undefined],
  [{ CapacityReservationPreference: 'default' }, undefined],
  [{ CapacityReservationPreference: 'none' }, 'anywhere'],
  [{ CapacityReservationPreference: 'capacity-reservations-first' }, { orElsewhere: true }],
  [{ CapacityReservationPreference: 'capacity-reservations-only' }, {}],
  [
    {
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationIds: ['cr-1'] },
    },
    { id: 'cr-1' },
  ],
] as const)('a group with %j launches only into %j', (specification, reserved) => {
  const { CapacityReservationTarget: target } = { CapacityReservationTarget: undefined, ...specification };
  const ids = target && { CapacityReservationIds: [...target.CapacityReservationIds] };
  expect(reservedByGroup(specification && { ...specification, CapacityReservationTarget: ids })).toEqual(
    reserved,
  );
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/use-distribution-segments.html
test.each<[TargetCapacityType[], ReturnType<typeof reservedByGroup>]>([
  [['on-demand'], 'anywhere'],
  [['capacity-block', 'interruptible-capacity-reservation'], { id: 'cr-1' }],
  [['on-demand-capacity-reservation', 'on-demand'], { id: 'cr-1', orElsewhere: true }],
])('a group with a segment of %j launches into %j, whatever its template says', (types, reserved) => {
  const CapacityReservationTarget = { CapacityReservationIds: ['cr-1'] };
  const specification = { CapacityReservationPreference: 'default', CapacityReservationTarget } as const;
  expect(reservedByGroup(specification, [{ TargetCapacityTypes: types }])).toEqual(reserved);
});

// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-launch.html
test.each([
  [undefined, undefined],
  [{ CapacityReservationPreference: 'open' }, undefined],
  [{ CapacityReservationTarget: { CapacityReservationId: 'cr-1' } }, { id: 'cr-1' }],
  [{ CapacityReservationTarget: { CapacityReservationResourceGroupArn: 'arn:group' } }, undefined],
  [
    {
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationResourceGroupArn: 'arn:group' },
    },
    {},
  ],
] as const)('a template with %j launches only into %j', (specification, reserved) => {
  expect(reservedByTemplate(specification)).toEqual(reserved);
});

test.each(['expired', 'cancelled', 'pending', 'failed'] as const)(
  'a reservation that is %s has no places, whatever it counts',
  async (State) => {
    const CapacityReservations = [{ State, AvailableInstanceCount: 3 }];
    api.on(DescribeCapacityReservationsCommand).resolves({ CapacityReservations });
    expect(await describeFreePlaces(aws, 'cr-1')).toBe(0);
  },
);

test('a reservation has as many places as EC2 says, or nobody tells', async () => {
  api
    .on(DescribeCapacityReservationsCommand)
    .resolvesOnce({ CapacityReservations: [{ State: 'active', AvailableInstanceCount: 3 }] })
    .rejects(await refusal('ec2', 'InvalidCapacityReservationId.NotFound'));
  expect(await describeFreePlaces(aws, 'cr-1')).toBe(3);
  expect(await describeFreePlaces(aws, 'cr-1')).toBeUndefined();
  const asked = api.calls().map(({ args: [{ input }] }) => input);
  expect(asked).toEqual([{ CapacityReservationIds: ['cr-1'] }, { CapacityReservationIds: ['cr-1'] }]);
});
