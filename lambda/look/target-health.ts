import type { Aws } from '../aws/clients.ts';
import { tryRead } from '../aws/errors.ts';
import { describeTargetHealth, isZonal } from '../aws/load-balancing.ts';
import { nameOfSource } from '../core/group/readiness.ts';
import { zonesAtRisk } from '../core/group/zones.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails, TargetHealthIn, TrafficSource } from '../core/model/group.ts';
import type { GroupLook } from './look.ts';
import type { Memory } from './memory.ts';
import { needsZones } from './needs.ts';

/** Whether the traffic sources of a group find its members healthy, once its roll is recorded. */
export async function targetHealthOf(
  aws: Aws,
  { group }: Assessment,
): Promise<Pick<GroupDetails, 'targetHealth'>> {
  if (group.roll === undefined) return {};
  const targetHealth: TargetHealthIn[] = [];
  for (const source of group.trafficSources)
    targetHealth.push({ source, byInstance: await describeTargetHealth(aws, source) });
  return { targetHealth };
}

/** Along with it, which of the sources serve zones apart, where that matters. */
export async function zonesOf(
  aws: Aws,
  assessment: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'targetHealth'>> {
  const { targetHealth = [] } = assessment.group.details ?? {};
  if (!needsZones(assessment)) return {};
  const found: TargetHealthIn[] = [];
  for (const each of targetHealth) found.push({ ...each, zonal: await readZonal(aws, each.source, memory) });
  return { targetHealth: found };
}

/** Read once per invocation. If it can't be read, we take care as if it were so. */
export async function readZonal(aws: Aws, source: TrafficSource, { zonal }: Memory): Promise<boolean> {
  const key = source.kind === 'target-group' ? source.arn : source.name;
  const known = zonal.get(key);
  if (known !== undefined) return known;
  const read = await tryRead(isZonal(aws, source));
  const found = read.kind === 'unread' || read.answer;
  zonal.set(key, found);
  return found;
}

/** Of the target groups of services we ask about at most this many, two calls or three each. */
const MOST_ASKED = 20;

/**
 * Names of those that serve zones apart, of the group's own and of services, if the roll may leave a zone
 * without a member.
 */
export async function zonalSources(
  aws: Aws,
  assessment: Assessment,
  memory: Memory,
): Promise<readonly string[]> {
  if (zonesAtRisk(assessment).length === 0) return [];
  const names: string[] = [];
  const { group, observation } = assessment;
  const ofServices = (observation.details?.services ?? []).flatMap(({ sources: own = [] }) => own);
  for (const source of [...group.trafficSources, ...ofServices.slice(0, MOST_ASKED)])
    if (await readZonal(aws, source, memory)) names.push(nameOfSource(source));
  return [...new Set(names)];
}
