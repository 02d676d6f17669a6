import {
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateVersionsCommand,
  DescribeLaunchTemplateVersionsCommand,
  EC2Client,
  type LaunchTemplateBlockDeviceMapping,
  ModifyLaunchTemplateCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { StaleObservation } from '../../lambda/aws/errors.ts';
import {
  createTemplateVersion,
  deleteTemplateVersions,
  setDefaultTemplateVersion,
} from '../../lambda/aws/launch-template-changes.ts';
import { LaunchSpecRefused } from '../../lambda/aws/refused.ts';
import { createSeal } from '../../lambda/tags/trusted-tags.ts';
import { mocked } from './mocked.ts';
import { refusal } from './refusal.ts';
import { sealedAws } from './sealed-aws.ts';

const api = mocked(EC2Client);
const aws = sealedAws();

describe('new launch template versions', () => {
  const toMake = {
    templateId: 'lt-1',
    sourceVersion: 3,
    imageId: 'ami-2',
    volumes: [
      { deviceName: '/dev/xvda', sizeGib: 30 },
      { deviceName: '/dev/xvdf', snapshotId: 'snap-data' },
    ],
    groupUuid: '11111111-0000-4000-8000-000000000000',
    requestedAt: new Date('2026-11-21T12:34:56Z'),
  };

  const NOW = new Date('2026-11-21T12:45:00Z');

  async function madeOf(BlockDeviceMappings?: LaunchTemplateBlockDeviceMapping[], by = aws) {
    const LaunchTemplateData = { ImageId: 'ami-1', BlockDeviceMappings };
    api
      .on(DescribeLaunchTemplateVersionsCommand)
      .resolves({ LaunchTemplateVersions: [{ VersionNumber: 3, LaunchTemplateData }] });
    api.on(CreateLaunchTemplateVersionCommand).resolves({});
    await createTemplateVersion(by, toMake, NOW);
    return api.commandCalls(CreateLaunchTemplateVersionCommand).at(-1)?.args[0].input;
  }

  test('are made from their source with only the image changed, once for each token', async () => {
    expect(await madeOf([{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50 } }])).toEqual({
      LaunchTemplateId: 'lt-1',
      SourceVersion: '3',
      VersionDescription: 'ecs-ami-deploy: ami-2 from version 3',
      LaunchTemplateData: { ImageId: 'ami-2' },
      ClientToken: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  test('get the whole mappings if one names a snapshot: EC2 would leave that out', async () => {
    const encrypted = { Encrypted: true, KmsKeyId: 'key-1', VolumeType: 'io2' as const, Iops: 3000 };
    const data = { ...encrypted, SnapshotId: 'snap-data', VolumeInitializationRate: 100 };
    const rest = [
      { DeviceName: '/dev/sdb', VirtualName: 'ephemeral0' },
      { DeviceName: '/dev/sdc', NoDevice: '' },
      { DeviceName: '/dev/xvdf', Ebs: data },
    ];
    const made = await madeOf([
      { DeviceName: '/dev/xvda', Ebs: { ...encrypted, SnapshotId: 'snap-root' } },
      ...rest,
    ]);
    expect(made?.LaunchTemplateData).toEqual({
      ImageId: 'ami-2',
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { ...encrypted, VolumeSize: 30 } }, ...rest],
    });
  });

  test("leave out a mapping that only named the old root's snapshot", async () => {
    const data = { DeviceName: '/dev/xvdf', Ebs: { SnapshotId: 'snap-data' } };
    const made = await madeOf([{ DeviceName: '/dev/xvda', Ebs: { SnapshotId: 'snap-root' } }, data]);
    expect(made?.LaunchTemplateData).toEqual({ ImageId: 'ami-2', BlockDeviceMappings: [data] });
  });

  test('have another token for other data, because EC2 refuses a known token with other data', async () => {
    const tokens = new Set<string | undefined>();
    for (const VolumeSize of [50, 51]) {
      const made = await madeOf([{ DeviceName: '/dev/xvdf', Ebs: { SnapshotId: 'snap-data', VolumeSize } }]);
      tokens.add(made?.ClientToken);
    }
    expect(tokens.size).toBe(2);
  });

  test('have a token that nobody else foresees: with other data for it EC2 would refuse ours', async () => {
    const seal = async () => createSeal([new Uint8Array(32)]);
    const [ours, other] = [await madeOf(), await madeOf(undefined, { ...aws, seal })];
    expect(other).toEqual({ ...ours, ClientToken: expect.stringMatching(/^[\w-]{22}$/) });
    expect(other?.ClientToken).not.toBe(ours?.ClientToken);
  });

  describe('if EC2 answers with what it made before', () => {
    /** What it made, and when; those in `there` are still there. */
    async function tokensFor(made: readonly (readonly [number, string])[], there: readonly string[]) {
      const gone = await refusal('ec2', 'InvalidLaunchTemplateId.VersionNotFound');
      const answers = made.map(([VersionNumber, at]) => ({
        LaunchTemplateVersion: { VersionNumber, CreateTime: new Date(`2026-11-21T${at}Z`) },
      }));
      api.reset();
      api.on(DescribeLaunchTemplateVersionsCommand).callsFake(({ Versions: [version] }) => {
        if (!there.includes(version)) throw gone;
        return { LaunchTemplateVersions: [{ VersionNumber: Number(version), LaunchTemplateData: {} }] };
      });
      const [first = {}, ...rest] = answers;
      rest.reduce(
        (mock, answer) => mock.resolvesOnce(answer),
        api.on(CreateLaunchTemplateVersionCommand).resolvesOnce(first),
      );
      const version = await createTemplateVersion(aws, toMake, NOW);
      expect(version).toBe(made.at(-1)?.[0]);
      return api
        .commandCalls(CreateLaunchTemplateVersionCommand)
        .map(({ args: [{ input }] }) => input.ClientToken);
    }

    test('which is deleted, they are made anew, with tokens that all who ask for it find', async () => {
      const made = [
        [4, '12:34:59'],
        [5, '12:39:59'],
        [6, '12:45:00'],
      ] as const;
      const tokens = await tokensFor(made, ['3']);
      expect(new Set(tokens).size).toBe(3);
      expect(await tokensFor(made, ['3'])).toEqual(tokens);
    });

    test('which is there, or too new to be shown, nothing more is made', async () => {
      expect(await tokensFor([[4, '12:34:59']], ['3', '4'])).toHaveLength(1);
      expect(await tokensFor([[4, '12:40:00']], ['3'])).toHaveLength(1);
    });
  });

  test.each([
    ['InvalidBlockDeviceMapping', LaunchSpecRefused],
    ['RequestLimitExceeded', Error],
  ])('that EC2 refuses with %s are reported that way', async (code, kind) => {
    api.on(DescribeLaunchTemplateVersionsCommand).resolves({ LaunchTemplateVersions: [{}] });
    api.on(CreateLaunchTemplateVersionCommand).rejects(await refusal('ec2', code));
    const error = await createTemplateVersion(aws, toMake, NOW).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(error instanceof LaunchSpecRefused).toBe(kind === LaunchSpecRefused);
  });

  test('that EC2 warns of are taken back and refused: a group on $Latest would launch from them', async () => {
    api
      .on(DescribeLaunchTemplateVersionsCommand)
      .resolves({ LaunchTemplateVersions: [{}] })
      .on(CreateLaunchTemplateVersionCommand)
      .resolves({
        LaunchTemplateVersion: { VersionNumber: 4 },
        Warning: { Errors: [{ Code: 'InvalidBlockDeviceMapping', Message: 'no size.' }] },
      })
      .on(DeleteLaunchTemplateVersionsCommand)
      .resolves({});
    const made = createTemplateVersion(aws, toMake, NOW);
    await expect(made).rejects.toThrow(LaunchSpecRefused);
    await expect(made).rejects.toThrow('InvalidBlockDeviceMapping: no size; fix');
    expect(api.commandCalls(DeleteLaunchTemplateVersionsCommand)[0]?.args[0].input.Versions).toEqual(['4']);
  });

  test('from a source that EC2 does not find yet make the observation stale', async () => {
    const unknown = await refusal('ec2', 'InvalidLaunchTemplateId.VersionNotFound', 'no version 3');
    api
      .on(DescribeLaunchTemplateVersionsCommand)
      .resolves({ LaunchTemplateVersions: [{}] })
      .on(CreateLaunchTemplateVersionCommand)
      .rejects(unknown)
      .on(ModifyLaunchTemplateCommand)
      .rejects(unknown);
    await expect(createTemplateVersion(aws, toMake, NOW)).rejects.toThrow(StaleObservation);
    await expect(setDefaultTemplateVersion(aws, 'lt-1', 3)).rejects.toThrow(StaleObservation);
  });

  test('do not say beside a snapshot that a volume is not encrypted, and have a size without one', async () => {
    const ebs = { VolumeType: 'gp3' as const, Encrypted: false };
    const made = await madeOf([
      { DeviceName: '/dev/xvda', Ebs: { ...ebs, SnapshotId: 'snap-root' } },
      { DeviceName: '/dev/xvdf', Ebs: { ...ebs, SnapshotId: 'snap-data' } },
    ]);
    expect(made?.LaunchTemplateData?.BlockDeviceMappings).toEqual([
      { DeviceName: '/dev/xvda', Ebs: { ...ebs, VolumeSize: 30 } },
      { DeviceName: '/dev/xvdf', Ebs: { VolumeType: 'gp3', SnapshotId: 'snap-data' } },
    ]);
  });

  test('from a missing source make the observation stale', async () => {
    api.on(DescribeLaunchTemplateVersionsCommand).resolves({ LaunchTemplateVersions: [] });
    await expect(createTemplateVersion(aws, toMake, NOW)).rejects.toThrow(StaleObservation);
    const code = 'InvalidLaunchTemplateId.VersionNotFound';
    api.on(DescribeLaunchTemplateVersionsCommand).rejects(await refusal('ec2', code));
    await expect(createTemplateVersion(aws, toMake, NOW)).rejects.toThrow(StaleObservation);
  });

  test('become the default by number', async () => {
    api.on(ModifyLaunchTemplateCommand).resolves({});
    await setDefaultTemplateVersion(aws, 'lt-1', 4);
    expect(api.commandCalls(ModifyLaunchTemplateCommand)[0]?.args[0].input).toEqual({
      LaunchTemplateId: 'lt-1',
      DefaultVersion: '4',
    });
  });

  test('are deleted 200 at a time; a missing one is no fault, anything else is', async () => {
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
