import type {
  AlreadyExistsFault,
  LimitExceededFault,
  ResourceContentionFault,
  ResourceInUseFault,
  ScalingActivityInProgressFault,
} from '@aws-sdk/client-auto-scaling';
import type {
  ClientException,
  ClusterNotFoundException,
  InvalidParameterException,
  ServiceNotFoundException,
} from '@aws-sdk/client-ecs';
import type { AccessPointNotFoundException } from '@aws-sdk/client-elastic-load-balancing';
import type { TargetGroupNotFoundException } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { NoSuchEntityException } from '@aws-sdk/client-iam';

/**
 * What the SDK makes of an error has the name of its shape where the service's model has one, whatever it is called on the
 * wire: `ResourceContention` there, `ResourceContentionFault` here.
 * https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#aws-protocols-awsqueryerror-trait
 */
type Modelled =
  | AccessPointNotFoundException
  | AlreadyExistsFault
  | ClientException
  | ClusterNotFoundException
  | InvalidParameterException
  | LimitExceededFault
  | NoSuchEntityException
  | ResourceContentionFault
  | ResourceInUseFault
  | ScalingActivityInProgressFault
  | ServiceNotFoundException
  | TargetGroupNotFoundException;

/** In no model: they keep the name that they have on the wire. */
export const UNMODELLED = {
  autoscaling: ['ValidationError'],
  ec2: ['InvalidInstanceID.NotFound', 'InvalidLaunchTemplateId.VersionNotFound', 'OperationNotPermitted'],
} as const;

/** The names that are asked for: no other can be written. */
export type ErrorName = Modelled['name'] | (typeof UNMODELLED)[keyof typeof UNMODELLED][number];

/** A change of the group's that must end first: look again. */
export const BUSY = ['ScalingActivityInProgressFault', 'ResourceContentionFault'] as const;
