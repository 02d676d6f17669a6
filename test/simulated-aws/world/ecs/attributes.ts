import type { Instance } from '../ec2/model.ts';
import { subnetIn } from '../ec2/subnets.ts';
import type { State } from '../state.ts';

/** By name; undefined where it has no value. */
export type Attributes = Map<string, string | undefined>;

const EXTERNAL = 'ecs.capability.external';

/** What a service may ask of its hosts' agents that no task definition tells of. */
export const FEATURES = {
  'service-connect': 'ecs.capability.service-connect-v1',
  exec: 'ecs.capability.execute-command',
  'ebs-volumes': 'ecs.capability.storage.ebs-task-volume-attach',
} as const;

/** A few of what an agent of late can do, as it registers them. */
const CAPABILITIES = [
  'com.amazonaws.ecs.capability.privileged-container',
  'com.amazonaws.ecs.capability.docker-remote-api.1.18',
  'com.amazonaws.ecs.capability.docker-remote-api.1.21',
  'com.amazonaws.ecs.capability.logging-driver.awslogs',
  'com.amazonaws.ecs.capability.task-iam-role',
  'ecs.capability.execution-role-awslogs',
  'ecs.capability.task-eni',
  ...Object.values(FEATURES),
] as const;

/**
 * What an instance registers: attributes that every one has, what its agent can do, and those that its user
 * data name.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-placement-constraints.html#attributes
 */
export function attributesAt(state: State, instance: Instance): Attributes {
  const { imageId, instanceType, availabilityZone, agent } = instance;
  if (instanceType === 'external')
    return new Map([EXTERNAL, ...CAPABILITIES].map((name) => [name, undefined]));
  const image = state.images.get(imageId);
  const isWindows = image?.family?.startsWith('windows/') ?? false;
  const able = CAPABILITIES.filter((name) => !image?.lackedCapabilities.has(name));
  return new Map<string, string | undefined>([
    ['ecs.ami-id', imageId],
    ['ecs.availability-zone', availabilityZone],
    ['ecs.instance-type', instanceType],
    ['ecs.os-type', isWindows ? 'windows' : 'linux'],
    ['ecs.os-family', isWindows ? windowsFamily(image?.family) : 'LINUX'],
    ['ecs.cpu-architecture', image?.architecture ?? 'x86_64'],
    ['ecs.subnet-id', subnetIn(state, availabilityZone).id],
    ...able.map((name) => [name, undefined] as const),
    ...Object.entries(agent?.attributes ?? {}),
  ]);
}

/**
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task_definition_parameters.html#runtime-platform
 */
function windowsFamily(family = ''): string {
  const [, year = '', edition = ''] = /(\d{4})-English-(\w+)/.exec(family) ?? [];
  return `WINDOWS_SERVER_${year}_${edition.toUpperCase()}`;
}
