import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { describeSubnets } from '../../lambda/aws/subnets.ts';
import { mocked } from './mocked.ts';

const api = mocked(EC2Client);
const aws = createAws({ region: 'eu-west-1' });

describe('the free addresses of subnets', () => {
  test('are read by subnet, from every page', async () => {
    api
      .on(DescribeSubnetsCommand)
      .resolvesOnce({
        Subnets: [{ SubnetId: 'subnet-1', AvailabilityZone: 'z', AvailableIpAddressCount: 3 }],
        NextToken: 'more',
      })
      .resolves({ Subnets: [{ SubnetId: 'subnet-2', AvailableIpAddressCount: 0 }] });
    expect(await describeSubnets(aws, ['subnet-1', 'subnet-2', 'subnet-gone'])).toEqual(
      new Map([
        ['subnet-1', { zone: 'z', free: 3 }],
        ['subnet-2', { zone: '', free: 0 }],
      ]),
    );
  });

  test('are unlimited in an IPv6-only subnet, which has none of IPv4', async () => {
    const Subnets = [{ SubnetId: 'subnet-6', AvailableIpAddressCount: 0, Ipv6Native: true }];
    api.on(DescribeSubnetsCommand).resolves({ Subnets });
    const free = await describeSubnets(aws, ['subnet-6']);
    expect(free.get('subnet-6')?.free).toBe(Number.POSITIVE_INFINITY);
  });

  test('are requested by filter, each subnet once, 200 at a time', async () => {
    api.on(DescribeSubnetsCommand).resolves({});
    const ids = Array.from({ length: 201 }, (_, index) => `subnet-${index}`);
    await describeSubnets(aws, [...ids, ...ids]);
    const filters = api.commandCalls(DescribeSubnetsCommand).map(({ args: [{ input }] }) => input.Filters);
    expect(filters).toEqual([
      [{ Name: 'subnet-id', Values: ids.slice(0, 200) }],
      [{ Name: 'subnet-id', Values: ['subnet-200'] }],
    ]);
  });
});
