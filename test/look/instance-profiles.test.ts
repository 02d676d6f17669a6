import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { instanceProfiles } from '../../lambda/look/instance-profiles.ts';
import { mocked } from '../aws/mocked.ts';
import { refusal } from '../aws/refusal.ts';

const iam = mocked(IAMClient);
const aws = createAws({ region: 'eu-west-1' });

test('those that EC2 will not launch with are told of, and the others are not', async () => {
  iam
    .on(GetInstanceProfileCommand, { InstanceProfileName: 'gone' })
    .rejects(await refusal('iam', 'NoSuchEntity'))
    .on(GetInstanceProfileCommand, { InstanceProfileName: 'bare' })
    .resolves({ InstanceProfile: undefined });
  const profiles = instanceProfiles(aws);
  expect(await profiles.unusable(['gone', 'bare'])).toEqual([
    { name: 'gone', state: 'missing' },
    { name: 'bare', state: 'without-role' },
  ]);
  expect(profiles.unread()).toEqual([]);
});

test('after one that can not be read none is asked for, by this group or another, and a warning says why', async () => {
  iam.on(GetInstanceProfileCommand).rejects(await refusal('iam', 'AccessDenied'));
  const profiles = instanceProfiles(aws);
  expect(await profiles.unusable(['a', 'b'])).toEqual([]);
  expect(await profiles.unusable(['c'])).toEqual([]);
  expect(iam.calls()).toHaveLength(1);
  expect(profiles.unread()).toEqual([
    { code: 'instance-profiles-unread', name: 'a', because: expect.stringMatching(/^AccessDenied/) },
  ]);
});
