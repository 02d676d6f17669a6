import {
  CreateLaunchConfigurationCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { describe, expect, it } from 'vitest';
import { simulateAccount } from '../../account/account.ts';
import type { Call } from '../../account/call.ts';
import { checksOf } from '../../iam/context.ts';
import { setUp } from '../autoscaling/set-up.ts';
import { resourceFacts } from '../resource-facts.ts';

const ARN = 'arn:aws:iam::123456789012:instance-profile/ecsInstanceRole';

describe('an instance profile', () => {
  it('exists for every launch spec that the world builds', () => {
    const { call } = setUp();
    const { InstanceProfile } = call(GetInstanceProfileCommand, { InstanceProfileName: 'ecsInstanceRole' });
    expect(InstanceProfile).toMatchObject({
      InstanceProfileName: 'ecsInstanceRole',
      Arn: ARN,
      Roles: [{ RoleName: 'ecsInstanceRole', Arn: 'arn:aws:iam::123456789012:role/ecsInstanceRole' }],
    });
  });

  it('has the roles that it was made with', () => {
    const { world, call } = setUp();
    world.addInstanceProfile('other', { roles: ['role'] });
    const { InstanceProfile } = call(GetInstanceProfileCommand, { InstanceProfileName: 'other' });
    expect(InstanceProfile?.Roles?.map(({ RoleName }) => RoleName)).toEqual(['role']);
    expect(resourceFacts(world).instanceProfileRoleArn('other')).toMatch(/:role\/role$/);
    expect(resourceFacts(world).instanceProfileRoleArn('nobody')).toBeUndefined();
  });

  it('is refused over the wire, with 404, once it is gone', async () => {
    const { clock, world } = setUp();
    const account = simulateAccount({ clock, operations: world.operations });
    const client = new IAMClient(account.clientOptions);
    const get = () => client.send(new GetInstanceProfileCommand({ InstanceProfileName: 'ecsInstanceRole' }));
    expect((await get()).InstanceProfile?.Arn).toBe(ARN);
    world.owner.deleteInstanceProfile('ecsInstanceRole');
    await expect(get()).rejects.toMatchObject({
      name: 'NoSuchEntityException',
      Error: { Code: 'NoSuchEntity' },
      $metadata: { httpStatusCode: 404 },
    });
  });

  it('is found over HTTP, though the real IAM has its own endpoint', async () => {
    const { clock, world } = setUp();
    const account = simulateAccount({ clock, operations: world.operations });
    const { url, close } = await account.listen();
    const { region, credentials } = account.clientOptions;
    const client = new IAMClient({ region, credentials, endpoint: url });
    const command = new GetInstanceProfileCommand({ InstanceProfileName: 'ecsInstanceRole' });
    expect((await client.send(command)).InstanceProfile?.Arn).toBe(ARN);
    await close();
  });
});

describe('a launch without its instance profile', () => {
  it.each(['launch-configuration', 'launch-template', 'mixed-instances'] as const)(
    'from a %s fails until it is there again',
    (launchSpec) => {
      const { clock, world, detach, first, members, latestActivity } = setUp({ launchSpec });
      world.owner.deleteInstanceProfile('ecsInstanceRole');
      detach(first);
      clock.advance(300);
      expect(members()).toHaveLength(2);
      expect(latestActivity()).toMatchObject({
        StatusCode: 'Failed',
        StatusMessage:
          'Value (ecsInstanceRole) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name. Launching EC2 instance failed.',
      });
      world.addInstanceProfile('ecsInstanceRole');
      clock.advance(300);
      expect(members()).toHaveLength(3);
    },
  );

  it('fails without a role in it, too', () => {
    const { clock, world, detach, first, latestActivity } = setUp();
    world.addInstanceProfile('ecsInstanceRole', { roles: [] });
    detach(first);
    clock.advance(60);
    expect(latestActivity()?.StatusMessage).toContain('has no associated IAM Roles');
  });

  it('fails by its ARN as by its name', () => {
    const { world, image, call } = setUp();
    const template = (name: string, Arn: string) => ({
      AutoScalingGroupName: 'g',
      LaunchTemplate: {
        LaunchTemplateId: world.addLaunchTemplate(name, {
          ImageId: image.id,
          InstanceType: 'm5.large',
          IamInstanceProfile: { Arn },
        }).id,
      },
    });
    call(UpdateAutoScalingGroupCommand, template('good', ARN));
    expect(() => call(UpdateAutoScalingGroupCommand, template('bad', `${ARN}-not`))).toThrow(
      'valid fully-formed launch template. Value',
    );
  });

  it('is refused when a launch configuration is created', () => {
    const { image, call } = setUp();
    const create = (IamInstanceProfile: string) =>
      call(CreateLaunchConfigurationCommand, {
        LaunchConfigurationName: IamInstanceProfile,
        ImageId: image.id,
        InstanceType: 'm5.large',
        IamInstanceProfile,
      });
    expect(() => create('nobody')).toThrow('Invalid IamInstanceProfile: nobody');
    expect(create(ARN)).toEqual({});
  });
});

it("GetInstanceProfile asks IAM for the right to the profile, in IAM's Region", () => {
  const input = { InstanceProfileName: 'ecsInstanceRole' };
  const call = { service: 'iam', operation: 'GetInstanceProfile', input } as Call;
  expect(checksOf(call, resourceFacts(setUp().world))).toEqual([
    { action: 'iam:GetInstanceProfile', resource: ARN, context: { 'aws:RequestedRegion': 'us-east-1' } },
  ]);
});
