import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { describeLocated, describeMarkedInstances, describeTaggedInstances } from '../../lambda/aws/ec2.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(EC2Client);
const aws = sealedAws();

const ZONES: Readonly<Record<string, string>> = { 'i-1': 'a', 'i-2': 'a', 'i-3': 'b', 'i-4': 'c' };
const located = Object.entries(ZONES).map(([instanceId, zone]) => ({ instanceId, zone }));

/** EC2 while these zones are disrupted, and for as long as it doesn't know these instances. */
async function answering(disrupted: readonly string[], gone: readonly string[] = []) {
  const silent = await refusal('ec2', 'InternalError', 'An internal error has occurred', 500);
  const unknown = await refusal('ec2', 'InvalidInstanceID.NotFound');
  const asked: string[] = [];
  api.on(DescribeInstancesCommand).callsFake(({ InstanceIds: ids }: { InstanceIds?: string[] }) => {
    asked.push(ids === undefined ? 'by filter' : ids.join(' '));
    if (ids === undefined ? disrupted.length > 0 : ids.some((id) => disrupted.includes(ZONES[id] ?? '')))
      throw silent;
    if (ids?.some((id) => gone.includes(id))) throw unknown;
    const instances = (ids ?? Object.keys(ZONES)).map((InstanceId) => ({
      InstanceId,
      ImageId: 'ami-1',
      LaunchTime: new Date(0),
    }));
    return { Reservations: [{ Instances: instances }] };
  });
  return asked;
}

const idsOf = ({ instances }: Awaited<ReturnType<typeof describeLocated>>) =>
  instances.map(({ instanceId }) => instanceId);

describe('instances', () => {
  test('are described by filter, as long as every zone answers', async () => {
    const asked = await answering([]);
    const found = await describeLocated(aws, located);
    expect([idsOf(found), found.unknown.size, found.silentZones]).toEqual([Object.keys(ZONES), 0, undefined]);
    expect(asked).toEqual(['by filter']);
  });

  test('of a zone that does not answer are unknown, and the others are described', async () => {
    const asked = await answering(['b']);
    const found = await describeLocated(aws, located);
    expect(idsOf(found)).toEqual(['i-1', 'i-2', 'i-4']);
    expect([...found.unknown]).toEqual([['i-3', 'b']]);
    expect(found.silentZones).toEqual(new Set(['b']));
    expect(asked).toEqual(['by filter', 'i-1 i-2', 'i-3', 'i-4']);
  });

  test('are all described if it is another zone, where none of them is', async () => {
    await answering(['d']);
    const found = await describeLocated(aws, located);
    expect([idsOf(found), found.unknown.size, found.silentZones?.size]).toEqual([Object.keys(ZONES), 0, 0]);
  });

  test('of a zone that did not answer lately are not asked for again', async () => {
    const asked = await answering(['b']);
    const found = await describeLocated(aws, located, new Set(['b']));
    expect([...found.unknown.keys()]).toEqual(['i-3']);
    expect(asked).toEqual(['i-1 i-2', 'i-4']);
  });

  test('that EC2 does not know are missing, and spoil the answer for no other', async () => {
    const asked = await answering(['b'], ['i-2', 'i-4']);
    expect(idsOf(await describeLocated(aws, located))).toEqual(['i-1']);
    expect(asked).toEqual(['by filter', 'i-1 i-2', 'i-1', 'i-2', 'i-3', 'i-4']);
  });

  test('whose zone nobody tells are asked for one by one', async () => {
    await answering(['b']);
    const nowhere = located.map(({ instanceId }) => ({ instanceId, zone: undefined }));
    const found = await describeLocated(aws, nowhere);
    expect([idsOf(found), [...found.unknown.keys()]]).toEqual([['i-1', 'i-2', 'i-4'], ['i-3']]);
  });

  test('are found in a Region where EC2 does not know the parameter that shows what ECS manages', async () => {
    const unknown = await refusal('ec2', 'UnknownParameter', 'The parameter is not recognized', 400);
    await answering([]);
    api.on(DescribeInstancesCommand, { IncludeManagedResources: true }).rejects(unknown);
    expect(idsOf(await describeLocated(aws, located))).toEqual(Object.keys(ZONES));
    expect(await describeMarkedInstances(aws, ['demo'])).toHaveLength(4);
    expect(await describeTaggedInstances(aws)).toHaveLength(4);
  });

  test('are a fault if no zone answers, or the call is denied', async () => {
    await answering(['a', 'b', 'c']);
    await expect(describeLocated(aws, located)).rejects.toThrow('An internal error has occurred');
    api.on(DescribeInstancesCommand).rejects(await refusal('ec2', 'UnauthorizedOperation', 'You may not.'));
    await expect(describeLocated(aws, located)).rejects.toThrow('You may not.');
  });
});
