import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/** Warns at synth of what the role may do beyond the configured clusters, and how it is narrowed. */
export function warnOfWideRights(
  scope: Construct,
  { autoScalingGroupNames, instanceRoleArns }: EcsAmiDeployProps,
): void {
  const annotations = Annotations.of(scope);
  if (autoScalingGroupNames === undefined)
    annotations.addWarningV2(
      'ecs-ami-deploy:anyGroup',
      "The role may put the roll's tags on every Auto Scaling group of the account and Region, and on their members, and so come to end these: name those that it may roll in autoScalingGroupNames.",
    );
  if (instanceRoleArns === undefined)
    annotations.addWarningV2(
      'ecs-ami-deploy:anyInstanceRole',
      "The role may pass every role of the account to EC2: name those of the clusters' instances in instanceRoleArns.",
    );
}
