import type { InstancePhase, Moment, RollPicture } from '../../lambda/picture/model.ts';
import { elapsedText } from '../../lambda/picture/time-axis.ts';
import type { InstanceSnapshot, ServiceSnapshot } from '../simulated-aws/world/snapshot.ts';
import type { Progress } from './progress.ts';
import type { Report } from './report.ts';
import type { Roll } from './run.ts';

/** What a roll did over time. */
export interface Recording {
  picture(report: Report): RollPicture;
}

interface Course {
  readonly isOld: boolean;
  isThere: boolean;
  readonly stretches: { phase: InstancePhase; from: number; to: number }[];
}

type Points = { readonly at: number; readonly healthy: number }[];

/** Records a roll from now on, whenever anything happens. */
export function record(roll: Roll): Recording {
  const instances = new Map<string, Course>();
  const services = new Map<string, Points>();
  const moments: Moment[] = [];
  let course: Progress['course'] | undefined;
  let told = 0;
  const note = (progress: Progress) => {
    const { elapsedSeconds: at, snapshot, newImage } = progress;
    const daemons = new Set(snapshot.services.filter(isDaemon).map(({ name }) => name));
    for (const instance of snapshot.instances) {
      const known = instances.get(instance.id) ?? {
        // Also of what a roll that goes back launches.
        isOld: instance.imageId !== newImage.id,
        isThere: false,
        stretches: [],
      };
      instances.set(instance.id, known);
      extend(known, phaseOf(instance, known, daemons), at);
    }
    for (const { name, healthyCount: healthy } of snapshot.services.filter((each) => !isDaemon(each))) {
      const points = services.get(name) ?? [];
      services.set(name, points);
      if (points.at(-1)?.healthy !== healthy) points.push({ at, healthy });
    }
    moments.push(...turnsOf(progress, course), ...killsOf(progress, told));
    course = progress.course;
    told = progress.told.length;
  };
  note(roll.progress());
  roll.watch(() => note(roll.progress()));
  return {
    picture(report) {
      const last = roll.progress();
      note(last);
      return {
        cluster: last.cluster,
        group: last.snapshot.instances.find(({ group }) => group !== undefined)?.group ?? '',
        facts: factsOf(report, last),
        seconds: last.elapsedSeconds,
        services: last.snapshot.services
          .filter((each) => !isDaemon(each))
          .map(({ name, desiredCount, minimumHealthyCount }) => ({
            name,
            desired: desiredCount,
            least: minimumHealthyCount,
            points: services.get(name) ?? [],
          })),
        instances: [...instances].map(([instanceId, { isOld, stretches }]) => ({
          instanceId,
          isOld,
          stretches,
        })),
        moments,
      };
    },
  };
}

function isDaemon({ strategy }: ServiceSnapshot): boolean {
  return strategy === 'DAEMON';
}

/** What it did last has gone on until now. */
function extend(course: Course, phase: InstancePhase | undefined, at: number): void {
  const last = course.stretches.at(-1);
  if (last !== undefined && course.isThere) last.to = at;
  course.isThere = phase !== undefined;
  if (phase !== undefined && phase !== last?.phase) course.stretches.push({ phase, from: at, to: at });
}

/** Undefined once it ends. */
function phaseOf(
  { state, containerInstanceStatus, tasks }: InstanceSnapshot,
  { stretches }: Course,
  daemons: ReadonlySet<string>,
): InstancePhase | undefined {
  if (state !== 'pending' && state !== 'running') return undefined;
  if (containerInstanceStatus === 'DRAINING') return 'draining';
  const isServing = tasks.some((task) => !daemons.has(task));
  if (containerInstanceStatus === 'ACTIVE') return isServing ? 'serving' : 'registered';
  // Deregistered, it is about to be terminated.
  return stretches.some(({ phase }) => phase === 'draining') ? 'draining' : 'launched';
}

function turnsOf(
  { course, elapsedSeconds: at, phase }: Progress,
  before: Progress['course'] | undefined,
): Moment[] {
  if (before === undefined || course === before || phase.kind === 'over') return [];
  if (course === 'back')
    return [{ at, text: 'The new image has failed: the roll goes back', isTrouble: true }];
  return before === 'trial' ? [{ at, text: 'The canary has passed', isTrouble: false }] : [];
}

function killsOf({ told }: Progress, since: number): Moment[] {
  return told
    .slice(since)
    .filter(({ kind }) => kind === 'killed')
    .map(({ atSeconds: at, number }) => ({ at, text: `Invocation ${number} is killed`, isTrouble: true }));
}

function factsOf(
  { ending, reason, invocations, kills, taskMoves }: Report,
  last: Progress,
): RollPicture['facts'] {
  return [
    ['Onto', `${last.newImage.name} (${last.newImage.id})`],
    ['Ended', `${ending ?? 'not at all'}: ${reason}`],
    ['Took', `${elapsedText(last.elapsedSeconds)} of simulated time`],
    ['Invocations', `${invocations}, of which ${kills} killed`],
    ...(ending === 'completed'
      ? [
          [
            'Moves',
            `${taskMoves.mean.toFixed(2)} for each task on average, of which the first can't be spared`,
          ] as const,
        ]
      : []),
  ];
}
