import type { LaunchConfiguration } from '@aws-sdk/client-auto-scaling';
import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { FAMILIES } from '../simulated-aws/world/ec2/families.ts';
import type { Image } from '../simulated-aws/world/ec2/model.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';
import { ACCOUNT, type Account, clientsOf, NAMES, present, REGION } from './account.ts';

const TEN_MINUTES = 600;

/** The account, and what moto is to hold too. */
export interface Simulation extends Account {
  readonly launchConfiguration: LaunchConfiguration;
  readonly templateData: RequestLaunchTemplateData;
}

/** The simulated AWS with the common content, over HTTP. Its time passes only in `settle`. */
export async function simulatedAccount(): Promise<Simulation> {
  const clock = virtualClock(Date.now());
  const world = createWorld({ clock, seed: 1, account: ACCOUNT, region: REGION });
  world.addCluster(NAMES.cluster);
  const image = world.addImage(NAMES.image);
  const newerImage = world.addImage(NAMES.newerImage);
  const deprecatedImage = world.addImage(NAMES.deprecatedImage, { deprecatedInDays: -1 });
  const { cluster, group, templateGroup } = NAMES;
  world.addGroup({ name: group, cluster, image, instances: NAMES.members, maxSize: 5 });
  world.addGroup({
    name: templateGroup,
    image,
    instances: 1,
    maxSize: 5,
    launchSpec: 'launch-template',
    version: '1',
  });
  const { arn: targetGroup } = addSpots(world, image);
  world.addGroup({
    name: NAMES.poolGroup,
    image,
    instances: 0,
    maxSize: 5,
    launchSpec: 'launch-template',
    version: '1',
    warmPool: { size: 1, state: 'Stopped' },
  });
  world.addService(cluster, { name: NAMES.service, strategy: 'REPLICA', desiredCount: 0 });
  world.setParameter(NAMES.parameter, image.id);
  const version = world.setParameter(NAMES.labelledParameter, image.id);
  world.labelParameter(NAMES.labelledParameter, version, NAMES.label);
  world.setParameter(NAMES.labelledParameter, newerImage.id);
  for (const family of FAMILIES) world.release(family);
  world.addAlarm({ name: NAMES.alarm });
  world.addTable(NAMES.table);
  world.addInstanceProfile(NAMES.instanceProfile, { roles: [NAMES.role] });
  world.addInstanceProfile(NAMES.profileWithoutRole, { roles: [] });
  const account = simulateAccount({ clock, operations: world.operations, region: REGION });
  const { url, close } = await account.listen();
  const [first, second] = world.state.launchTemplates.values();
  const template = present(first, 'launch template');
  const launchConfiguration = world.state.launchConfigurations.get(NAMES.launchConfiguration)?.description;
  return {
    name: 'simulated AWS',
    ...clientsOf(url),
    instances: [...world.state.instances.keys()],
    containerInstances: [...(world.state.clusters.get(cluster)?.containerInstances.keys() ?? [])],
    image: image.id,
    newerImage: newerImage.id,
    deprecatedImage: deprecatedImage.id,
    template: template.id,
    mixedTemplate: present(second, 'second launch template').id,
    targetGroup,
    launchConfiguration: present(launchConfiguration, 'launch configuration'),
    templateData: present(template.versions.get(1), 'version 1').data as RequestLaunchTemplateData,
    settle: () => clock.advance(TEN_MINUTES),
    close,
  };
}

function addSpots(world: World, image: Image) {
  const { mixedGroup: name, cluster, capacityProvider, loadBalancer } = NAMES;
  const targetGroup = world.addTargetGroup({ name: NAMES.targetGroup });
  world.addLoadBalancer(loadBalancer);
  world.addGroup({
    name,
    image,
    instances: NAMES.mixedMembers,
    maxSize: 5,
    launchSpec: 'mixed-instances',
    version: '1',
    targetGroupArns: [targetGroup.arn],
    loadBalancerNames: [loadBalancer],
  });
  const switchedOff = { managedScaling: 'DISABLED', managedDraining: 'DISABLED' } as const;
  world.addCapacityProvider({ name: capacityProvider, cluster, group: name, ...switchedOff });
  return targetGroup;
}
