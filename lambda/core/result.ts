import type { Decision } from './actions/decision.ts';
import { heldBackDays } from './days-behind.ts';
import { canRoll, driftedIn } from './group/assess.ts';
import type { GroupDecision } from './group-decision.ts';
import type { GroupAssessment } from './model/assessment.ts';
import type { Forecast } from './model/forecast.ts';
import type { Group } from './model/group.ts';
import type { RollEventInstance } from './model/roll-event.ts';
import { type ServicesHealth, servicesHealth } from './model/services-health.ts';
import type { Untrusted } from './model/untrusted.ts';
import { type ClusterCode, type ClusterReason, describeCluster } from './reasons/clusters.ts';
import { type Reason, type ReasonCode, sentenceOf } from './reasons/reason.ts';
import { describeWarning } from './reasons/warnings.ts';
import { describeDecision } from './text/decision.ts';
import { describeUntrusted } from './text/describe-untrusted.ts';

/** What the function answers for one group. */
export interface GroupResult {
  readonly cluster: string;
  /** `*` if it is about the cluster as a whole. */
  readonly group: string;
  readonly state:
    | 'up-to-date'
    | 'skipped'
    | 'planned'
    | 'in-progress'
    | 'paused'
    | 'completed'
    | 'aborted'
    | 'rolled-back'
    | 'blocked'
    | 'failed';
  /**
   * The image the group is, or would be, rolled onto; null if unknown. Several, for several families or
   * architectures, are separated by commas.
   */
  readonly imageId: string | null;
  readonly instances: InstanceCounts;
  /** What the members run now, the most common image first; absent where nothing was read. */
  readonly running?: readonly RunningImage[];
  /** Members and warm pool instances still to be replaced, and why. */
  readonly outdated: readonly OutdatedInstance[];
  /** `reason` as a code for programs: it stays the same when the wording changes. */
  readonly code: ResultCode;
  /** A sentence for a person. */
  readonly reason: string;
  /** What people are asked to `approve` or `refuse`; absent if nothing, or nothing any more. */
  readonly question?: string;
  /** How the services of its cluster fare; absent where they weren't read. */
  readonly services?: ServicesHealth;
  /** From when its announced roll begins by itself, ISO 8601; only in the answers to `plan` and `status`. */
  readonly announcedFor?: string;
  /** Who drains what the group ends outside a roll; only in the answers to `plan` and `status`. */
  readonly endsDrainedBy?: string;
  /** What it ends right now, one sentence each; absent if nothing, and with `endsDrainedBy` alone. */
  readonly ending?: readonly string[];
  /** Where the roll goes if it doesn't go on, and why; only once it is aborted or rolled back. */
  readonly course?: 'abort' | 'rollback';
  readonly because?: string;
  /** `because` as a code, as far as the group's tags record it. */
  readonly becauseCode?: ReasonCode;
  /**
   * Problems that won't stop the roll but that people should know about, one sentence each; absent if none.
   */
  readonly warnings?: readonly string[];
  /** Tags of ours that are ignored because something else wrote them; absent if none. */
  readonly untrusted?: readonly Untrusted[];
  /** The abort or rollback was requested by a tag, which anyone allowed to tag the group can write. */
  readonly requestedByTag?: true;
  /**
   * Days a newer image has been available while the group or a member is kept from it; see `heldBackDays`.
   */
  readonly heldBackDays?: number;
  /** What a roll would do, step by step; only in the answer to `plan`. */
  readonly steps?: readonly string[];
  /**
   * How long a roll would take if all goes well, from when it may begin, or what is left of it; only in the
   * answers to `plan` and, of a roll under way, `status`. Absent where a roll isn't foreseen to its end.
   */
  readonly forecast?: Forecast;
  /** What a roll under way replaces and has launched; only in the answers to `plan` and `status`. */
  readonly inRoll?: readonly RollEventInstance[];
}

/** The code of a group's decision, of a failure, or of a message about a whole cluster. */
export type ResultCode = ReasonCode | 'failed' | ClusterCode;

export interface RunningImage {
  readonly imageId: string;
  /** How many members run it. */
  readonly instances: number;
}

export interface OutdatedInstance {
  readonly instanceId: string;
  readonly imageId: string;
  /** ISO 8601. */
  readonly launchedAt: string;
  /** Each is `image`, `launch-spec`, `age` or `force`. */
  readonly reasons: readonly string[];
}

export interface InstanceCounts {
  /** Members still to be replaced. */
  readonly drifted: number;
  /** Old instances that are detached, or about to be, but not yet terminated. */
  readonly detached: number;
  /** Members launched since the roll began that run its image, less the detached that are still to end. */
  readonly replaced: number;
  /** Members of the group. */
  readonly total: number;
}

const NONE: InstanceCounts = { drifted: 0, detached: 0, replaced: 0, total: 0 };

