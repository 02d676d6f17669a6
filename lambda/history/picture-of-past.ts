import type { InstanceCourse, Moment, RollPicture, ServiceCourse, Stretch } from '../picture/model.ts';
import { elapsedText } from '../picture/time-axis.ts';
import type { GroupStatus } from '../status/images.ts';
import { type HowFar, replacedText, standingText } from '../status/words.ts';
import type { PastEvent, PastInstance, PastRoll, PastServices } from './past-rolls.ts';

/** After these, the replacements that there are have tasks. */
const PROVES: ReadonlySet<string> = new Set(['trial-passed', 'batch-done', 'completed']);

const TROUBLE: ReadonlySet<string> = new Set([
  'blocked',
  'aborting',
  'rolling-back',
  'aborted',
  'rolled-back',
]);

/** Somebody may have put events on the bus that name any number. */
const MOST_DRAWN = { instances: 1000, services: 50 } as const;

/**
 * A past roll as its events tell it: of an old instance, when it began to drain, and by when it was gone; of
 * a new one, when it was launched, and by when it served.
 *
 * @param now when somebody has looked, and what it waits for then; if it isn't over
 */
export function pictureOfPast(roll: PastRoll, now?: LookedAt): RollPicture {
  const { cluster, group, from, to, events, ended, because } = roll;
  const last = ended ?? roll.last;
  const startedAt = Date.parse(roll.startedAt);
  const secondsAt = (time: string) => (Date.parse(time) - startedAt) / 1000;
  const looked = now === undefined ? 0 : secondsAt(now.at.toISOString());
  const seconds = Math.max(1, roll.seconds ?? 0, looked, ...events.map(({ at }) => secondsAt(at)));
  const hasEnded = ended !== undefined;
  const services = latestOf(events, (each) => each.services?.short, 'name');
  const instances = latestOf(
    [...events, { instances: now?.status.inRoll }],
    (each) => each.instances,
    'instanceId',
  );
  const leftOut = Object.entries({
    events: roll.eventsLeftOut ?? 0,
    services: services.length - MOST_DRAWN.services,
    instances: instances.length - MOST_DRAWN.instances,
  }).flatMap(([noun, count]) => (count > 0 ? [`${count} more ${noun}`] : []));
  return {
    cluster,
    group,
    facts: [
      ['Began', `${roll.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
      ['From', from.join(', ') || '–'],
      ['Onto', to.join(', ') || '–'],
      ['Took', hasEnded ? elapsedText(seconds) : `${elapsedText(seconds)} so far`],
      ['Instances', now === undefined ? replacedText(roll) : standingText([now.status])],
      [hasEnded ? 'Ended' : 'Last event', because === undefined ? last : `${last}: ${because}`],
      ...healthIn(events),
      ...(leftOut.length === 0 ? [] : [['Left out', leftOut.join(', ')] as const]),
    ],
    seconds,
    ...(now !== undefined && { waitsFor: now.status.reason }),
    services: coursesOfServices(services.slice(0, MOST_DRAWN.services), events, secondsAt),
    instances: coursesOfInstances(instances.slice(0, MOST_DRAWN.instances), roll, secondsAt, seconds),
    moments: events.map(
      ({ at, kind, text }): Moment => ({ at: secondsAt(at), text, isTrouble: TROUBLE.has(kind) }),
    ),
  };
}

function healthIn(events: readonly PastEvent[]): [string, string][] {
  const seen = events.flatMap(({ services }) => services ?? []);
  const last = seen.at(-1);
  if (last === undefined || seen.some(({ short }) => short.length > 0)) return [];
  return [['Services', `all ${last.total} had their tasks whenever they were looked at`]];
}

/** As the last event that names each of them does. */
function latestOf<Event, Key extends string, Named extends Readonly<Record<Key, string>>>(
  events: readonly Event[],
  namedIn: (event: Event) => readonly Named[] | undefined,
  key: Key,
): Named[] {
  const latest = events.flatMap((event) => (namedIn(event) ?? []).map((each) => [each[key], each] as const));
  return [...new Map(latest).values()];
}

/** Those that were ever short of tasks: at each look, since it may have been otherwise in between. */
function coursesOfServices(
  services: readonly PastServices['short'][number][],
  events: readonly PastEvent[],
  secondsAt: SecondsAt,
): ServiceCourse[] {
  const looks = events.flatMap(({ at, services }) => (services ? [{ at: secondsAt(at), ...services }] : []));
  return services.map(({ name, desired, least }) => ({
    name,
    desired,
    least,
    points: looks.map(({ at, short }) => ({
      at,
      healthy: short.find((each) => each.name === name)?.running ?? desired,
    })),
  }));
}

/** A look at a roll that is under way. */
export interface LookedAt {
  readonly at: Date;
  readonly status: HowFar & Pick<GroupStatus, 'reason' | 'inRoll'>;
}

type SecondsAt = (time: string) => number;

function coursesOfInstances(
  instances: readonly PastInstance[],
  { events, from: oldImages }: PastRoll,
  secondsAt: SecondsAt,
  end: number,
): InstanceCourse[] {
  const timesOf = (kinds: ReadonlySet<string>) =>
    events.flatMap(({ at, kind }) => (kinds.has(kind) ? [secondsAt(at)] : []));
  const [batchesEnd, prove] = [timesOf(ENDS_BATCH), timesOf(PROVES)];
  const courses = instances.map(({ instanceId, imageId, role, launchedAt, drainStartedAt }) => {
    const since = Math.max(0, secondsAt(role === 'old' ? (drainStartedAt ?? launchedAt) : launchedAt));
    const until = (role === 'old' ? batchesEnd : prove).find((time) => time >= since) ?? end;
    const stretches: Stretch[] =
      role === 'new'
        ? [
            { phase: 'launched', from: since, to: until },
            { phase: 'serving', from: until, to: end },
          ]
        : drainStartedAt === undefined
          ? [{ phase: 'serving', from: 0, to: end }]
          : [
              { phase: 'serving', from: 0, to: since },
              { phase: 'draining', from: since, to: until },
            ];
    // Also what a roll launches that goes back.
    const isOld = role === 'old' || (imageId !== undefined && oldImages.includes(imageId));
    return { instanceId, isOld, stretches: stretches.filter(({ from, to }) => to > from) };
  });
  return courses.sort((a, b) => Number(b.isOld) - Number(a.isOld));
}

/** By then the old instances of a batch are gone. */
const ENDS_BATCH: ReadonlySet<string> = new Set(['batch-done', 'completed', 'aborted', 'rolled-back']);
