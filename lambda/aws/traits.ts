import type { ContainerInstance, Resource } from '@aws-sdk/client-ecs';
import type { Resources, Traits } from '../core/model/placement.ts';

/**
 * What ECS considers when it places tasks on a container instance; undefined if an answer has no
 * attributes.
 */
export function traitsOf(instance: ContainerInstance): Traits | undefined {
  const { attributes = [], registeredAt, versionInfo, capacityProviderName, registeredResources } = instance;
  if (attributes.length === 0) return undefined;
  return {
    attributes: new Map(attributes.map(({ name = '', value = '' }) => [name, value])),
    agentVersion: versionInfo?.agentVersion,
    registeredAt,
    capacityProvider: capacityProviderName,
    resources: resourcesOf(registeredResources ?? []),
  };
}

/** An instance without GPUs registers none; one without CPU in its answer has told us nothing. */
export function resourcesOf(registered: readonly Resource[]): Resources {
  const find = (name: string) => registered.find((each) => each.name === name);
  return {
    cpu: find('CPU')?.integerValue,
    memory: find('MEMORY')?.integerValue,
    gpus: registered.length === 0 ? undefined : (find('GPU')?.stringSetValue?.length ?? 0),
  };
}
