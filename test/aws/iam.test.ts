import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { type InstanceProfileState, instanceProfileState } from '../../lambda/aws/iam.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';
import { neverAccepts, neverAnswers } from './silent-servers.ts';

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

const read = (answer: InstanceProfileState) => ({ kind: 'read', answer });

describe('an instance profile', () => {
  test.each([
    'ecs',
    'arn:aws:iam::123456789012:instance-profile/ecs',
    'arn:aws:iam::123456789012:instance-profile/a/path/ecs',
  ])('named %s is looked up by its name', async (named) => {
    api.on(GetInstanceProfileCommand, { InstanceProfileName: 'ecs' }).resolves(described([role]));
    expect(await instanceProfileState(aws, named)).toEqual(read('there'));
  });

  test('without a role is told apart: nothing can be launched with it', async () => {
    api.on(GetInstanceProfileCommand).resolves(described([]));
    expect(await instanceProfileState(aws, 'ecs')).toEqual(read('without-role'));
  });

  test('may be missing', async () => {
    api.on(GetInstanceProfileCommand).rejects(await refusal('iam', 'NoSuchEntity'));
    expect(await instanceProfileState(aws, 'ecs')).toEqual(read('missing'));
  });

  test('that may not be read is unknown, and why', async () => {
    api.on(GetInstanceProfileCommand).rejects(await refusal('iam', 'AccessDenied'));
    expect(await instanceProfileState(aws, 'ecs')).toEqual({
      kind: 'unread',
      because: expect.stringMatching(/^AccessDenied: not allowed to/),
    });
  });

  test('is no reason to hide a mistake of ours', async () => {
    api.on(GetInstanceProfileCommand).rejects(new TypeError('x is undefined'));
    await expect(instanceProfileState(aws, 'ecs')).rejects.toThrow('x is undefined');
  });
});

/** As in a VPC without a way to IAM's endpoint. */
describe.each([
  ['takes no connection', neverAccepts],
  ['never answers', neverAnswers],
])('an IAM that %s', (_, serve) => {
  test('leaves the profile unknown after 5 seconds', async () => {
    api.restore();
    const server = await serve();
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    const asking = createAws({ region: 'eu-west-1', endpoint: server.endpoint, credentials });
    const began = performance.now();
    expect(await instanceProfileState(asking, 'ecs')).toEqual({
      kind: 'unread',
      because: 'IAM gave no answer within 5 s',
    });
    expect(performance.now() - began).toBeLessThan(20_000);
    await server.close();
  });
});
