import { DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, DescribeInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { ListServicesCommand } from '@aws-sdk/client-ecs';
import { INSTANCE_TAGS } from '../../lambda/contract.ts';
import { NAME } from './names.ts';
import { rawCode } from './raw-code.ts';
import type { Clients, Right, Role } from './smoke.ts';

/** Asks AWS itself, with the role's credentials: a dry run shows what EC2 would do. */
export function roleByCalls({ autoScaling, ec2, ecs }: Omit<Clients, 'ssm'>): Role {
  const dry = async (attempt: () => Promise<unknown>) => dryRunRight(await rawCode(attempt));
  return {
    by: 'calls as the role',
    mayTerminate: (id) =>
      dry(() => ec2.send(new TerminateInstancesCommand({ InstanceIds: [id], DryRun: true }))),
    mayTag: (id) =>
      dry(() =>
        ec2.send(
          new CreateTagsCommand({
            Resources: [id],
            DryRun: true,
            Tags: [
              { Key: INSTANCE_TAGS.cluster, Value: NAME },
              { Key: INSTANCE_TAGS.group, Value: NAME },
            ],
          }),
        ),
      ),
    async mayRead() {
      await autoScaling.send(new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [NAME] }));
      await ec2.send(new DescribeInstancesCommand({ MaxResults: 5 }));
      await ecs.send(new ListServicesCommand({ cluster: NAME }));
      return 'allowed';
    },
  };
}

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/CommonParameters.html */
function dryRunRight(code: string | undefined): Right {
  if (code === 'DryRunOperation') return 'allowed';
  if (code === 'UnauthorizedOperation') return 'denied';
  throw new Error(`A dry run was answered with ${code ?? 'no error'}`);
}
