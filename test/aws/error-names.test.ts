import { NormalizedSchema, TypeRegistry } from '@smithy/core/schema';
import { describe, expect, test } from 'vitest';
import { type ErrorName, UNMODELLED } from '../../lambda/aws/error-names.ts';
import type { Service } from '../simulated-aws/account/operation.ts';
import { WIRES } from '../simulated-aws/wire/route.ts';
import { refusal } from './refusal.ts';

/** By the name that the SDK gives it: whose it is, and what it is called on the wire. */
const ON_THE_WIRE: Readonly<Record<ErrorName, readonly [Service, string]>> = {
  AccessPointNotFoundException: ['elasticloadbalancing', 'LoadBalancerNotFound'],
  AlreadyExistsFault: ['autoscaling', 'AlreadyExists'],
  ClientException: ['ecs', 'ClientException'],
  ClusterNotFoundException: ['ecs', 'ClusterNotFoundException'],
  ConditionalCheckFailedException: ['dynamodb', 'ConditionalCheckFailedException'],
  InvalidParameterException: ['ecs', 'InvalidParameterException'],
  LimitExceededFault: ['autoscaling', 'LimitExceeded'],
  NoSuchEntityException: ['iam', 'NoSuchEntity'],
  ResourceContentionFault: ['autoscaling', 'ResourceContention'],
  ResourceInUseFault: ['autoscaling', 'ResourceInUse'],
  ResourceNotFoundException: ['ecs', 'ResourceNotFoundException'],
  ScalingActivityInProgressFault: ['autoscaling', 'ScalingActivityInProgress'],
  ServiceNotFoundException: ['ecs', 'ServiceNotFoundException'],
  TargetGroupNotFoundException: ['elasticloadbalancingv2', 'TargetGroupNotFound'],
  UnsupportedFeatureException: ['ecs', 'UnsupportedFeatureException'],
  ValidationError: ['autoscaling', 'ValidationError'],
  ConcurrentTagAccess: ['ec2', 'ConcurrentTagAccess'],
  OperationNotPermitted: ['ec2', 'OperationNotPermitted'],
  'InvalidInstanceID.NotFound': ['ec2', 'InvalidInstanceID.NotFound'],
  'InvalidLaunchTemplateId.VersionNotFound': ['ec2', 'InvalidLaunchTemplateId.VersionNotFound'],
};

describe('an AWS error', () => {
  test.each(Object.entries(ON_THE_WIRE))(
    'is named %s once the SDK has read it',
    async (name, [service, code]) => {
      expect(await refusal(service, code, 'no')).toMatchObject({ name, message: 'no' });
    },
  );

  test.each(Object.entries(UNMODELLED))('of %s that we call unmodelled is in no model', (service, names) => {
    const wire = Object.entries(WIRES).find(([each]) => each === service)?.[1];
    const modelled = new Set<string>();
    TypeRegistry.for(wire?.namespace ?? '').find((schema) => {
      const { awsQueryError } = NormalizedSchema.of(schema).getMergedTraits();
      modelled.add(NormalizedSchema.of(schema).getName() ?? '');
      if (Array.isArray(awsQueryError)) modelled.add(String(awsQueryError[0]));
      return false;
    });
    expect(names.filter((name) => modelled.has(name))).toEqual([]);
  });
});
