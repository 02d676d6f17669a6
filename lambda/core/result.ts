import { type GroupDecision, hasBegun, standingOf } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Standing } from './drift.ts';
import type { Group, Observation } from './model.ts';
import type { Settings } from './settings.ts';

/** What the function answers for one group. */
export interface GroupResult {
  readonly cluster: string;
  /** `*` where it is about the cluster as a whole. */
  readonly group: string;
  readonly state: 'up-to-date' | 'planned' | 'in-progress' | 'completed' | 'blocked' | 'failed';
  /** The image that the group is, or would be, rolled onto; null where it can't be told. */
  readonly imageId: string | null;
  readonly instances: InstanceCounts;
  /** A sentence for a person. */
  readonly reason: string;
  /** What a roll would do, step by step; only in the answer to `plan`. */
  readonly steps?: readonly string[];
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
export function resultOf(
  observation: Observation,
  { group, decision }: GroupDecision,
  settings: Settings,
): GroupResult {
  return {
    cluster: observation.cluster,
    group: group.name,
    state: stateOf(group, decision),
    imageId: 'obstacle' in group.launch ? (group.rollout?.imageId ?? null) : group.launch.target.imageId,
    instances: countsOf(group, standingOf(group, observation, settings)),
    reason: decision.reason,
  };
}

/** A fault, with what was known of the group before it. */
export function failedResult(
  cluster: string,
  group: string,
  reason: string,
  before: GroupResult | undefined,
): GroupResult {
  const { imageId = null, instances = NONE } = before ?? {};
  return { cluster, group, state: 'failed', imageId, instances, reason };
}

/** A cluster with nothing to roll. */
export function emptyResult(cluster: string): GroupResult {
  const reason = 'no container instance of the cluster belongs to an Auto Scaling group';
  return { cluster, group: '*', state: 'up-to-date', imageId: null, instances: NONE, reason };
}

function stateOf(group: Group, decision: Decision): GroupResult['state'] {
  if (decision.kind === 'up-to-date' || decision.kind === 'blocked') return decision.kind;
  return hasBegun(group) ? 'in-progress' : 'planned';
}

function countsOf(group: Group, standing: Standing | undefined): InstanceCounts {
  const total = group.members.length;
  if (standing === undefined) return { ...NONE, total };
  const startedAt = group.rollout?.startedAt;
  return {
    drifted: standing.drifted.length,
    detached: standing.detached.length,
    replaced: standing.current.filter(({ instance }) => startedAt && instance.launchedAt >= startedAt).length,
    total,
  };
}
