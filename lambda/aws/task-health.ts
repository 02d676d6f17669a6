import type { Task as AwsTask, HealthStatus } from '@aws-sdk/client-ecs';
import { serviceIn } from '../core/model/task-group.ts';
import type { Aws } from './clients.ts';
import { describeTasksByArn, type TasksRead } from './tasks.ts';

/** A task of a service that runs and should. */
export interface RunningTask {
  readonly arn: string;
  readonly service: string;
  readonly containerInstanceArn: string;
  readonly startedAt?: Date;
  /** What its containers' checks say; UNKNOWN if they have none, or none has ended yet. */
  readonly health: HealthStatus;
  /** Ports of its host, and addresses of its own, under which load balancers know it. */
  readonly ports: readonly number[];
  readonly addresses: readonly string[];
}

/** @param arns of tasks that should run */
export async function describeTaskHealth(
  aws: Aws,
  cluster: string,
  arns: readonly string[],
  read: TasksRead,
): Promise<RunningTask[]> {
  const tasks = await describeTasksByArn(aws, cluster, arns, read);
  return tasks.flatMap((task) => {
    const {
      taskArn: arn = '',
      group = '',
      lastStatus,
      desiredStatus,
      containerInstanceArn = '',
      startedAt,
    } = task;
    const service = serviceIn(group);
    if (service === undefined || lastStatus !== 'RUNNING' || desiredStatus === 'STOPPED') return [];
    const { healthStatus: health = 'UNKNOWN' } = task;
    return [
      { arn, service, containerInstanceArn, health, ...(startedAt && { startedAt }), ...placesOf(task) },
    ];
  });
}

function placesOf({ containers = [], attachments = [] }: AwsTask): Pick<RunningTask, 'ports' | 'addresses'> {
  return {
    ports: containers.flatMap(({ networkBindings = [] }) =>
      networkBindings.flatMap(({ hostPort }) => hostPort ?? []),
    ),
    addresses: [
      ...containers.flatMap(({ networkInterfaces = [] }) =>
        networkInterfaces.flatMap((each) => [each.privateIpv4Address, each.ipv6Address]),
      ),
      ...attachments.flatMap(({ details = [] }) =>
        details.flatMap(({ name, value }) => (/^privateIPv4Address$/i.test(name ?? '') ? [value] : [])),
      ),
    ].filter((address) => address !== undefined),
  };
}
