import type { State } from '../state.ts';
import { failHealthChecks } from './failures.ts';
import type { Task } from './model.ts';
import type { TaskFailure } from './stops.ts';

/** Which tasks fail: those of services, or of one, on all hosts, or on those that run an image, or on one. */
export interface FailingTasks {
  readonly imageId?: string;
  /** EC2's. */
  readonly instanceId?: string;
  /** Its name. */
  readonly service?: string;
  /** Default: `exits`, once it runs. */
  readonly mode?: TaskFailure;
  /**
   * Hosts start what they have pulled before:
   * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-agent-config.html
   */
  readonly cached?: boolean;
}

export function taskFailureHooks(state: State) {
  const failing: FailingTasks[] = [];
  state.subscribe((event) => {
    if (event.kind !== 'task-placed') return;
    const { task } = event;
    const found = failing.find((one) => fails(one, task));
    if (found) task.failure = found.mode ?? 'exits';
  });

  return {
    /** Tasks that are placed from now on fail there, and are well elsewhere. */
    crashTasksOn(tasks: FailingTasks) {
      failing.push(tasks);
    },
    /**
     * The registry deletes a service's image: no task of it starts any more, but, as `cached`, where it was
     * pulled.
     */
    deleteTaskImage(service: string, cached = false) {
      failing.push({ service, mode: 'image-gone', cached });
    },
    /** Checks of so many running tasks of a service fail from now on; by default of all of them. */
    failChecks(service: string, count = Number.POSITIVE_INFINITY) {
      const all = [...state.clusters.values()].flatMap(({ services }) => services.get(service) ?? []);
      for (const one of all)
        for (const task of [...one.tasks].slice(0, count)) failHealthChecks(state, one, task);
    },
    /** Tasks that are placed from now on are well everywhere. */
    stopCrashing() {
      failing.length = 0;
      for (const { services } of state.clusters.values())
        for (const service of services.values()) if (!service.isCrashing) service.crashes = 0;
    },
  };
}

function fails({ imageId, instanceId, service: name, cached = false }: FailingTasks, task: Task): boolean {
  const { service, containerInstance } = task;
  const { instance, pulled } = containerInstance;
  if (cached && pulled.has(task.family)) return false;
  return (
    service !== undefined &&
    (name ?? service.name) === service.name &&
    (imageId ?? instance.imageId) === instance.imageId &&
    (instanceId ?? instance.id) === instance.id
  );
}
