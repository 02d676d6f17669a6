import type {
  AlreadyExistsFault,
  LimitExceededFault,
  ResourceContentionFault,
  ResourceInUseFault,
  ScalingActivityInProgressFault,
} from '@aws-sdk/client-auto-scaling';
import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type {
  ClientException,
  ClusterNotFoundException,
  InvalidParameterException,
  ResourceNotFoundException,
  ServiceNotFoundException,
  UnsupportedFeatureException,
} from '@aws-sdk/client-ecs';
import type { AccessPointNotFoundException } from '@aws-sdk/client-elastic-load-balancing';
import type { TargetGroupNotFoundException } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { NoSuchEntityException } from '@aws-sdk/client-iam';

/**
 * Errors that a service's model defines get their shape's name from the SDK, whatever the name on the wire:
 * `ResourceContentionFault` here, `ResourceContention` there.
 * https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#aws-protocols-awsqueryerror-trait
 */
type Modelled =
  | AccessPointNotFoundException
  | AlreadyExistsFault
  | ClientException
  | ClusterNotFoundException
  | ConditionalCheckFailedException
  | InvalidParameterException
  | LimitExceededFault
  | NoSuchEntityException
  | ResourceContentionFault
  | ResourceInUseFault
  | ResourceNotFoundException
  | ScalingActivityInProgressFault
  | ServiceNotFoundException
  | TargetGroupNotFoundException
  | UnsupportedFeatureException;

/** Errors in no model; these keep their names on the wire. */
export const UNMODELLED = {
  autoscaling: ['ValidationError'],
  ec2: [
    'ConcurrentTagAccess',
    'InvalidInstanceID.NotFound',
    'InvalidLaunchTemplateId.VersionNotFound',
    'OperationNotPermitted',
  ],
} as const;

/** The error names that we check for; the compiler accepts no others. */
export type ErrorName = Modelled['name'] | (typeof UNMODELLED)[keyof typeof UNMODELLED][number];

/** The group is busy with another change: look again later. */
export const BUSY = [
  'ScalingActivityInProgressFault',
  'ResourceContentionFault',
  'ResourceInUseFault',
] as const;
