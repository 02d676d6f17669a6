import { type Account, NAMES } from './account.ts';

/** One field, by its path in the answer, that the two tell differently. */
export interface Difference {
  readonly path: string;
  readonly simulated: unknown;
  readonly moto: unknown;
}

/**
 * What an account gave back: its answer, or the code that it refused with. Ids and times are written as what
 * they are.
 */
export async function tell(account: Account, call: (account: Account) => Promise<object>): Promise<unknown> {
  try {
    const { $metadata: _, ...answer } = (await call(account)) as { $metadata?: unknown };
    return normalise(answer, knownIds(account));
  } catch (error) {
    if (error instanceof Error && '$metadata' in error) return { error: error.name };
    throw error;
  }
}

/** What comes from how the two accounts were furnished, or is worded freely, and is read by nobody here. */
const NOT_COMPARED = new Set([
  'attributes',
  'registeredResources',
  'remainingResources',
  'version',
  'events',
  'AvailabilityZone',
  'AvailabilityZones',
  'VPCZoneIdentifier',
  'HealthCheckGracePeriod',
  'SnapshotId',
  'InstanceProfileId',
  'RoleId',
  'VpcId',
  'PrivateDnsName',
  'PrivateIpAddress',
  'agentVersion',
  'dockerVersion',
  'Cause',
  'Message',
]);

type Ids = ReadonlyMap<string, string>;

function knownIds(account: Account): Ids {
  const { instances, containerInstances, image, newerImage, deprecatedImage } = account;
  return new Map([
    ...instances.map((id, index) => [id, `<instance ${index + 1}>`] as const),
    ...containerInstances.map(
      (arn, index) => [arn.replace(/^.*\//, ''), `<container instance ${index + 1}>`] as const,
    ),
    [image, `<${NAMES.image}>`],
    [newerImage, `<${NAMES.newerImage}>`],
    [deprecatedImage, `<${NAMES.deprecatedImage}>`],
    [account.template, `<${NAMES.template}>`],
    [account.mixedTemplate, `<template of ${NAMES.mixedGroup}>`],
    [account.targetGroup, `<target group ${NAMES.targetGroup}>`],
  ]);
}

/** Lists are sorted: AWS promises no order for any of those here. An empty one is as good as none. */
function normalise(value: unknown, ids: Ids): unknown {
  if (value instanceof Date) return '<time>';
  if (typeof value === 'string') return withoutIds(value, ids);
  if (Array.isArray(value)) {
    const items = value.map((item) => normalise(item, ids)).sort(byIdentity);
    return items.length === 0 ? undefined : items;
  }
  if (!isRecord(value)) return value;
  const compared = Object.entries(value).filter(([key]) => !NOT_COMPARED.has(key));
  return Object.fromEntries(compared.map(([key, item]) => [key, normalise(item, ids)]));
}

/** An id that came up since is told by its kind alone; a time in a text is one like any other. */
function withoutIds(text: string, ids: Ids): string {
  return [...ids]
    .reduce((rest, [id, name]) => rest.replace(new RegExp(`(?<!\\w)${id}(?!\\w)`, 'g'), name), text)
    .replace(/\b(i|ami|lt|r|sg|snap|subnet)-[0-9a-f]{8,17}\b/g, '<$1>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/(?<=:loadbalancer\/app\/\w+\/)[0-9a-f]{16}/, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\becs-svc\/\d+\b/, '<deployment>');
}

/** What tells one item of a list from another. */
const IDENTITIES = ['InstanceId', 'ImageId', 'containerInstanceArn', 'VersionNumber', 'DeviceName', 'Key'];

function byIdentity(a: unknown, b: unknown): number {
  return identityOf(a) < identityOf(b) ? -1 : 1;
}

function identityOf(item: unknown): string {
  const key = isRecord(item) ? IDENTITIES.find((name) => item[name] !== undefined) : undefined;
  return JSON.stringify(isRecord(item) && key !== undefined ? item[key] : item);
}

/**
 * Where moto doesn't tell what the simulated AWS tells. What only moto tells is no difference: the simulated
 * AWS leaves out what nobody here reads.
 */
export function differences(simulated: unknown, moto: unknown, path = ''): Difference[] {
  if (Array.isArray(simulated) && Array.isArray(moto)) {
    if (simulated.length !== moto.length) return [{ path, simulated, moto }];
    return simulated.flatMap((item, index) => differences(item, moto[index], `${path}[]`));
  }
  if (isRecord(simulated) && isRecord(moto)) {
    const refused = 'error' in moto && !('error' in simulated);
    return Object.entries(refused ? { error: undefined } : simulated)
      .filter(([, value]) => value !== undefined || refused)
      .flatMap(([key, value]) => differences(value, moto[key], path === '' ? key : `${path}.${key}`));
  }
  return simulated === moto ? [] : [{ path, simulated, moto }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
