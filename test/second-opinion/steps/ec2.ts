import {
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  type Filter,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import type { Account } from '../account.ts';
import { type Step, step, UNKNOWN_INSTANCE } from './step.ts';

const UNKNOWN_IMAGE = 'ami-0123456789abcdef0';
const TAGS = [
  { Key: 'terminate', Value: 'true' },
  { Key: 'cluster', Value: 'main' },
];

const filtered =
  (...filters: readonly [name: string, ...values: string[]][]) =>
  (at: Account) =>
    instances(
      at,
      filters.map(([Name, ...Values]) => ({ Name, Values })),
    );

/** One instance for each reservation or all in one: that is nobody's concern here. */
async function instances({ ec2 }: Account, Filters: Filter[]) {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters }));
  return { Instances: Reservations.flatMap((reservation) => reservation.Instances ?? []) };
}

const running = ['instance-state-name', 'pending', 'running'] as const;

export const EC2_STEPS: readonly Step[] = [
  step('describe living instances', filtered([...running])),
  step('describe instances by id, in a filter, one unknown', (at) =>
    instances(at, [{ Name: 'instance-id', Values: [at.instances[0] ?? '', UNKNOWN_INSTANCE] }]),
  ),
  step('describe an unknown instance by id', ({ ec2 }) =>
    ec2.send(new DescribeInstancesCommand({ InstanceIds: [UNKNOWN_INSTANCE] })),
  ),
  step('tag instances', ({ ec2, instances: ids }) =>
    ec2.send(new CreateTagsCommand({ Resources: ids.slice(1, 3), Tags: TAGS })),
  ),
  step('tag an unknown instance', ({ ec2 }) =>
    ec2.send(new CreateTagsCommand({ Resources: [UNKNOWN_INSTANCE], Tags: TAGS })),
  ),
  step('describe instances by a tag', filtered(['tag:cluster', 'main', 'other'])),
  step('describe instances by a tag with another value', filtered(['tag:cluster', 'other'])),
  step('describe instances by a tag and their state', filtered(['tag:terminate', 'true'], [...running])),
  step('describe instances by the key of a tag', filtered(['tag-key', 'terminate'])),
  step('describe instances by a pattern', filtered(['tag:cluster', 'm*n'])),
  step('take tags away', ({ ec2, instances: [, , third = ''] }) =>
    ec2.send(
      new DeleteTagsCommand({ Resources: [third], Tags: [{ Key: 'terminate' }, { Key: 'never-there' }] }),
    ),
  ),
  step('describe what that left', filtered(['tag:cluster', 'main'])),
  step('describe images by a pattern', ({ ec2 }) =>
    ec2.send(
      new DescribeImagesCommand({
        Owners: ['self'],
        Filters: [
          { Name: 'name', Values: ['golden-*'] },
          { Name: 'state', Values: ['available'] },
        ],
      }),
    ),
  ),
  step('describe deprecated images too', ({ ec2 }) =>
    ec2.send(
      new DescribeImagesCommand({
        IncludeDeprecated: true,
        Filters: [{ Name: 'name', Values: ['golden-*'] }],
      }),
    ),
  ),
  step('describe own images by their architecture', ({ ec2 }) =>
    ec2.send(
      new DescribeImagesCommand({
        Owners: ['self'],
        Filters: [{ Name: 'architecture', Values: ['arm64'] }],
      }),
    ),
  ),
  step('describe images of nobody known', ({ ec2 }) =>
    ec2.send(
      new DescribeImagesCommand({ Owners: ['self'], Filters: [{ Name: 'name', Values: ['unknown-*'] }] }),
    ),
  ),
  step('describe images by id, in a filter, one unknown', ({ ec2, image }) =>
    ec2.send(new DescribeImagesCommand({ Filters: [{ Name: 'image-id', Values: [image, UNKNOWN_IMAGE] }] })),
  ),
  step('describe an unknown image by id', ({ ec2 }) =>
    ec2.send(new DescribeImagesCommand({ ImageIds: [UNKNOWN_IMAGE] })),
  ),
  step('terminate an unknown instance', ({ ec2 }) =>
    ec2.send(new TerminateInstancesCommand({ InstanceIds: [UNKNOWN_INSTANCE] })),
  ),
];

/** At the end, for an instance of a group is replaced. */
export const TERMINATION_STEPS: readonly Step[] = [
  step('terminate an instance', async ({ ec2, instances: ids }) => {
    const { TerminatingInstances = [] } = await ec2.send(
      new TerminateInstancesCommand({ InstanceIds: ids.slice(1, 2) }),
    );
    return { TerminatingInstances };
  }),
  step('describe it after that', (at) =>
    instances(at, [{ Name: 'instance-id', Values: at.instances.slice(1, 2) }]),
  ),
  step('terminate it once more', ({ ec2, instances: ids }) =>
    ec2.send(new TerminateInstancesCommand({ InstanceIds: ids.slice(1, 2) })),
  ),
];
