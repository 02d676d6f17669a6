import type { ResourceFacts } from '../iam/context.ts';
import type { LaunchSpec } from './autoscaling/model.ts';
import type { LaunchTemplate, TemplateVersion } from './ec2/model.ts';
import { findInstanceProfile, roleArn } from './iam/instance-profiles.ts';
import { findKey } from './kms/keys.ts';
import type { World } from './world.ts';

function templatesIn(spec: LaunchSpec): string[] {
  if (spec.kind === 'launch-configuration') return [];
  const own = spec.kind === 'mixed-instances' ? spec.overrides.flatMap((each) => each.ownTemplate ?? []) : [];
  return [spec, ...own].map(({ template }) => template.id);
}

/** What IAM needs to know about the world at the time of a call. */
export function resourceFacts({ state }: Pick<World, 'state'>): ResourceFacts {
  const { account, region } = state;

  function roleArnOf(profile: string): string | undefined {
    const [role] = findInstanceProfile(state, profile)?.roles ?? [];
    return role === undefined ? undefined : roleArn(state, role);
  }

  function launchedWith(data: TemplateVersion['data']): string[] {
    const { LicenseSpecifications = [], InstanceMarketOptions, CapacityReservationSpecification } = data;
    const reserved = CapacityReservationSpecification?.CapacityReservationTarget;
    return [
      ...LicenseSpecifications.flatMap(({ LicenseConfigurationArn }) => LicenseConfigurationArn ?? []),
      ...(reserved?.CapacityReservationResourceGroupArn === undefined
        ? []
        : [reserved.CapacityReservationResourceGroupArn]),
      ...(InstanceMarketOptions?.MarketType === 'spot'
        ? [`arn:aws:ec2:${region}:${account}:spot-instances-request/*`]
        : []),
    ];
  }

  function templateFacts(template: LaunchTemplate) {
    const launched = [...template.versions.values()].map(({ data }) => data);
    const [profile = ''] = launched.flatMap(
      ({ IamInstanceProfile: { Name, Arn } = {} }) => Arn ?? Name ?? [],
    );
    const role = roleArnOf(profile);
    return {
      arn: `arn:aws:ec2:${region}:${account}:launch-template/${template.id}`,
      tags: Object.fromEntries(template.tags),
      launchesWith: launched.flatMap((data) => launchedWith(data)),
      tagsOnLaunch: launched.some(({ TagSpecifications = [] }) => TagSpecifications.length > 0),
      ...(role !== undefined && { instanceProfileRoleArn: role }),
    };
  }

  return {
    region,
    accountId: account,
    instanceProfileRoleArn: roleArnOf,
    key: (named) => findKey(state, named),
    table: (arn) => state.tables.get(arn),
    instanceTags(instanceId) {
      const instance = state.instances.get(instanceId);
      return instance && Object.fromEntries(instance.tags);
    },
    group(name) {
      const group = state.groups.get(name);
      return (
        group && {
          arn: group.arn,
          tags: Object.fromEntries([...group.tags].map(([key, { value }]) => [key, value])),
          ...(state.readings.templateTried === 'always' && { tries: templatesIn(group.launchSpec) }),
        }
      );
    },
    launchConfiguration(name) {
      const arn = state.launchConfigurations.get(name)?.description.LaunchConfigurationARN;
      return arn === undefined ? undefined : { arn };
    },
    launchTemplate(idOrName) {
      const found = [...state.launchTemplates.values()].find(
        ({ id, name }) => id === idOrName || name === idOrName,
      );
      return found && templateFacts(found);
    },
  };
}
