import { DescribeImagesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { releasesBehindOf } from '../../lambda/metrics/behind.ts';
import { mocked } from '../aws/mocked.ts';
import { NEWER, OLD, TARGET } from '../core/builders.ts';

const ec2 = mocked(EC2Client);
const aws = createAws({ region: 'eu-west-1' });

const CUSTOM = { ...OLD, imageId: 'ami-custom', name: 'web-1' };

test('counts for the oldest image of each group, by one call for a family', async () => {
  const Images = [OLD, TARGET, NEWER].map(({ imageId, name, createdAt }) => ({
    ImageId: imageId,
    Name: name,
    CreationDate: createdAt.toISOString(),
  }));
  ec2.on(DescribeImagesCommand).resolves({ Images });
  const groups = [
    { running: [TARGET, OLD, NEWER], targets: [NEWER] },
    { running: [TARGET], targets: [NEWER] },
    { running: [NEWER], targets: [NEWER] },
    { running: [CUSTOM], targets: [CUSTOM] },
  ];
  expect(await releasesBehindOf(aws, groups)).toEqual([2, 1, 0, undefined]);
  expect(ec2.calls()).toHaveLength(1);
});

test('an image that is not older than what its group is rolled onto takes no call', async () => {
  expect(await releasesBehindOf(aws, [{ running: [NEWER, TARGET], targets: [TARGET] }])).toEqual([0]);
  expect(ec2.calls()).toHaveLength(0);
});
