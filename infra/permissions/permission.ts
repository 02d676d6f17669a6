import type { Stack } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import type { aws_ecs } from 'aws-cdk-lib/interfaces';
import type { EcsAmiDeployProps } from '../props.ts';

/**
 * One statement of a role's policies. With a wildcard, `why` says why no narrower resource would do. It has
 * no `Sid`, whose characters IAM would count.
 */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Conditions;
  readonly why?: string;
}

/** What the statements depend on. */
export interface PermissionScope {
  readonly stack: Stack;
  /** Name and ARN of each cluster: our tags carry the name, IAM policies the ARN. */
  readonly clusters: readonly aws_ecs.ClusterReference[];
  readonly props: EcsAmiDeployProps;
}

/**
 * What a role may do in these clusters and groups. For a part of them it has the same statements, in the same
 * order, for that part.
 */
export type Permissions = (scope: PermissionScope) => readonly Permission[];

/**
 * ForAllValues is also true for a request without tags, and EC2 takes a DeleteTags call that names none as
 * "delete all".
 */
export const TAGS_NAMED = { Null: { 'aws:TagKeys': 'false' } };
