import {
  AttachInstancesCommand,
  CompleteLifecycleActionCommand,
  DeleteTagsCommand as DeleteGroupTagsCommand,
  DeleteLaunchConfigurationCommand,
  DeleteLifecycleHookCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLaunchConfigurationsCommand,
  DetachInstancesCommand,
  RecordLifecycleActionHeartbeatCommand,
  ResumeProcessesCommand,
  SetInstanceHealthCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DeleteTagsCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeInstanceTypesCommand,
  DescribeSubnetsCommand,
} from '@aws-sdk/client-ec2';
import {
  DeleteCapacityProviderCommand,
  DeregisterContainerInstanceCommand,
  DescribeCapacityProvidersCommand,
  DescribeContainerInstancesCommand,
  DescribeTaskDefinitionCommand,
  GetTaskProtectionCommand,
  ListTasksCommand,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';
import { memberIds, theGroup } from '../found.ts';
import { findImages } from '../images.ts';
import { NAME } from '../names.ts';
import { codeOf } from '../raw-code.ts';
import type { Check, Smoke } from '../smoke.ts';

/** What nobody has. */
const NONE = `${NAME}-none`;
const NO_INSTANCE = 'i-0000000000000000f';
const NO_ARN_ID = '00000000000000000000000000000000';
const group = { AutoScalingGroupName: NAME };
const instance = { InstanceId: NO_INSTANCE };
const instances = { ...group, InstanceIds: [NO_INSTANCE] };
const ofNoHost = { cluster: NAME, containerInstance: NO_ARN_ID };

type Ask = (smoke: Smoke) => Promise<unknown>;

/** What can be asked without changing anything, whatever AWS answers: by the row of the ledger. */
const QUESTIONS: Readonly<Record<string, Ask>> = {
  'group-unknown': ({ aws }) =>
    aws.autoScaling.send(new ResumeProcessesCommand({ AutoScalingGroupName: NONE })),
  'describe-groups-unknown': async ({ aws }) => {
    const command = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [NONE] });
    return leftOut((await aws.autoScaling.send(command)).AutoScalingGroups);
  },
  'describe-groups-unset-empty': async (smoke) =>
    (await theGroup(smoke)).Status === undefined ? 'left out' : 'written as empty elements',
  'describe-launch-configurations-unknown': async ({ aws }) => {
    const command = new DescribeLaunchConfigurationsCommand({ LaunchConfigurationNames: [NONE] });
    return leftOut((await aws.autoScaling.send(command)).LaunchConfigurations);
  },
  'delete-launch-configuration-unknown': ({ aws }) =>
    aws.autoScaling.send(new DeleteLaunchConfigurationCommand({ LaunchConfigurationName: NONE })),
  'attach-unknown-instance': ({ aws }) => aws.autoScaling.send(new AttachInstancesCommand(instances)),
  'detach-stranger': ({ aws }) =>
    aws.autoScaling.send(new DetachInstancesCommand({ ...instances, ShouldDecrementDesiredCapacity: false })),
  'set-health-stranger': ({ aws }) =>
    aws.autoScaling.send(new SetInstanceHealthCommand({ ...instance, HealthStatus: 'Healthy' })),
  'terminate-stranger': ({ aws }) =>
    aws.autoScaling.send(
      new TerminateInstanceInAutoScalingGroupCommand({ ...instance, ShouldDecrementDesiredCapacity: false }),
    ),
  'delete-tags-missing': ({ aws }) =>
    aws.autoScaling.send(
      new DeleteGroupTagsCommand({
        Tags: [{ ResourceId: NAME, ResourceType: 'auto-scaling-group', Key: NONE }],
      }),
    ),
  'delete-hook-unknown': ({ aws }) =>
    aws.autoScaling.send(new DeleteLifecycleHookCommand({ ...group, LifecycleHookName: NONE })),
  'complete-action-none': async (smoke) =>
    smoke.aws.autoScaling.send(
      new CompleteLifecycleActionCommand({
        ...(await actionOfMember(smoke)),
        LifecycleActionResult: 'CONTINUE',
      }),
    ),
  'heartbeat-none': async (smoke) =>
    smoke.aws.autoScaling.send(new RecordLifecycleActionHeartbeatCommand(await actionOfMember(smoke))),
  'delete-tags-none': async (smoke) =>
    smoke.aws.ec2.send(new DeleteTagsCommand({ Resources: await memberIds(smoke), Tags: [{ Key: NONE }] })),
  'filter-unknown': ({ aws }) =>
    aws.ec2.send(new DescribeInstancesCommand({ Filters: [{ Name: NONE, Values: [NONE] }] })),
  'page-size': ({ aws }) => aws.ec2.send(new DescribeInstancesCommand({ MaxResults: 4 })),
  'images-ids-paged': async (smoke) => {
    const { newest } = await findImages(smoke);
    return smoke.aws.ec2.send(new DescribeImagesCommand({ ImageIds: [newest], MaxResults: 5 }));
  },
  'instance-types-unknown': ({ aws }) =>
    aws.ec2.send(new DescribeInstanceTypesCommand({ InstanceTypes: ['m5.large', NONE as 'm5.large'] })),
  'instance-types-paged': ({ aws }) =>
    aws.ec2.send(new DescribeInstanceTypesCommand({ InstanceTypes: ['m5.large'], MaxResults: 5 })),
  'subnets-ids-paged': async (smoke) => {
    const SubnetIds = (await theGroup(smoke)).VPCZoneIdentifier?.split(',');
    return smoke.aws.ec2.send(new DescribeSubnetsCommand({ SubnetIds, MaxResults: 5 }));
  },
  'describe-hosts-none': ({ aws }) =>
    aws.ecs.send(new DescribeContainerInstancesCommand({ cluster: NAME, containerInstances: [] })),
  'list-tasks-instance-none': ({ aws }) => aws.ecs.send(new ListTasksCommand(ofNoHost)),
  'deregister-unknown': ({ aws }) => aws.ecs.send(new DeregisterContainerInstanceCommand(ofNoHost)),
  'get-protection-none': ({ aws }) => aws.ecs.send(new GetTaskProtectionCommand({ cluster: NAME })),
  'stop-task-unknown': ({ aws }) => aws.ecs.send(new StopTaskCommand({ cluster: NAME, task: NO_ARN_ID })),
  'describe-definition-unknown': ({ aws }) =>
    aws.ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: NONE })),
  'describe-providers-missing': async ({ aws }) => {
    const command = new DescribeCapacityProvidersCommand({ capacityProviders: [NONE] });
    return `the reason ${(await aws.ecs.send(command)).failures?.[0]?.reason}`;
  },
  'delete-provider-unknown': ({ aws }) =>
    aws.ecs.send(new DeleteCapacityProviderCommand({ capacityProvider: NONE })),
};

const leftOut = (found: readonly unknown[] = []) => (found.length === 0 ? 'left out' : 'answered');

/** Managed draining's hook, which no member waits for that isn't ending. */
async function actionOfMember(smoke: Smoke) {
  const [InstanceId] = await memberIds(smoke);
  return { ...group, InstanceId, LifecycleHookName: 'ecs-managed-draining-termination-hook' };
}

/** Whatever AWS answers is good: it is written down for the ledger. */
export const questionsCheck: Check = {
  name: "what AWS's pages leave open",
  minutes: 1,
  async run(smoke) {
    const findings = [];
    for (const [row, ask] of Object.entries(QUESTIONS))
      findings.push({ what: row, passed: true, observed: await seen(() => ask(smoke)), answers: row });
    return findings;
  },
};

async function seen(ask: () => Promise<unknown>): Promise<string> {
  try {
    const answer = await ask();
    return typeof answer === 'string' ? answer : 'no error';
  } catch (error) {
    return `refused: ${codeOf(error)}`;
  }
}
