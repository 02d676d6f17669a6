import type { Action } from '../actions/decision.ts';
import type { Group, RollingGroup } from '../model/group.ts';
import type { Launch, LaunchPlace, PolicyChange } from '../model/launch.ts';
import type { Roll } from '../model/roll.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import { sourceUuidOf } from './own-launch-specs.ts';

/** The step that restores one place, or what prevents it. */
export type RestoreStep =
  | { readonly kind: 'action'; readonly action: Action }
  | { readonly kind: 'policy'; readonly change: PolicyChange }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

type ConfigurationPlace = Extract<LaunchPlace, { kind: 'launch-configuration' }>;

/**
 * Gives a group back the launch configuration that our copy was made from. The copy's name, which nobody can
 * change, contains its source's UUID. So we refuse a noted one with another UUID, even of the same name.
 */
export function restoreConfiguration(group: RollingGroup, { name }: ConfigurationPlace): RestoreStep[] {
  const sourceUuid = sourceUuidOf(group, name);
  const noted = notedNames(group.roll);
  const others = noted.filter((each) => each !== name);
  if (sourceUuid === undefined || others.length === 0) return [];
  const source = others.find((each) =>
    group.details?.formerConfigurations?.get(each)?.startsWith(sourceUuid),
  );
  if (source !== undefined) {
    const action = { kind: 'use-launch-configuration', group: group.name, name: source } as const;
    return [{ kind: 'action', action }];
  }
  // It has been restored already.
  if (noted.includes(name)) return [];
  return [{ kind: 'obstacle', obstacle: { code: 'configuration-not-former', noted, name } }];
}

/** The launch configurations to look up before restoring one of them. */
export function configurationsToVerify(group: Group, { sources }: Launch): readonly string[] {
  const { roll } = group;
  if (roll?.course.kind !== 'rollback') return [];
  const launched = sources.flatMap(({ place }) =>
    place.kind === 'launch-configuration' ? [place.name] : [],
  );
  const isOurs = launched.some((name) => sourceUuidOf(group, name) !== undefined);
  return isOurs ? notedNames(roll).filter((name) => !launched.includes(name)) : [];
}

function notedNames({ previous }: Roll): string[] {
  return previous.flatMap((spec) => (spec.kind === 'launch-configuration' ? [spec.name] : []));
}
