import type { Decision } from './actions/decision.ts';
import { canRoll, driftedIn } from './group/assess.ts';
import type { GroupDecision } from './group-decision.ts';
import { heldBackDays } from './held-back.ts';
import type { GroupAssessment } from './model/assessment.ts';
import type { Group } from './model/group.ts';
import type { ReasonCode } from './model/reason.ts';
import type { Untrusted } from './model/untrusted.ts';
import { describeUntrusted } from './text/describe-untrusted.ts';
import { describeDecision, sentenceOf } from './text/sentence.ts';

/** What the function answers for one group. */
export interface GroupResult {
  readonly cluster: string;
  /** `*` where it is about the cluster as a whole. */
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
   * The image that the group is, or would be, rolled onto; null where it can't be told. Several, for several families or
   * architectures, are separated by commas.
   */
  readonly imageId: string | null;
  readonly instances: InstanceCounts;
  /** The members, and instances of the warm pool, that are still to be replaced, and why. */
  readonly outdated: readonly OutdatedInstance[];
  /** What `reason` says, for programs: it stays the same when the words change. */
  readonly code: ResultCode;
  /** A sentence for a person. */
  readonly reason: string;
  /** Why the roll is not to go on; there once it is aborted or rolled back. */
  readonly because?: string;
  /** What `because` says, as far as the group's tags tell it. */
  readonly becauseCode?: ReasonCode;
  /** What won't stop the roll but is to be known, a sentence each; left out where there is nothing. */
  readonly warnings?: readonly string[];
  /** Tags of ours that count for none, as something else wrote them; left out where there are none. */
  readonly untrusted?: readonly Untrusted[];
  /** It was a tag, which whoever may tag the group may write, that asked to abort the roll or to roll back. */
  readonly requestedByTag?: true;
  /** For how many days a newer image has been there, while the group or a member of it is kept from it; see `heldBackDays`. */
  readonly heldBackDays?: number;
  /** What a roll would do, step by step; only in the answer to `plan`. */
  readonly steps?: readonly string[];
}

/** Of a group's decision; or that something failed; or what is told of a cluster as a whole. */
export type ResultCode = ReasonCode | 'failed' | ClusterCode;

export type ClusterCode = 'no-group' | 'instances-astray' | 'tags-forged';

export interface OutdatedInstance {
  readonly instanceId: string;
  /** Each `image`, `launch-spec`, `age` or `force`. */
  readonly reasons: readonly string[];
}

export interface InstanceCounts {
  /** Members that are still to be replaced. */
  readonly drifted: number;
  /** Old instances that are detached and still to be ended. */
  readonly detached: number;
  /** Members that were launched since the roll began and run its image. */
  readonly replaced: number;
  /** Members of the group. */
  readonly total: number;
}

const NONE: InstanceCounts = { drifted: 0, detached: 0, replaced: 0, total: 0 };

/** How a group stands by the latest observation and decision. */
export function resultOf({ assessment, decision, warnings }: GroupDecision): GroupResult {
  const { group, observation } = assessment;
  const days = heldBackDays(assessment, decision);
  return {
    cluster: observation.cluster,
    group: group.name,
    state: stateOf(assessment, decision),
    imageId: imageIdsOf(group).join(',') || null,
    instances: countsOf(assessment),
    outdated: outdatedInstances(assessment),
    code: decision.reason.code,
    reason: describeDecision(decision),
    ...becauseOf(group),
    ...(warnings.length > 0 && { warnings }),
    ...(days !== undefined && { heldBackDays: Math.round(days * 100) / 100 }),
  };
}

function becauseOf({ roll }: Group): Pick<GroupResult, 'because' | 'becauseCode' | 'requestedByTag'> {
  if (roll === undefined || roll.course.kind === 'forward') return {};
  const { because } = roll.course;
  return {
    because: sentenceOf(because),
    becauseCode: because.code,
    ...(because.code === 'asked-by-tag' && { requestedByTag: true }),
  };
}

/** A result, with the tags that were found to count for none. */
export function withUntrusted(result: GroupResult, untrusted: readonly Untrusted[] = []): GroupResult {
  if (untrusted.length === 0) return result;
  return { ...result, warnings: [...(result.warnings ?? []), ...describeUntrusted(untrusted)], untrusted };
}

/** Instances that are to be replaced, as a person is told of them. */
export function outdatedInstances(assessment: GroupAssessment): OutdatedInstance[] {
  return driftedIn(assessment).map(({ instance: { instanceId }, reasons }) => ({ instanceId, reasons }));
}

function imageIdsOf({ launch, roll }: Group): readonly string[] {
  if ('obstacle' in launch) return roll?.imageIds ?? [];
  return [...new Set(launch.sources.map(({ target }) => target.imageId))];
}

/** A fault, with what was known of the group before it. */
export function failedResult(
  cluster: string,
  group: string,
  reason: string,
  before: GroupResult | undefined,
): GroupResult {
  const { imageId = null, instances = NONE, outdated = [] } = before ?? {};
  return { cluster, group, state: 'failed', imageId, instances, outdated, code: 'failed', reason };
}

/** In place of a group, where something is told of a cluster as a whole. */
export const CLUSTER_ITSELF = '*';

/** What is to be told of a cluster as a whole. */
export function clusterResult(
  cluster: string,
  state: 'up-to-date' | 'skipped',
  code: ClusterCode | 'no-roll-begun',
  reason: string,
): GroupResult {
  return {
    cluster,
    group: CLUSTER_ITSELF,
    state,
    imageId: null,
    instances: NONE,
    outdated: [],
    code,
    reason,
  };
}

function stateOf({ hasBegun }: GroupAssessment, decision: Decision): GroupResult['state'] {
  switch (decision.kind) {
    case 'up-to-date':
    case 'skipped':
    case 'paused':
    case 'blocked':
      return decision.kind;
    default:
      return hasBegun ? 'in-progress' : 'planned';
  }
}

function countsOf(assessment: GroupAssessment): InstanceCounts {
  const { group } = assessment;
  const total = group.members.length;
  if (!canRoll(assessment)) return { ...NONE, total };
  const { classified } = assessment;
  const startedAt = group.roll?.startedAt;
  return {
    drifted: classified.drifted.length,
    detached: classified.detached.length,
    replaced: classified.current.filter(({ instance }) => startedAt && instance.launchedAt >= startedAt)
      .length,
    total,
  };
}
