import { resolveImageId, resolveVersion } from '../ec2/launch-templates.ts';
import type { Instance } from '../ec2/model.ts';
import type { State } from '../state.ts';
import type { Group, LaunchedFrom, LaunchSpec, Override, TemplateReference } from './model.ts';

/** What one launch is going to be. */
export interface Launch {
  readonly launchedFrom: LaunchedFrom;
  readonly imageId: string | undefined;
  readonly instanceType: string | undefined;
  /** In base64. */
  readonly userData: string | undefined;
  /** Name or ARN. */
  readonly instanceProfile: string | undefined;
  readonly blockDeviceMappings: Instance['blockDeviceMappings'];
  readonly hasOverridesImage: boolean;
  readonly isTerminationProtected: boolean;
  readonly isStopProtected: boolean;
}

/** All that a launch spec may launch now; of what it refers to in vain there is none. */
export function launchesOf(state: State, spec: LaunchSpec): (Launch | undefined)[] {
  switch (spec.kind) {
    case 'launch-configuration':
      return [fromLaunchConfiguration(state, spec.name)];
    case 'launch-template':
      return [fromTemplate(state, spec)];
    case 'mixed-instances': {
      const { overrides } = spec;
      if (overrides.length === 0) return [fromTemplate(state, spec)];
      return overrides.map((override) => fromTemplate(state, override.ownTemplate ?? spec, override));
    }
  }
}

/** The overrides of a mixed instances policy take turns, whatever its allocation strategies say. */
export function nextLaunch(state: State, group: Group): Launch | undefined {
  const launches = launchesOf(state, group.launchSpec);
  return launches[group.launches++ % launches.length];
}

function fromLaunchConfiguration(state: State, name: string): Launch | undefined {
  const found = state.launchConfigurations.get(name)?.description;
  return (
    found && {
      launchedFrom: { kind: 'launch-configuration', name },
      imageId: found.ImageId,
      instanceType: found.InstanceType,
      userData: found.UserData,
      instanceProfile: found.IamInstanceProfile,
      blockDeviceMappings: (found.BlockDeviceMappings ?? []) as Launch['blockDeviceMappings'],
      hasOverridesImage: false,
      isTerminationProtected: false,
      isStopProtected: false,
    }
  );
}

function fromTemplate(
  state: State,
  { template, version: reference }: TemplateReference,
  override?: Override,
): Launch | undefined {
  const version = resolveVersion(template, reference);
  return (
    version && {
      launchedFrom: { kind: 'launch-template', template, version: version.number },
      imageId: resolveImageId(state, override?.imageId ?? version.data.ImageId),
      instanceType: override?.instanceType ?? version.data.InstanceType,
      userData: version.data.UserData,
      instanceProfile: version.data.IamInstanceProfile?.Arn ?? version.data.IamInstanceProfile?.Name,
      blockDeviceMappings: (version.data.BlockDeviceMappings ?? []) as Launch['blockDeviceMappings'],
      hasOverridesImage: override?.imageId !== undefined,
      isTerminationProtected: version.data.DisableApiTermination ?? false,
      isStopProtected: version.data.DisableApiStop ?? false,
    }
  );
}

/** Every template that a launch spec refers to. */
export function templatesOf(spec: LaunchSpec): TemplateReference[] {
  if (spec.kind === 'launch-configuration') return [];
  const overrides = spec.kind === 'mixed-instances' ? spec.overrides : [];
  return [spec, ...overrides.flatMap(({ ownTemplate }) => ownTemplate ?? [])];
}
