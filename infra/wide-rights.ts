import { Annotations } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import type { EcsAmiDeployProps } from './props.ts';

/** Warns once in an app of what the role may do beyond its clusters, and says how to narrow it. */
export function warnOfWideRights(
  scope: Construct,
  { autoScalingGroups, instanceRoles, launchTemplates }: EcsAmiDeployProps,
): void {
  const wide = [
    ...(autoScalingGroups === undefined ? [ANY.group] : []),
    ...(instanceRoles === undefined ? [ANY.role] : []),
    ...(launchTemplates === undefined ? [ANY.template] : []),
  ];
  const may = wide.map(([does, list]) => `\n  - ${does}, unless you list\n    ${list}`).join('');
  const said = SAID.get(scope.node.root) ?? new Set();
  if (wide.length === 0 || said.has(may)) return;
  SAID.set(scope.node.root, said.add(may));
  Annotations.of(scope).addWarningV2(
    'ecs-ami-deploy:wideRights',
    `In the whole account and Region the role may${may}\n`,
  );
}

/** By app: what holds of each of its stacks is said once. */
const SAID = new WeakMap<IConstruct, Set<string>>();

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
