import type { Aws } from '../aws/clients.ts';
import { describeTaskDefinition } from '../aws/task-definitions.ts';
import type { Service, Task } from '../core/model/cluster.ts';
import type { TaskDefinition } from '../core/model/placement.ts';
import type { Warning } from '../core/reasons/warnings.ts';

/** Task definitions by ARN. They never change, so each is read once per invocation. */
export interface TaskDefinitionCatalog {
  readonly known: ReadonlyMap<string, TaskDefinition>;
  /** Why some can't be read, if any can't. */
  readonly unread: () => readonly Warning[];
  /** Reads those that the services' next tasks start from. */
  learn(services: readonly Service[]): Promise<void>;
  /** Adds how long tasks that are stopping may take to. */
  timed(tasks: readonly Task[]): Promise<Task[]>;
}

/**
 * One that can't be read is left out: services are compared by their own constraints then, with a warning.
 */
export function taskDefinitionCatalog(aws: Aws): TaskDefinitionCatalog {
  const known = new Map<string, TaskDefinition>();
  let unread: readonly Warning[] = [];
  async function read(arns: readonly string[]) {
    for (const arn of new Set(arns.filter((each) => !known.has(each)))) {
      if (unread.length > 0) return;
      const read = await describeTaskDefinition(aws, arn);
      if (read.kind === 'read') known.set(arn, read.answer);
      else unread = [{ code: 'task-definitions-unread', because: read.because }];
    }
  }
  return {
    known,
    unread: () => unread,
    learn: (services) => read(services.flatMap(({ placement }) => placement?.taskDefinition ?? [])),
    async timed(tasks) {
      await read(tasks.flatMap(({ stopping, definition }) => (stopping && definition) || []));
      return tasks.map((task) => {
        const { stopTimeoutSeconds } = known.get(task.definition ?? '') ?? {};
        return stopTimeoutSeconds === undefined ? task : { ...task, stopTimeoutSeconds };
      });
    },
  };
}
