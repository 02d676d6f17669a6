import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand, DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeClustersCommand, ECSClient } from '@aws-sdk/client-ecs';
import type { NormalizedSchema } from '@smithy/core/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import { inputOf, keyOf, membersOf } from '../wire/schema.ts';
import { anyOf } from '../wire/schema-arbitrary.ts';
import { createWorld } from '../world/world.ts';
import { simulateAccount } from './account.ts';
import type { Declaration } from './simulated-input.ts';

const ANY_TYPE = { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 4096 } };

const SDK_FOLDER = 'node_modules/@aws-sdk/client-ec2/dist-types/models';
const SDK_TYPES = readdirSync(SDK_FOLDER)
  .map((file) => readFileSync(join(SDK_FOLDER, file), 'utf8'))
  .join('\n');

const world = createWorld({ clock: virtualClock(0), seed: 1 });

/** A part of an input that isn't declared as simulated, and an input that gives it and nothing else. */
interface Undeclared {
  readonly path: string;
  readonly input: object;
}

function undeclared(schema: NormalizedSchema, declared: Declaration, path: string[] = []): Undeclared[] {
  if (declared === 'all' || !schema.isStructSchema()) return [];
  return membersOf(schema).flatMap(({ name, schema: member }) => {
    const within = [...path, name];
    const inner = Array.isArray(declared) ? undefined : (declared as { [name: string]: Declaration })[name];
    if (inner !== undefined && !Array.isArray(inner))
      return undeclared(itemOf(member), inner, within).map(({ path, input }) => ({
        path,
        input: { [name]: member.isListSchema() ? [input] : input },
      }));
    const value = inner ? otherThan(member, inner) : someOf(member);
    const shown = inner
      ? `${within.join('.')} ${member.isListSchema() ? [value].flat()[0] : value}`
      : undefined;
    return [{ path: shown ?? within.join('.'), input: { [name]: value } }];
  });
}

const itemOf = (schema: NormalizedSchema) => (schema.isListSchema() ? schema.getValueSchema() : schema);

/** The least that counts as given. */
function someOf(schema: NormalizedSchema): unknown {
  if (schema.isStructSchema() || schema.isMapSchema()) return {};
  if (schema.isListSchema()) return [someOf(schema.getValueSchema())];
  return fc.sample(anyOf(schema), { numRuns: 1, seed: 1 })[0];
}

function otherThan(schema: NormalizedSchema, values: readonly unknown[]): unknown {
  if (schema.isListSchema()) return [otherThan(schema.getValueSchema(), values)];
  if (schema.isBooleanSchema()) return !values[0];
  return schema.isNumericSchema() ? 12_345 : 'something-else';
}

const CASES = world.operations.map(({ schema, simulates, handle }) => ({
  key: keyOf(schema),
  refused: inputOf(schema).isStructSchema() ? undeclared(inputOf(schema), simulates) : [],
  handle,
}));

describe.each(CASES)('$key', ({ key, refused, handle }) => {
  it(`refuses by their names the ${refused.length} parts of its input that aren't simulated`, () => {
    for (const { path, input } of refused)
      expect(() => handle(input), path).toThrow(
        expect.objectContaining({
          code: 'NotImplemented',
          statusCode: 501,
          message: `${key}: ${path} is not simulated`,
        }),
      );
  });
});

describe('over the wire', () => {
  const { clientOptions } = simulateAccount({ clock: virtualClock(0), operations: world.operations });
  const refused = (name: string) =>
    expect.objectContaining({
      name: 'NotImplemented',
      message: `${name} is not simulated`,
      $metadata: expect.objectContaining({ httpStatusCode: 501, attempts: 1 }),
    });

  it.each([
    ['VPCZoneIdentifier', { VPCZoneIdentifier: 'subnet-0000000000000000a' }],
    ['HealthCheckType EBS', { HealthCheckType: 'EBS' }],
    [
      'InstanceMaintenancePolicy.MinHealthyPercentage 90',
      { InstanceMaintenancePolicy: { MinHealthyPercentage: 90, MaxHealthyPercentage: -1 } },
    ],
  ])('an update of a group refuses %s', async (path, input) => {
    const sent = new AutoScalingClient(clientOptions).send(
      new UpdateAutoScalingGroupCommand({ AutoScalingGroupName: 'g', ...input }),
    );
    await expect(sent).rejects.toEqual(refused(`autoscaling.UpdateAutoScalingGroup: ${path}`));
  });

  it('a launch template of any type that has some attributes is refused', async () => {
    const sent = new EC2Client(clientOptions).send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: 't',
        LaunchTemplateData: { ImageId: 'ami-1', InstanceRequirements: ANY_TYPE },
      }),
    );
    const what = 'ec2.CreateLaunchTemplate: LaunchTemplateData.InstanceRequirements';
    await expect(sent).rejects.toEqual(refused(what));
  });

  it('what ECS is to include is refused unless it is simulated', async () => {
    const sent = new ECSClient(clientOptions).send(
      new DescribeClustersCommand({ clusters: ['a'], include: ['TAGS', 'SETTINGS'] }),
    );
    const what = 'ecs.DescribeClusters: include SETTINGS';
    await expect(sent).rejects.toEqual(refused(what));
  });

  it('a filter that EC2 has is refused as not simulated, another as EC2 refuses it', async () => {
    const filter = (Name: string) =>
      new EC2Client(clientOptions).send(new DescribeInstancesCommand({ Filters: [{ Name, Values: ['a'] }] }));
    await expect(filter('host-id')).rejects.toEqual(refused('ec2.DescribeInstances: Filters host-id'));
    await expect(filter('colour')).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidParameterValue', message: "The filter 'colour' is invalid" }),
    );
  });

  it('an empty list counts as none', async () => {
    const { AutoScalingGroups } = await new AutoScalingClient(clientOptions).send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [], Filters: [] }),
    );
    expect(AutoScalingGroups).toEqual([]);
  });
});

describe('filters of EC2', () => {
  it.each(world.operations.filter(({ schema }) => keyOf(schema).startsWith('ec2.Describe')))(
    '$schema.2 knows all that the SDK documents',
    ({ schema, handle }) => {
      const refusals = documentedFilters(schema[2]).map((Name) => {
        try {
          handle({ Filters: [{ Name, Values: ['a'] }] });
          return undefined;
        } catch (error) {
          return error;
        }
      });
      for (const refusal of refusals)
        if (refusal) expect(refusal).toMatchObject({ code: 'NotImplemented', statusCode: 501 });
    },
  );
});

/**
 * Names as the text of the SDK's types lists them, those of the lists within it too, which no name looks
 * like.
 */
function documentedFilters(operation: string): string[] {
  const [, request = ''] = SDK_TYPES.split(`export interface ${operation}Request {`);
  const doc = request.split('\n}')[0]?.split('Filters?:')[0]?.split('/**').at(-1) ?? '';
  const names = [...doc.matchAll(/<li>[\s*]*<p>[\s*]*<code>([a-z][a-z0-9.-]+)<\/code>/g)];
  return names.flatMap(([, name = '']) => (SEVERITIES.has(name) ? [] : [name === 'tag' ? 'tag:key' : name]));
}

const SEVERITIES = new Set(['informational', 'low', 'medium', 'high', 'critical']);
