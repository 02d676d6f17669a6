import { templatesOf } from '../world/autoscaling/launch-sources.ts';
import { resolveVersion } from '../world/ec2/launch-templates.ts';
import { groupsInScope, type Watch } from './expectations.ts';

interface OldLaunchSpecs {
  /** A group's, or a template's. */
  readonly name: string;
  readonly count: number;
}

/** What calls have made and no group refers to any longer. */
export function oldLaunchSpecs(watch: Watch): OldLaunchSpecs[] {
  return [...oldLaunchConfigurations(watch), ...oldVersions(watch)];
}

/** A copy belongs to the group whose name is in its own. */
function oldLaunchConfigurations(watch: Watch): OldLaunchSpecs[] {
  const groups = groupsInScope(watch);
  const used = new Set(
    [...watch.state.groups.values()].map(({ launchSpec: spec }) =>
      spec.kind === 'launch-configuration' ? spec.name : undefined,
    ),
  );
  const old = [...watch.state.launchConfigurations].filter(
    ([name, { madeBy }]) => madeBy === 'call' && !used.has(name),
  );
  return groups.map((group) => ({
    name: group.name,
    count: old.filter(([name]) => name.includes(group.name)).length,
  }));
}

function oldVersions(watch: Watch): OldLaunchSpecs[] {
  return [...watch.state.launchTemplates.values()].map((template) => {
    const used = groupsInScope(watch)
      .flatMap(({ launchSpec }) => templatesOf(launchSpec))
      .map((named) => (named.template === template ? resolveVersion(template, named.version) : undefined));
    const old = [...template.versions.values()].filter(
      (version) => version.madeBy === 'call' && !used.includes(version),
    );
    return { name: template.name, count: old.length };
  });
}
