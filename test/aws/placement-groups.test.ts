import { DescribeInstancesCommand, DescribePlacementGroupsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeSpreadRoom } from '../../lambda/aws/placement-groups.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(EC2Client);
const aws = createAws({ region: 'eu-west-1' });

const inZone = (AvailabilityZone: string) => ({ Placement: { AvailabilityZone, GroupName: 'apart' } });
const ZONES = ['a', 'b'];

test('a spread placement group takes seven a zone, those on other pages counted', async () => {
  api.on(DescribePlacementGroupsCommand).resolves({ PlacementGroups: [{ Strategy: 'spread' }] });
  api
    .on(DescribeInstancesCommand)
    .resolvesOnce({ Reservations: [{ Instances: Array(8).fill(inZone('a')) }], NextToken: 'more' })
    .resolvesOnce({ Reservations: [{ Instances: [inZone('b'), inZone('c')] }] });
  expect(await describeSpreadRoom(aws, 'apart', ZONES)).toBe(6);
});

test.each([
  [[{ Strategy: 'cluster' }]],
  [[{ Strategy: 'partition' }]],
  [[{ Strategy: 'spread', SpreadLevel: 'host' }]],
  [[]],
] as const)('others have no such limit: %j', async (groups) => {
  api.on(DescribePlacementGroupsCommand).resolves({ PlacementGroups: [...groups] });
  expect(await describeSpreadRoom(aws, 'apart', ZONES)).toBeUndefined();
  expect(api.commandCalls(DescribeInstancesCommand)).toEqual([]);
});

test('nobody tells where they may not be described', async () => {
  api.on(DescribePlacementGroupsCommand).rejects(await refusal('ec2', 'UnauthorizedOperation'));
  expect(await describeSpreadRoom(aws, 'apart', ZONES)).toBeUndefined();
});

test('nobody tells while a zone is disrupted, as lists by filters fail then', async () => {
  api.on(DescribePlacementGroupsCommand).resolves({ PlacementGroups: [{ Strategy: 'spread' }] });
  api.on(DescribeInstancesCommand).rejects(await refusal('ec2', 'Unavailable'));
  expect(await describeSpreadRoom(aws, 'apart', ZONES)).toBeUndefined();
});
