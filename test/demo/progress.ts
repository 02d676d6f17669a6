import { replacedText } from '../../lambda/status/words.ts';
import type { InstanceSnapshot, Snapshot } from '../simulated-aws/world/snapshot.ts';
import type { Told } from './told.ts';

/** What a roll has come to, once it is over. */
export type RollEnding = 'completed' | 'rolled-back';

/** What the function is doing, if it is running at all. */
export type Phase =
  | { readonly kind: 'invoked'; readonly number: number; readonly action: string }
  | {
      readonly kind: 'between';
      readonly number: number;
      readonly ending: Ending;
      /** The next invocation, by simulated time since the start. */
      readonly next: { readonly action: string; readonly atSeconds: number };
    }
  | {
      readonly kind: 'over';
      /** Undefined where it came to no end. */
      readonly ending: RollEnding | undefined;
      /** It is what was to be shown. */
      readonly isExpected: boolean;
    };

/** How an invocation ended that was not the last. */
export type Ending =
  | { readonly kind: 'killed'; readonly calls: number }
  | { readonly kind: 'answered'; readonly state: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** It was only to go on, and nothing had begun. */
  | { readonly kind: 'idle' };

/** Everything that is shown while it rolls, at one moment. */
export interface Progress {
  /** Simulated time since the start. */
  readonly elapsedSeconds: number;
  readonly speed: number;
  readonly cluster: string;
  readonly newImage: { readonly id: string; readonly name: string };
  /** What is wrong with the new image, as a clause. */
  readonly flaw: string | undefined;
  /** The members that the roll began with. */
  readonly oldIds: readonly string[];
  readonly snapshot: Snapshot;
  /** Healthy share of its tasks that each service had at its worst, in percent. */
  readonly lowestPercent: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly phase: Phase;
  /** The function's latest reason, as long as it runs. */
  readonly reason: string | undefined;
  readonly told: readonly Told[];
  /** Where the roll goes: it tries the first batch, replaces the others, or gives the old image back. */
  readonly course: 'trial' | 'forward' | 'back';
}

/** Where an instance stands in the roll. */
export type Classification = 'waits' | 'drains' | 'gone' | 'starts' | 'tried' | 'serves';

/** One instance as its line shows it. */
export interface Row {
  readonly id: string;
  readonly image: 'old' | 'new';
  /** It was there when the roll began. */
  readonly isFirst: boolean;
  readonly classified: Classification;
  readonly group: string;
  readonly ec2: string;
  readonly ecs: string;
  /** By the names of their services. */
  readonly tasks: readonly string[];
}

const NOTHING = '–';

export function rowsOf({ snapshot, oldIds, newImage, course }: Progress): Row[] {
  return snapshot.instances.map((instance) => ({
    id: instance.id,
    image: instance.imageId === newImage.id ? 'new' : 'old',
    isFirst: oldIds.includes(instance.id),
    classified: classificationOf(instance, oldIds.includes(instance.id), course),
    group: instance.lifecycleState ?? (isAlive(instance) ? 'detached' : NOTHING),
    ec2: instance.state,
    ecs: ecsOf(instance),
    tasks: [...instance.tasks].sort(),
  }));
}

/** How many of the old instances are ended, and how many are being drained. */
export function countsOf(progress: Progress): { ended: number; draining: number; total: number } {
  const old = rowsOf(progress).filter(({ isFirst }) => isFirst);
  const alive = old.filter(({ classified }) => classified !== 'gone');
  return {
    ended: progress.oldIds.length - alive.length,
    draining: alive.filter(({ classified }) => classified === 'drains').length,
    total: progress.oldIds.length,
  };
}

/** How far it has come, for the bar and beside it. */
export function standing(progress: Progress): string {
  const { ended, total } = countsOf(progress);
  const { course, phase, snapshot, newImage } = progress;
  if (course === 'back' || isRolledBack(progress)) {
    const had = snapshot.instances.filter(({ imageId }) => imageId === newImage.id).length;
    const where = phase.kind === 'over' ? 'back on the old image' : 'going back';
    return `${where}; ${had === 0 ? 'none' : had} had the new image`;
  }
  const tried = rowsOf(progress).filter(({ classified }) => classified === 'tried').length;
  return `${replacedText({ replaced: ended, total })}${tried > 0 ? `, ${tried} on trial` : ''}`;
}

export function isRolledBack({ phase }: Progress): boolean {
  return phase.kind === 'over' && phase.ending === 'rolled-back';
}

function classificationOf(
  instance: InstanceSnapshot,
  isFirst: boolean,
  course: Progress['course'],
): Classification {
  if (!isAlive(instance)) return 'gone';
  const { containerInstanceStatus: status, lifecycleState, agentConnected } = instance;
  if (isFirst) return status === 'ACTIVE' ? 'waits' : 'drains';
  if (lifecycleState === undefined) return 'drains';
  if (lifecycleState !== 'InService' || status !== 'ACTIVE' || !agentConnected) return 'starts';
  return course === 'trial' ? 'tried' : 'serves';
}

function ecsOf(instance: InstanceSnapshot): string {
  const { containerInstanceStatus: status, agentConnected } = instance;
  if (status === undefined || status === 'INACTIVE') return NOTHING;
  return agentConnected ? status : 'no agent';
}

function isAlive({ state }: InstanceSnapshot): boolean {
  return state === 'pending' || state === 'running';
}

/** Simulated time as `12:34`, or `1:02:34`. */
export function timeOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(whole % 60)}`;
}
