import type { DescribedGroup } from '../aws/autoscaling.ts';
import type { Aws } from '../aws/clients.ts';
import { assess, assessCluster, isConcerned, withGroups } from '../core/group/assess.ts';
import type { ClusterAssessment, GroupAssessment } from '../core/model/assessment.ts';
import { withAlarms } from './alarms.ts';
import { type ClusterFacts, clusterFacts } from './cluster-facts.ts';
import { eachOrFault, type Faults } from './faults.ts';
import { readGroupDetails } from './group-details.ts';
import { groupFacts } from './group-facts.ts';
import { withHealth } from './health.ts';
import type { Look, SeenGroup } from './look.ts';
import type { Memory } from './memory.ts';
import { withMovable, withPlacement } from './placement.ts';
import { withPreflight } from './preflight.ts';
import { withServices } from './services.ts';
import { withLastInZone } from './traffic-sources.ts';
import { withWatches } from './watches.ts';
import { withWindows } from './windows.ts';

/** The assessed cluster, and the groups that couldn't be read because of a fault of their own. */
export interface Looked {
  readonly assessed: ClusterAssessment;
  readonly faults: Faults;
  /** The groups as Auto Scaling has them. */
  readonly records: readonly DescribedGroup[];
}

/**
 * Looks at one cluster and its groups: one Describe for many at a time, and services and tasks only while
 * something has to drain. A group that AWS shows as it was before our own last write is left out.
 *
 * Each group is assessed as soon as its facts are read. That settles which details to read, and the decision
 * uses it.
 *
 * @throws ClusterNotFound
 */
export async function observe(aws: Aws, look: Look, memory: Memory): Promise<Looked> {
  const faults = new Map<string, unknown>();
  memory.tasksRead.described.clear();
  memory.tasksRead.stopped.clear();
  const facts = await clusterFacts(aws, look, memory, faults);
  const found = await eachOrFault(
    facts.seen,
    faults,
    ({ record }) => record.name,
    (seen) => lookAt(aws, seen, facts, look, memory),
  );
  const gone = assessCluster(facts.observation, look.settings);
  let assessed = withGroups(gone, [...gone.groups, ...found]);
  assessed = await withWindows(aws, assessed);
  assessed = await withAlarms(aws, assessed, faults);
  assessed = await withServices(aws, assessed, memory);
  assessed = await withMovable(aws, assessed, memory);
  assessed = await withPlacement(aws, assessed, memory);
  assessed = await withLastInZone(aws, assessed, memory);
  assessed = await withPreflight(aws, assessed, facts.records, memory, faults);
  assessed = await withHealth(aws, assessed, memory);
  assessed = await withWatches(aws, assessed, memory);
  return { assessed, faults, records: facts.records };
}

/** Reads one group's facts, assesses them, and reads the details that it needs then. */
async function lookAt(
  aws: Aws,
  seen: SeenGroup,
  facts: ClusterFacts,
  look: Look,
  memory: Memory,
): Promise<GroupAssessment> {
  const known = await groupFacts(aws, seen, facts, look, memory);
  const group = { ...known, warnings: [...(known.warnings ?? []), ...facts.unread] };
  const assessment = assess(group, facts.observation, look.settings);
  if (!isConcerned(assessment)) return assessment;
  return readGroupDetails(aws, assessment, { record: seen.record, memory });
}
