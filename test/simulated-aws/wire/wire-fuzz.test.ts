import * as autoscaling from '@aws-sdk/client-auto-scaling';
import * as cloudwatch from '@aws-sdk/client-cloudwatch';
import * as logs from '@aws-sdk/client-cloudwatch-logs';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as ec2 from '@aws-sdk/client-ec2';
import * as ecs from '@aws-sdk/client-ecs';
import * as elb from '@aws-sdk/client-elastic-load-balancing';
import * as elbV2 from '@aws-sdk/client-elastic-load-balancing-v2';
import * as eventBridge from '@aws-sdk/client-eventbridge';
import * as iam from '@aws-sdk/client-iam';
import * as kms from '@aws-sdk/client-kms';
import * as tagging from '@aws-sdk/client-resource-groups-tagging-api';
import * as sns from '@aws-sdk/client-sns';
import * as ssm from '@aws-sdk/client-ssm';
import * as sts from '@aws-sdk/client-sts';
import type { NormalizedSchema } from '@smithy/core/schema';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { simulateAccount } from '../account/account.ts';
import type { Operation } from '../account/operation.ts';
import { virtualClock } from '../clock/clock.ts';
import { createWorld } from '../world/world.ts';
import { demandRequired } from './invalid-input.ts';
import { inputOf, isStructure, nameOf, outputOf } from './schema.ts';
import { anyOf } from './schema-arbitrary.ts';

const RUNS = 30;

/** What any client of the SDK comes to, where the types of one command don't matter. */
interface AnyClient {
  send(command: unknown): Promise<object>;
}
interface Fuzzed {
  readonly Client: new (options: object) => AnyClient;
  readonly commands: readonly (new (input: never) => object)[];
}

