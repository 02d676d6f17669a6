import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { snapshotId, stackOutputs } from '../found.ts';
import { findImages } from '../images.ts';
import { BY_TAG, DATA_DEVICE, INSTANCE_TYPE, NAME, TAGS } from '../names.ts';
import type { Smoke, Step } from '../smoke.ts';

const USER_DATA = `#!/bin/bash\necho ECS_CLUSTER=${NAME} >> /etc/ecs/ecs.config\n`;

export const launchTemplateStep: Step = {
  name: 'launch template',
  makes: `the launch template ${NAME}, with an older ECS image and a second volume from the snapshot`,
  cents: 0,
  minutes: 0,
  async make(smoke) {
    await smoke.aws.ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: NAME,
        TagSpecifications: [{ ResourceType: 'launch-template', Tags: TAGS }],
        LaunchTemplateData: await launchTemplateData(smoke),
      }),
    );
  },
  async remove({ aws }) {
    const { LaunchTemplates = [] } = await aws.ec2.send(
      new DescribeLaunchTemplatesCommand({ Filters: BY_TAG }),
    );
    for (const { LaunchTemplateId } of LaunchTemplates)
      await aws.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId }));
    return LaunchTemplates.map(({ LaunchTemplateName }) => `launch template ${LaunchTemplateName}`);
  },
};

/** No security group: instances get that of the default VPC, which lets all out and nobody in. */
async function launchTemplateData(smoke: Smoke): Promise<RequestLaunchTemplateData> {
  const { older } = await findImages(smoke);
  const { instanceProfileName } = await stackOutputs(smoke);
  const ebs = { VolumeSize: 1, VolumeType: 'gp3', DeleteOnTermination: true } as const;
  return {
    ImageId: older,
    InstanceType: INSTANCE_TYPE,
    IamInstanceProfile: { Name: instanceProfileName },
    UserData: Buffer.from(USER_DATA).toString('base64'),
    BlockDeviceMappings: [{ DeviceName: DATA_DEVICE, Ebs: { ...ebs, SnapshotId: await snapshotId(smoke) } }],
    MetadataOptions: { HttpTokens: 'required' },
    TagSpecifications: [{ ResourceType: 'volume', Tags: TAGS }],
  };
}
