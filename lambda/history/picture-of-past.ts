import type { InstanceCourse, Moment, RollPicture, ServiceCourse, Stretch } from '../picture/model.ts';
import { timeText } from '../picture/time-axis.ts';
import type { PastEvent, PastRoll } from './past-rolls.ts';

/** After these, the replacements that there are have tasks. */
const PROVES: ReadonlySet<string> = new Set(['trial-passed', 'batch-done', 'completed']);

const TROUBLE: ReadonlySet<string> = new Set([
  'blocked',
  'aborting',
  'rolling-back',
  'aborted',
  'rolled-back',
]);

/**
 * A past roll as its events tell it: of an old instance, when it began to drain, and by when it was gone; of
 * a new one, when it was launched, and by when it served.
 *
 * @param now when somebody has looked, and what it waits for then; if it isn't over
 */
export function pictureOfPast(roll: PastRoll, now?: LookedAt): RollPicture {
  const { cluster, group, from, to, events, ended, because, replaced, total } = roll;
  const startedAt = Date.parse(roll.startedAt);
  const secondsAt = (time: string) => (Date.parse(time) - startedAt) / 1000;
  const looked = now === undefined ? 0 : secondsAt(now.at.toISOString());
  const seconds = Math.max(1, roll.seconds ?? 0, looked, ...events.map(({ at }) => secondsAt(at)));
  const hasEnded = roll.endedAt !== undefined;
  return {
    cluster,
    group,
    facts: [
      ['Began', roll.startedAt],
      ['From', from.join(', ') || '–'],
      ['Onto', to.join(', ') || '–'],
      ['Took', hasEnded ? timeText(seconds) : `${timeText(seconds)} so far`],
      ['Replaced', `${replaced} of ${total}`],
      [hasEnded ? 'Ended' : 'Told last', because === undefined ? ended : `${ended}: ${because}`],
      ...healthIn(events),
    ],
    seconds,
    ...(now !== undefined && { waitsFor: now.waitsFor }),
    services: servicesIn(events, secondsAt),
    instances: instancesIn(events, secondsAt, seconds),
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

/** Those that were ever short of tasks: at each look, since it may have been otherwise in between. */
function servicesIn(events: readonly PastEvent[], secondsAt: SecondsAt): ServiceCourse[] {
  const looks = events.flatMap(({ at, services }) => (services ? [{ at: secondsAt(at), ...services }] : []));
  const latest = new Map(looks.flatMap(({ short }) => short.map((each) => [each.name, each] as const)));
  return [...latest.values()].map(({ name, desired, least }) => ({
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
  readonly waitsFor: string;
}

type SecondsAt = (time: string) => number;

function instancesIn(events: readonly PastEvent[], secondsAt: SecondsAt, end: number): InstanceCourse[] {
  const latest = new Map(
    events.flatMap(({ instances = [] }) => instances.map((each) => [each.instanceId, each] as const)),
  );
  const firstAfter = (since: number, kinds: ReadonlySet<string>) =>
    events.find(({ at, kind }) => kinds.has(kind) && secondsAt(at) >= since);
  const courses = [...latest.values()].map(({ instanceId, role, launchedAt, drainStartedAt }) => {
    const since = Math.max(0, secondsAt(role === 'old' ? (drainStartedAt ?? launchedAt) : launchedAt));
    const next = firstAfter(since, role === 'old' ? ENDS_BATCH : PROVES);
    const until = next === undefined ? end : secondsAt(next.at);
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
    return { instanceId, isOld: role === 'old', stretches: stretches.filter(({ from, to }) => to > from) };
  });
  return courses.sort((a, b) => Number(b.isOld) - Number(a.isOld));
}

/** By then the old instances of a batch are gone. */
const ENDS_BATCH: ReadonlySet<string> = new Set(['batch-done', 'completed', 'aborted', 'rolled-back']);