/** The state of a group after the latest observation and decision. */
export function resultOf({ assessment, decision, warnings }: GroupDecision): GroupResult {
  const { group, observation } = assessment;
  const days = heldBackDays(assessment, decision);
  const services = observation.details?.services;
  const question = questionIn(decision.reason);
  return {
    cluster: observation.cluster,
    group: group.name,
    state: stateOf(assessment, decision),
    imageId: imageIdsOf(group).join(',') || null,
    instances: countsOf(assessment),
    running: runningImages(group),
    outdated: outdatedInstances(assessment),
    code: decision.reason.code,
    reason: describeDecision(decision),
    ...(question !== undefined && { question }),
    ...(services !== undefined && { services: servicesHealth(services) }),
    ...becauseOf(group),
    ...(warnings.length > 0 && { warnings: warnings.map((each) => describeWarning(each)) }),
    ...(days !== undefined && { heldBackDays: Math.round(days * 100) / 100 }),
  };
}

function questionIn(reason: Reason): string | undefined {
  if (reason.code === 'approval-awaited') return reason.question;
  return reason.code === 'hook-refuses' ? reason.unanswered?.question : undefined;
}

function becauseOf({ roll }: Group): Partial<GroupResult> {
  if (roll === undefined || roll.course.kind === 'forward') return {};
  const { kind: course, because } = roll.course;
  return {
    ...(!roll.onlyAnnounced && { course }),
    because: `${roll.onlyAnnounced ? 'skipped: ' : ''}${sentenceOf(because)}`,
    becauseCode: because.code,
    ...(because.code === 'asked-by-tag' && { requestedByTag: true }),
  };
}

/** Adds the tags that are ignored to a result. */
export function withUntrusted(result: GroupResult, untrusted: readonly Untrusted[] = []): GroupResult {
  if (untrusted.length === 0) return result;
  return { ...result, warnings: [...(result.warnings ?? []), ...describeUntrusted(untrusted)], untrusted };
}

/** Instances to be replaced, in words for a person. */
export function outdatedInstances(assessment: GroupAssessment): OutdatedInstance[] {
  return driftedIn(assessment).map(({ instance: { instanceId, imageId, launchedAt }, reasons }) => ({
    instanceId,
    imageId,
    launchedAt: launchedAt.toISOString(),
    reasons,
  }));
}

function runningImages({ members, instances }: Group): RunningImage[] {
  const attached = new Set(members.map(({ instanceId }) => instanceId));
  const counts = new Map<string, number>();
  for (const { instanceId, imageId } of instances)
    if (attached.has(instanceId)) counts.set(imageId, (counts.get(imageId) ?? 0) + 1);
  return [...counts]
    .map(([imageId, count]) => ({ imageId, instances: count }))
    .sort((a, b) => b.instances - a.instances);
}

function imageIdsOf({ launch, roll }: Group): readonly string[] {
  if ('obstacle' in launch) return roll?.imageIds ?? [];
  return [...new Set(launch.sources.map(({ target }) => target.imageId))];
}

/** A failure, with what was known of the group before it. */
export function failedResult(
  cluster: string,
  group: string,
  reason: string,
  before: GroupResult | undefined,
): GroupResult {
  const { imageId = null, instances = NONE, outdated = [] } = before ?? {};
  return { cluster, group, state: 'failed', imageId, instances, outdated, code: 'failed', reason };
}

/** Stands for the group's name in messages about a whole cluster. */
export const CLUSTER_ITSELF = '*';

/** A message about a whole cluster. */
export function clusterResult(
  cluster: string,
  state: 'up-to-date' | 'skipped',
  reason: ClusterReason,
): GroupResult {
  return {
    cluster,
    group: CLUSTER_ITSELF,
    state,
    imageId: null,
    instances: NONE,
    outdated: [],
    code: reason.code,
    reason: describeCluster(reason),
  };
}

function stateOf({ hasBegun, group }: GroupAssessment, decision: Decision): GroupResult['state'] {
  switch (decision.kind) {
    case 'up-to-date':
    case 'planned':
    case 'skipped':
    case 'paused':
    case 'blocked':
      return decision.kind;
    default:
      if (group.roll?.onlyAnnounced) return 'skipped';
      return hasBegun ? 'in-progress' : 'planned';
  }
}

function countsOf(assessment: GroupAssessment): InstanceCounts {
  const { group } = assessment;
  const total = group.members.length;
  if (!canRoll(assessment)) return { ...NONE, total };
  const { classified } = assessment;
  const { drifted, current, detaching } = classified;
  const detached = classified.detached.length + detaching.length;
  const startedAt = group.roll?.startedAt;
  const launched = current.filter(({ instance }) => startedAt && instance.launchedAt >= startedAt).length;
  const toLaunch = Math.max(0, group.desiredCapacity - total + detaching.length);
  return {
    drifted: drifted.length,
    detached,
    // Those in whose place nothing is launched yet take none of what earlier ones got.
    replaced: Math.max(0, launched - Math.max(0, detached - toLaunch)),
    total,
  };
}
