import { canRoll, driftedIn } from '../group/assess.ts';
import type { GroupDecision } from '../group-decision.ts';
import type { Instance } from '../model/group.ts';
import type { RollEvent, RollEventInstance, RollEventKind } from '../model/roll-event.ts';
import { secondsBetween } from '../model/time.ts';
import { type GroupResult, resultOf } from '../result.ts';
import { chatNotification, cut, describeEvent } from '../text/events.ts';

/** What an event is about. */
export interface Subject {
  readonly decided: GroupDecision;
  /** Images that its members ran when it began. */
  readonly from: readonly string[];
  /** Instances that have been marked, as last seen, whether they are still there or not. */
  readonly marked: readonly Instance[];
}

/** An event may have 256 KB: a hundred instances take a tenth of that. */
const MOST_INSTANCES = 100;

/** A reason may name hundreds of services, and stands in `text` and `chat`, too. */
const LONGEST_REASON = 4000;

/** @param distinct tells it from other events of its kind, in the same roll */
export function rollEvent(
  { decided, from, marked }: Subject,
  kind: RollEventKind,
  distinct: readonly string[] = [],
): RollEvent {
  const { group, observation } = decided.assessment;
  const { cluster, now } = observation;
  const startedAt = group.roll?.startedAt;
  const result = resultOf(decided);
  const { imageId, code, reason, because, instances: counts, services } = result;
  const instances = instancesOf(decided, marked);
  const untold = {
    version: '1',
    id: [cluster, group.name, startedAt?.toISOString() ?? 'not begun', kind, ...distinct].join('/'),
    kind,
    at: now.toISOString(),
    cluster,
    group: group.name,
    ...(startedAt && {
      startedAt: startedAt.toISOString(),
      seconds: Math.max(0, Math.round(secondsBetween(startedAt, now))),
    }),
    images: { from, to: imageId?.split(',') ?? [] },
    code,
    reason: cut(reason, LONGEST_REASON),
    ...(because !== undefined && { because: cut(because, LONGEST_REASON) }),
    counts: {
      outdated: counts.drifted,
      detached: counts.detached,
      replaced: counts.replaced,
      total: counts.total,
    },
    ...(services !== undefined && { services }),
    instances: instances.slice(0, MOST_INSTANCES),
    instancesLeftOut: Math.max(0, instances.length - MOST_INSTANCES),
  } as const;
  return { ...untold, text: describeEvent(untold), chat: chatNotification(untold) };
}

/** What is still to be replaced in a roll under way, and what was launched since it began. */
export function instancesInRoll(decided: GroupDecision): Pick<GroupResult, 'inRoll'> {
  const { assessment } = decided;
  const { roll, instances } = assessment.group;
  if (!(roll && canRoll(assessment))) return {};
  const { detached, detaching } = assessment.classified;
  const leaving = instances.filter((each) =>
    detaching.some(({ instanceId }) => instanceId === each.instanceId),
  );
  return { inRoll: instancesOf(decided, [...detached, ...leaving], true) };
}

/** What is replaced, and with `all`, or while no member is marked, what is to be; what was launched since. */
function instancesOf(
  { assessment }: GroupDecision,
  marked: readonly Instance[],
  all = marked.length === 0,
): RollEventInstance[] {
  const { roll, instances } = assessment.group;
  const old = [...marked, ...driftedIn(assessment).map(({ instance }) => instance)];
  const launched = instances.filter(
    ({ instanceId, launchedAt, alive }) =>
      alive && roll && launchedAt >= roll.startedAt && !old.some((each) => each.instanceId === instanceId),
  );
  return [
    ...(all ? old : marked).map((each) => described(each, 'old')),
    ...launched.map((each) => described(each, 'new')),
  ];
}

function described(
  { instanceId, imageId, launchedAt, mark }: Instance,
  role: 'old' | 'new',
): RollEventInstance {
  return {
    instanceId,
    imageId,
    role,
    launchedAt: launchedAt.toISOString(),
    ...(mark && { detachStartedAt: mark.detachStartedAt.toISOString() }),
    ...(mark?.drainStartedAt && { drainStartedAt: mark.drainStartedAt.toISOString() }),
    ...(mark?.drainGivenUpAt && { drainGivenUpAt: mark.drainGivenUpAt.toISOString() }),
  };
}