const FUZZED: Readonly<Record<string, Fuzzed>> = {
  autoscaling: {
    Client: autoscaling.AutoScalingClient as never,
    commands: [
      autoscaling.CreateAutoScalingGroupCommand,
      autoscaling.DeleteAutoScalingGroupCommand,
      autoscaling.AttachInstancesCommand,
      autoscaling.CompleteLifecycleActionCommand,
      autoscaling.CreateLaunchConfigurationCommand,
      autoscaling.CreateOrUpdateTagsCommand,
      autoscaling.DeleteLaunchConfigurationCommand,
      autoscaling.DeleteLifecycleHookCommand,
      autoscaling.DeleteTagsCommand,
      autoscaling.DescribeAccountLimitsCommand,
      autoscaling.DescribeAutoScalingGroupsCommand,
      autoscaling.DescribeAutoScalingInstancesCommand,
      autoscaling.DescribeInstanceRefreshesCommand,
      autoscaling.DescribeLaunchConfigurationsCommand,
      autoscaling.DescribeLifecycleHooksCommand,
      autoscaling.DescribePoliciesCommand,
      autoscaling.DescribeScalingActivitiesCommand,
      autoscaling.DescribeTagsCommand,
      autoscaling.DescribeWarmPoolCommand,
      autoscaling.DetachInstancesCommand,
      autoscaling.EnterStandbyCommand,
      autoscaling.ExitStandbyCommand,
      autoscaling.PutLifecycleHookCommand,
      autoscaling.RecordLifecycleActionHeartbeatCommand,
      autoscaling.ResumeProcessesCommand,
      autoscaling.SetDesiredCapacityCommand,
      autoscaling.SetInstanceHealthCommand,
      autoscaling.SetInstanceProtectionCommand,
      autoscaling.SuspendProcessesCommand,
      autoscaling.TerminateInstanceInAutoScalingGroupCommand,
      autoscaling.UpdateAutoScalingGroupCommand,
    ],
  },
  cloudwatch: {
    Client: cloudwatch.CloudWatchClient as never,
    commands: [cloudwatch.DescribeAlarmsCommand],
  },
  dynamodb: {
    Client: dynamodb.DynamoDBClient as never,
    commands: [dynamodb.GetItemCommand, dynamodb.PutItemCommand, dynamodb.QueryCommand],
  },
  ec2: {
    Client: ec2.EC2Client as never,
    commands: [
      ec2.CreateLaunchTemplateCommand,
      ec2.CreateSnapshotCommand,
      ec2.CreateVolumeCommand,
      ec2.DeleteLaunchTemplateCommand,
      ec2.DeleteSnapshotCommand,
      ec2.DeleteVolumeCommand,
      ec2.DescribeSnapshotsCommand,
      ec2.DescribeVolumesCommand,
      ec2.CreateLaunchTemplateVersionCommand,
      ec2.CreateTagsCommand,
      ec2.DeleteLaunchTemplateVersionsCommand,
      ec2.DeleteTagsCommand,
      ec2.DescribeCapacityReservationsCommand,
      ec2.DescribeImagesCommand,
      ec2.DescribeInstanceAttributeCommand,
      ec2.DescribeInstanceImageMetadataCommand,
      ec2.DescribeInstanceStatusCommand,
      ec2.DescribeInstanceTypesCommand,
      ec2.DescribeInstancesCommand,
      ec2.DescribeLaunchTemplateVersionsCommand,
      ec2.DescribeLaunchTemplatesCommand,
      ec2.DescribePlacementGroupsCommand,
      ec2.DescribeSubnetsCommand,
      ec2.DescribeTagsCommand,
      ec2.ModifyLaunchTemplateCommand,
      ec2.TerminateInstancesCommand,
    ],
  },
  ecs: {
    Client: ecs.ECSClient as never,
    commands: [
      ecs.CreateCapacityProviderCommand,
      ecs.CreateClusterCommand,
      ecs.CreateServiceCommand,
      ecs.DeleteCapacityProviderCommand,
      ecs.DeleteClusterCommand,
      ecs.DeleteServiceCommand,
      ecs.DeleteTaskDefinitionsCommand,
      ecs.DeregisterTaskDefinitionCommand,
      ecs.ListTaskDefinitionsCommand,
      ecs.PutClusterCapacityProvidersCommand,
      ecs.RegisterTaskDefinitionCommand,
      ecs.UpdateServiceCommand,
      ecs.DeleteAttributesCommand,
      ecs.DeregisterContainerInstanceCommand,
      ecs.DescribeCapacityProvidersCommand,
      ecs.DescribeClustersCommand,
      ecs.DescribeContainerInstancesCommand,
      ecs.DescribeServiceDeploymentsCommand,
      ecs.DescribeServicesCommand,
      ecs.DescribeTaskDefinitionCommand,
      ecs.DescribeTasksCommand,
      ecs.GetTaskProtectionCommand,
      ecs.ListAttributesCommand,
      ecs.ListClustersCommand,
      ecs.ListContainerInstancesCommand,
      ecs.ListServiceDeploymentsCommand,
      ecs.ListServicesCommand,
      ecs.ListTasksCommand,
      ecs.PutAttributesCommand,
      ecs.StopTaskCommand,
      ecs.UpdateContainerInstancesStateCommand,
    ],
  },
  elasticloadbalancing: {
    Client: elb.ElasticLoadBalancingClient as never,
    commands: [
      elb.DescribeInstanceHealthCommand,
      elb.DescribeLoadBalancerAttributesCommand,
      elb.DescribeLoadBalancersCommand,
      elb.DescribeTagsCommand,
    ],
  },
  elasticloadbalancingv2: {
    Client: elbV2.ElasticLoadBalancingV2Client as never,
    commands: [
      elbV2.DescribeLoadBalancerAttributesCommand,
      elbV2.DescribeTagsCommand,
      elbV2.DescribeTargetGroupAttributesCommand,
      elbV2.DescribeTargetGroupsCommand,
      elbV2.DescribeTargetHealthCommand,
    ],
  },
  eventbridge: {
    Client: eventBridge.EventBridgeClient as never,
    commands: [eventBridge.PutEventsCommand],
  },
  iam: {
    Client: iam.IAMClient as never,
    commands: [iam.GetInstanceProfileCommand],
  },
  kms: {
    Client: kms.KMSClient as never,
    commands: [kms.GenerateMacCommand],
  },
  logs: { Client: logs.CloudWatchLogsClient as never, commands: [logs.FilterLogEventsCommand] },
  tagging: {
    Client: tagging.ResourceGroupsTaggingAPIClient as never,
    commands: [tagging.GetResourcesCommand],
  },
  sns: { Client: sns.SNSClient as never, commands: [sns.GetTopicAttributesCommand, sns.PublishCommand] },
  ssm: {
    Client: ssm.SSMClient as never,
    commands: [
      ssm.GetCalendarStateCommand,
      ssm.GetParameterCommand,
      ssm.GetParametersByPathCommand,
      ssm.GetParametersCommand,
    ],
  },
  sts: {
    Client: sts.STSClient as never,
    commands: [sts.GetCallerIdentityCommand],
  },
};

