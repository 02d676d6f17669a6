import type { Stack } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import type { ClusterReference } from '../arns.ts';
import type { EcsAmiDeployProps } from '../props.ts';

/** One statement of the role's policy. With a wildcard, `why` says why no narrower resource would do. */
export interface Permission {
  readonly sid: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Conditions;
  readonly why?: string;
}

/** What the statements depend on. */
export interface PermissionScope {
  readonly stack: Stack;
  readonly clusters: readonly ClusterReference[];
  readonly props: EcsAmiDeployProps;
}
