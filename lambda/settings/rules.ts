import * as z from 'zod/mini';
import type { DriftCause, Settings } from '../core/settings.ts';
import { readCluster } from './parsers.ts';
import { DEFAULTS, SETTINGS, type Setting, settingsIn } from './table.ts';

/** The settings that were given, as text. */
export type Texts = Readonly<Partial<Record<Setting, string>>>;

/** What a setting is called where it was given, and so in what is told of it. */
export type Naming = (setting: Setting) => string;

/** What is there and not empty. */
export function textsIn(
  source: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
  naming: Naming,
): Texts {
  const given = settings.map((setting) => [setting, source[naming(setting)]?.trim()] as const);
  return Object.fromEntries(given.filter(([, text]) => text));
}

/** One sentence: what it was and what it may be. */
export function told(name: string, was: string | undefined, may: string): string {
  return `${name} was "${was}"; ${may}`;
}

/** A sentence for each setting that can't be read, or isn't there and must be. */
export function malformed(error: z.core.$ZodError | undefined, texts: Texts, naming: Naming): string[] {
  const issues = new Map(error?.issues.map(({ path, message }) => [path[0], message]));
  return settingsIn(SETTINGS.shape).flatMap((setting) => {
    const message = issues.get(setting);
    if (message === undefined) return [];
    const was = texts[setting];
    if (was !== undefined) return [told(naming(setting), was, message)];
    return [`${naming(setting)} is missing; it is the names or ARNs of the ECS clusters to roll`];
  });
}

/** A function reaches its own Region only, so that a cluster elsewhere would never be found. */
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

/** A group that is named must be of one of the clusters, and it must be plain of which. */
export function unplacedGroups(texts: Texts, naming: Naming): string[] {
  const clusters = z.safeParse(SETTINGS.shape.clusters, texts.clusters).data;
  const groups = z.safeParse(SETTINGS.shape.groups, texts.groups).data;
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
 * To drift by age an age is needed, and an age has no effect otherwise.
 *
 * @param stack what holds where nothing is given: an age of the stack's may well be of no effect in one of its groups
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
      told(naming('maxInstanceAgeDays'), given, `it has no effect unless ${naming('drift')} names age`),
    ];
  return [];
}

/** Undefined for a text that can't be read, whose own fault is told already. */
function causesIn(text: string | undefined, stack?: Settings): readonly DriftCause[] | undefined {
  if (text === undefined && stack !== undefined) return stack.drift;
  return z.safeParse(SETTINGS.shape.drift, text ?? DEFAULTS.drift).data;
}
