import { expect, test } from 'vitest';
import { scrub } from './scrub.ts';

const SECRETS = {
  account: '210987654321',
  instance: 'i-0123456789abcdef0',
  arn: 'arn:aws:iam::210987654321:user/jane.doe',
  address: '10.11.12.13',
  name: 'jane',
  host: 'ip-10-11-12-13.eu-west-1.compute.internal',
  uuid: '6f1d2c3b-1111-4222-8333-abcdefabcdef',
  key: 'corp/production',
};

test('nothing of an account is left, wherever it occurs', () => {
  const { account, instance, arn, address, name, host, uuid, key } = SECRETS;
  const answer = {
    Owner: { OwnerId: account, Arn: arn },
    Instances: [
      { InstanceId: instance, PrivateIpAddress: address, PrivateDnsName: host, State: { Name: name } },
    ],
    Details: JSON.stringify({ account, instance }),
    StatusMessage: `${instance} of ${account} was ended by ${name}`,
    Status: `${name} ${uuid}`,
    Tags: [{ Key: key, Value: name }],
    Number: 210_987_654_321,
    At: new Date('2026-11-22T10:11:12Z'),
  };
  const scrubbed = JSON.stringify(scrub(answer));
  for (const secret of Object.values(SECRETS)) expect(scrubbed).not.toContain(secret);
  expect(scrubbed).not.toMatch(/jane|210987|2026|corp/);
});

test("the shape stays, ids still show their kind, and AWS's words stay", () => {
  expect(
    scrub({
      LifecycleState: 'Terminating:Wait',
      InstanceId: SECRETS.instance,
      Protected: false,
      Size: 7,
      At: new Date(0),
      None: undefined,
      Addresses: [SECRETS.address],
    }),
  ).toEqual({
    LifecycleState: 'Terminating:Wait',
    InstanceId: 'i-00000000000000000',
    Protected: false,
    Size: 0,
    At: '2000-01-01T00:00:00.000Z',
    Addresses: ['192.0.2.1'],
  });
});
