import type { Stack } from 'aws-cdk-lib';
import type { Conditions } from 'aws-cdk-lib/aws-iam';
import type { ClusterReference } from '../arns.ts';
import type { EcsAmiDeployProps } from '../props.ts';

/** One row of what the role may do. A row with a wildcard says `why` no narrower resource would do. */
export interface Permission {
  readonly sid: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Conditions;
  readonly why?: string;
}

/** What the rows are made for. */
export interface PermissionScope {
  readonly stack: Stack;
  readonly clusters: readonly ClusterReference[];
  readonly props: EcsAmiDeployProps;
}
