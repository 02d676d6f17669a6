import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/** Warns at synth about what the role may do beyond the configured clusters, and says how to narrow it. */
export function warnOfWideRights(
  scope: Construct,
  { autoScalingGroups, instanceRoles, launchTemplates }: EcsAmiDeployProps,
): void {
  const wide = [
    ...(autoScalingGroups === undefined ? [ANY.group] : []),
    ...(instanceRoles === undefined ? [ANY.role] : []),
    ...(launchTemplates === undefined ? [ANY.template] : []),
  ];
  if (wide.length === 0) return;
  Annotations.of(scope).addWarningV2(
    'ecs-ami-deploy:wideRights',
    `In the whole account and Region the role may ${wide.map(([may]) => may).join('; ')}. To narrow it, list ${wide.map(([, list]) => list).join('; ')}.`,
  );
}

/** What it may, and what to list. */
const ANY = {
  group: [
    'tag every Auto Scaling group for a roll, and so terminate its members',
    'the groups that it may roll in autoScalingGroups (autoScalingGroupNames after -c)',
  ],
  role: [
    'pass every role to EC2',
    "the roles of the clusters' instances in instanceRoles (instanceRoleArns after -c)",
  ],
  template: [
    'write versions of every launch template, and launch from it',
    "the groups' launch templates in launchTemplates (launchTemplateIds after -c)",
  ],
} as const;
