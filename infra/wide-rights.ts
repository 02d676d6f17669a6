import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/** Warns at synth about what the role may do beyond the configured clusters, and says how to narrow it. */
export function warnOfWideRights(
  scope: Construct,
  { autoScalingGroups, instanceRoles, launchTemplates }: EcsAmiDeployProps,
): void {
  const annotations = Annotations.of(scope);
  if (autoScalingGroups === undefined)
    annotations.addWarningV2(
      'ecs-ami-deploy:anyGroup',
      'The role may tag every Auto Scaling group in the account and Region for a roll, and so terminate its members: list the groups that it may roll in autoScalingGroups (autoScalingGroupNames after -c).',
    );
  if (instanceRoles === undefined)
    annotations.addWarningV2(
      'ecs-ami-deploy:anyInstanceRole',
      "The role may pass every role in the account to EC2: list the roles of the clusters' instances in instanceRoles (instanceRoleArns after -c).",
    );
  if (launchTemplates === undefined)
    annotations.addWarningV2(
      'ecs-ami-deploy:anyLaunchTemplate',
      "The role may write versions of every launch template in the account and Region, and launch from it: list the groups' launch templates in launchTemplates (launchTemplateIds after -c).",
    );
}
