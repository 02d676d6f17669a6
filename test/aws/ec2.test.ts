import {
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DeleteLaunchTemplateVersionsCommand,
  DeleteTagsCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplateVersionsCommand,
  EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import {
  describeImages,
  describeInstances,
  describeMarkedInstances,
  newestImage,
  tagInstances,
  terminateInstances,
  untagInstances,
} from '../../lambda/aws/ec2.ts';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import {
  createTemplateVersion,
  deleteTemplateVersions,
  describeTemplateVersion,
  listTemplateVersions,
} from '../../lambda/aws/launch-templates.ts';
import { refusal } from './refusal.ts';

const api = mockClient(EC2Client);
const aws = createAws({ region: 'eu-west-1' });
beforeEach(() => api.reset());

const ids = (count: number) => Array.from({ length: count }, (_, index) => `i-${index}`);

describe('instances', () => {
  test('are asked for by filter, 200 at a time, so that one that is gone does not fail the others', async () => {
    api.on(DescribeInstancesCommand).resolves({ Reservations: [] });
    await describeInstances(aws, ids(450));
    const values = api
      .commandCalls(DescribeInstancesCommand)
      .map(({ args: [command] }) => command.input.Filters?.[0]?.Values?.length);
    expect(values).toEqual([200, 200, 50]);
  });

  test('every page is read; what is shutting down is not alive', async () => {
    const launched = { ImageId: 'ami-1', LaunchTime: new Date(0) };
    api
      .on(DescribeInstancesCommand)
      .resolvesOnce({
        NextToken: 'more',
        Reservations: [{ Instances: [{ ...launched, InstanceId: 'i-1', State: { Name: 'running' } }] }],
      })
      .resolves({
        Reservations: [
          {
            Instances: [
              {
                ...launched,
                InstanceId: 'i-2',
                State: { Name: 'shutting-down' },
                Tags: [{ Key: 'a', Value: 'b' }],
              },
            ],
          },
        ],
      });
    const rest = { imageId: 'ami-1', launchedAt: new Date(0) };
    expect(await describeInstances(aws, ['i-1', 'i-2'])).toEqual([
      { instanceId: 'i-1', alive: true, tags: {}, ...rest },
      { instanceId: 'i-2', alive: false, tags: { a: 'b' }, ...rest },
    ]);
  });

  test('that bear our tags are asked for among the living', async () => {
    api.on(DescribeInstancesCommand).resolves({});
    await describeMarkedInstances(aws, ['web']);
    expect(api.commandCalls(DescribeInstancesCommand)[0]?.args[0].input.Filters).toEqual([
      { Name: 'tag:ecs-ami-deploy-cluster', Values: ['web'] },
      { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
    ]);
  });

  test('are tagged and terminated a thousand at a time', async () => {
    api.on(CreateTagsCommand).resolves({}).on(TerminateInstancesCommand).resolves({});
    await tagInstances(aws, ids(1001), { a: 'b' });
    await terminateInstances(aws, ids(1001));
    expect(api.commandCalls(CreateTagsCommand).map(({ args }) => args[0].input.Resources?.length)).toEqual([
      1000, 1,
    ]);
    expect(api.commandCalls(TerminateInstancesCommand)).toHaveLength(2);
  });

  test('that are gone make tagging stale, and ending them done', async () => {
    const gone = refusal('InvalidInstanceID.NotFound');
    api
      .on(CreateTagsCommand)
      .rejects(gone)
      .on(DeleteTagsCommand)
      .rejects(gone)
      .on(TerminateInstancesCommand)
      .rejects(gone);
    await expect(tagInstances(aws, ['i-1'], { a: 'b' })).rejects.toThrow(StaleObservation);
    await expect(untagInstances(aws, ['i-1'])).resolves.toBeUndefined();
    await expect(terminateInstances(aws, ['i-1'])).resolves.toBeUndefined();
  });

  test('lose the tags that are ours, and those alone', async () => {
    api.on(DeleteTagsCommand).resolves({});
    await untagInstances(aws, ['i-1']);
    const tags = api.commandCalls(DeleteTagsCommand)[0]?.args[0].input.Tags ?? [];
    expect(tags).toHaveLength(5);
    expect(tags.every(({ Key }) => Key?.startsWith('ecs-ami-deploy-'))).toBe(true);
  });
});

describe('images', () => {
  test('are asked for by filter, the deprecated ones too; no ids are no call', async () => {
    api.on(DescribeImagesCommand).resolves({});
    await describeImages(aws, []);
    await describeImages(aws, ['ami-1']);
    expect(api.commandCalls(DescribeImagesCommand).map(({ args }) => args[0].input)).toMatchObject([
      { Filters: [{ Name: 'image-id', Values: ['ami-1'] }], IncludeDeprecated: true },
    ]);
  });

  test('the newest is so by its creation date, not by its place or name', async () => {
    const image = (ImageId: string, CreationDate: string) => ({ ImageId, CreationDate, Name: ImageId });
    api
      .on(DescribeImagesCommand)
      .resolvesOnce({ Images: [image('ami-1', '2026-01-01T00:00:00Z')], NextToken: 'more' })
      .resolves({ Images: [image('ami-3', '2026-03-01T00:00:00Z'), image('ami-2', '2026-02-01T00:00:00Z')] });
    expect((await newestImage(aws, 'x-*', 'self'))?.imageId).toBe('ami-3');
  });

  test('none is an answer', async () => {
    api.on(DescribeImagesCommand).resolves({ Images: [] });
    expect(await newestImage(aws, 'x-*', 'self')).toBeUndefined();
  });
});

describe('launch template versions', () => {
  test('are made of their source with nothing but the image, once for one token', async () => {
    api.on(CreateLaunchTemplateVersionCommand).resolves({});
    await createTemplateVersion(aws, 'lt-1', { sourceVersion: 3, imageId: 'ami-2' });
    expect(api.commandCalls(CreateLaunchTemplateVersionCommand)[0]?.args[0].input).toEqual({
      LaunchTemplateId: 'lt-1',
      SourceVersion: '3',
      VersionDescription: 'ecs-ami-deploy: ami-2 from version 3',
      LaunchTemplateData: { ImageId: 'ami-2' },
      ClientToken: 'ecs-ami-deploy-lt-1-3-ami-2',
    });
  });

  test('are resolved from a reference, and listed on every page', async () => {
    const version = (VersionNumber: number) => ({ VersionNumber, LaunchTemplateData: { ImageId: 'ami-1' } });
    api
      .on(DescribeLaunchTemplateVersionsCommand, { Versions: ['$Default'] })
      .resolves({ LaunchTemplateVersions: [{ ...version(2), DefaultVersion: true }] })
      .on(DescribeLaunchTemplateVersionsCommand, { MaxResults: 200 })
      .resolvesOnce({ LaunchTemplateVersions: [version(2)], NextToken: 'more' })
      .resolves({ LaunchTemplateVersions: [version(1)] });
    expect(await describeTemplateVersion(aws, 'lt-1', '$Default')).toEqual({
      version: 2,
      description: '',
      isDefault: true,
      imageId: 'ami-1',
    });
    expect((await listTemplateVersions(aws, 'lt-1')).map(({ version }) => version)).toEqual([2, 1]);
  });

  test('are deleted 200 at a time; what is gone is no fault, anything else is', async () => {
    const failure = (Code: 'launchTemplateVersionDoesNotExist' | 'unexpectedError') => ({
      UnsuccessfullyDeletedLaunchTemplateVersions: [
        { VersionNumber: 1, ResponseError: { Code, Message: Code } },
      ],
    });
    api
      .on(DeleteLaunchTemplateVersionsCommand)
      .resolvesOnce(failure('launchTemplateVersionDoesNotExist'))
      .resolves(failure('unexpectedError'));
    const versions = Array.from({ length: 201 }, (_, index) => index + 1);
    await expect(deleteTemplateVersions(aws, 'lt-1', versions)).rejects.toThrow(
      "version 1 of launch template lt-1 can't be deleted: unexpectedError",
    );
    expect(
      api.commandCalls(DeleteLaunchTemplateVersionsCommand).map(({ args }) => args[0].input.Versions?.length),
    ).toEqual([200, 1]);
  });
});
