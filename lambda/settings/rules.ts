import type { DriftKind, Settings } from '../core/model/settings.ts';
import { readCluster } from './parsers.ts';
import { DEFAULTS, faultOf, type Naming, type Texts, valuesIn } from './texts.ts';

/** Clusters are required: nothing else says what to roll. */
export function withoutClusters({ clusters }: Texts, naming: Naming): string[] {
  if (clusters !== undefined) return [];
  return [`${naming('clusters')} is missing; it is the names or ARNs of the ECS clusters to roll`];
}

/** The function reaches only its own Region: a cluster elsewhere would never be found. */
export function foreignRegions(texts: Texts, own: string | undefined, naming: Naming): string[] {
  const named = (texts.clusters ?? '').split(',').map((part) => part.trim());
  return named.flatMap((part) => {
    const region = readCluster(part)?.region;
    if (own === undefined || region === undefined || region === own) return [];
    return [
      `${naming('clusters')} names ${part} of ${region}; the function runs in ${own} and reaches only that`,
    ];
  });
}

/** A named group must belong to one of the clusters, and it must be clear to which. */
export function unplacedGroups(texts: Texts, naming: Naming): string[] {
  const { clusters, groups } = valuesIn(texts);
  if (clusters === undefined || groups === undefined) return [];
  const may = (group: string) => clusters.map((cluster) => `${cluster}:${group}`).join(' or ');
  return groups.flatMap(({ cluster, group }) => {
    if (cluster === undefined && clusters.length === 1) return [];
    if (cluster !== undefined && clusters.includes(cluster)) return [];
    const was = cluster === undefined ? group : `${cluster}:${group}`;
    return [
      `${naming('groups')} names "${was}"; of the clusters in ${naming('clusters')} it may be ${may(group)}`,
    ];
  });
}

/**
 * Drift by age needs an age, and an age has no effect without it.
 *
 * @param stack the settings that apply if none are given. Its age may have no effect for one group
 */
export function driftByAge(texts: Texts, naming: Naming, stack?: Settings): string[] {
  const given = texts.maxInstanceAgeDays;
  const causes = causesIn(texts.drift, stack);
  if (causes === undefined) return [];
  const byAge = causes.includes('age');
  if (byAge && given === undefined && stack?.maxInstanceAgeDays === undefined)
    return [`${naming('drift')} names age, which needs ${naming('maxInstanceAgeDays')}`];
  if (!byAge && given !== undefined)
    return [
      faultOf(naming('maxInstanceAgeDays'), given, `it has no effect unless ${naming('drift')} names age`),
    ];
  return [];
}

/** Undefined for a text that can't be read: that has its own fault already. */
function causesIn(text: string | undefined, stack?: Settings): readonly DriftKind[] | undefined {
  if (text === undefined && stack !== undefined) return stack.drift;
  return valuesIn({ drift: text ?? DEFAULTS.drift }).drift;
}
