import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { instanceProfileState } from '../../lambda/aws/iam.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';

const api = mocked(IAMClient);
const aws = createAws({ region: 'eu-west-1' });

const role = {
  Path: '/',
  RoleName: 'ecs',
  RoleId: '1',
  Arn: 'arn:aws:iam::123456789012:role/ecs',
  CreateDate: new Date(0),
};
const described = (Roles: (typeof role)[]) => ({
  InstanceProfile: {
    Path: '/',
    InstanceProfileName: 'ecs',
    InstanceProfileId: '1',
    Arn: 'arn:aws:iam::123456789012:instance-profile/ecs',
    CreateDate: new Date(0),
    Roles,
  },
});

describe('an instance profile', () => {
  test.each([
    'ecs',
    'arn:aws:iam::123456789012:instance-profile/ecs',
    'arn:aws:iam::123456789012:instance-profile/a/path/ecs',
  ])('named %s is looked up by its name', async (named) => {
    api.on(GetInstanceProfileCommand, { InstanceProfileName: 'ecs' }).resolves(described([role]));
    expect(await instanceProfileState(aws, named)).toBe('there');
  });

  test('without a role is told apart: nothing can be launched with it', async () => {
    api.on(GetInstanceProfileCommand).resolves(described([]));
    expect(await instanceProfileState(aws, 'ecs')).toBe('without-role');
  });

  test('may be missing', async () => {
    api.on(GetInstanceProfileCommand).rejects(await refusal('iam', 'NoSuchEntity'));
    expect(await instanceProfileState(aws, 'ecs')).toBe('missing');
  });

  test('that may not be read is a fault', async () => {
    api.on(GetInstanceProfileCommand).rejects(await refusal('iam', 'AccessDenied'));
    await expect(instanceProfileState(aws, 'ecs')).rejects.toThrow('AccessDenied');
  });
});