/** What is asked of them travels as a form, not as JSON. */
const FORMS = new Set([
  'autoscaling',
  'ec2',
  'elasticloadbalancing',
  'elasticloadbalancingv2',
  'iam',
  'sns',
  'sts',
]);

test('every operation of the world is among them', () => {
  const { operations } = createWorld({ clock: virtualClock(0), seed: 1 });
  const fuzzed = Object.values(FUZZED).flatMap(({ commands }) =>
    commands.map((Command) => (new Command({} as never) as Operation).schema),
  );
  const missing = operations.filter(({ schema }) => !fuzzed.includes(schema));
  // They travel in path and headers, which hold no text at all: see rest-json.test.ts.
  expect(missing.map(({ schema }) => nameOf(schema))).toEqual(['Invoke', 'GetFunctionConfiguration']);
});

describe.each(Object.entries(FUZZED))('the wire of %s', (service, { Client, commands }) => {
  it.each(commands.map((Command) => [Command.name, Command] as const))(
    'carries any %s there and back',
    async (_, Command) => {
      const operation = new Command({} as never) as Operation;
      const { schema } = operation;
      const exchange = { input: {}, output: {} };
      const handle = (input: object) => {
        exchange.input = input;
        return exchange.output;
      };
      const account = simulateAccount({
        clock: virtualClock(0),
        operations: [{ schema, simulates: 'all', handle }],
      });
      const client = new Client(account.clientOptions);
      const asSent = FORMS.has(service) ? withoutEmpty : asIs;
      await fc.assert(
        fc.asyncProperty(anyInputOf(operation), anyOf(outputOf(schema)), async (input, output) => {
          fc.pre(canTravel(inputOf(schema), asSent(input)));
          exchange.output = output ?? {};
          const { $metadata, ...answer } = {
            $metadata: {},
            ...(await client.send(new Command(input as never))),
          };
          expect($metadata).toMatchObject({ httpStatusCode: 200, attempts: 1 });
          expect(asSent(exchange.input)).toEqual(asSent(input));
          if (outputOf(schema).isStructSchema()) expect(answer).toEqual(output);
          expect(account.bugs).toEqual([]);
        }),
        { numRuns: RUNS },
      );
      expect(account.calls.log.length).toBeGreaterThanOrEqual(RUNS);
      expect(nameOf(schema)).toBe(Command.name.replace(/Command$/, ''));
    },
  );
});

/** An operation without an input is sent an empty one. */
const anyInputOf = ({ schema }: Operation) =>
  inputOf(schema).isStructSchema() ? anyOf(inputOf(schema)).map(withoutAddress) : fc.constant({});

/** It decides where the SDK sends the rest. */
const withoutAddress = (input: unknown) => ({ ...Object(input), EndpointId: undefined });

const asIs = (value: unknown) => value;

/** Not with a required member that is lost on the way: `InstanceIds: []` is no `InstanceIds` to EC2. */
function canTravel(schema: NormalizedSchema, input: unknown): boolean {
  try {
    demandRequired(schema, input ?? {});
    return true;
  } catch {
    return false;
  }
}

/** A form has no way to write a structure or map without members, nor ec2Query's an empty list. */
function withoutEmpty(value: unknown): unknown {
  if (value instanceof Date || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (!isStructure(value)) return value;
  const members = Object.entries(value)
    .map(([name, inner]) => [name, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
