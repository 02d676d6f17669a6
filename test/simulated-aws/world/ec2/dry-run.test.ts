import {
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DescribeInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { setUpWire } from '../wire-set-up.ts';

const DRY = { DryRun: true } as const;

const wouldHaveSucceeded = expect.objectContaining({
  name: 'DryRunOperation',
  message: 'Request would have succeeded, but DryRun flag is set.',
  $metadata: expect.objectContaining({ httpStatusCode: 412, attempts: 1 }),
});

describe('a dry run', () => {
  it.each([
    ['TerminateInstances', (id: string) => new TerminateInstancesCommand({ ...DRY, InstanceIds: [id] })],
    [
      'CreateTags',
      (id: string) => new CreateTagsCommand({ ...DRY, Resources: [id], Tags: [{ Key: 'k', Value: 'v' }] }),
    ],
    [
      'CreateLaunchTemplateVersion',
      () =>
        new CreateLaunchTemplateVersionCommand({
          ...DRY,
          LaunchTemplateName: 'g-launch-template',
          LaunchTemplateData: { ImageId: 'ami-00000000000000001' },
        }),
    ],
  ])('of %s changes nothing', async (_, commandFor) => {
    const { world, ec2, ids } = setUpWire();
    const before = structuredClone(world.snapshot());
    const events: string[] = [];
    world.subscribe(({ kind }) => events.push(kind));
    // The commands have no type in common but the client's own.
    await expect(ec2.send(commandFor(ids[0] ?? '') as TerminateInstancesCommand)).rejects.toEqual(
      wouldHaveSucceeded,
    );
    expect(world.snapshot()).toEqual(before);
    expect(events).toEqual([]);
  });

  it('of a read is answered that way too, and a real call as usual', async () => {
    const { ec2 } = setUpWire();
    await expect(ec2.send(new DescribeInstancesCommand(DRY))).rejects.toEqual(wouldHaveSucceeded);
    const { Reservations } = await ec2.send(new DescribeInstancesCommand({ DryRun: false }));
    expect(Reservations).toHaveLength(2);
  });

  it('is refused if the call itself would be', async () => {
    const { ec2, ids } = setUpWire({
      statements: [{ Effect: 'Allow', Action: 'ec2:Describe*', Resource: '*' }],
    });
    const terminated = ec2.send(new TerminateInstancesCommand({ ...DRY, InstanceIds: ids }));
    await expect(terminated).rejects.toThrow(
      expect.objectContaining({
        name: 'UnauthorizedOperation',
        $metadata: expect.objectContaining({ httpStatusCode: 403 }),
      }),
    );
    await expect(ec2.send(new DescribeInstancesCommand(DRY))).rejects.toEqual(wouldHaveSucceeded);
  });

  it('does not hide that some of its input is not simulated', async () => {
    const { ec2, ids } = setUpWire();
    const forced = ec2.send(new TerminateInstancesCommand({ ...DRY, InstanceIds: ids, Force: true }));
    await expect(forced).rejects.toThrow('ec2.TerminateInstances: Force true is not simulated');
  });
});
