import type { LaunchConfiguration } from '@aws-sdk/client-auto-scaling';
import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { simulateAccount } from '../simulated-aws/account.ts';
import { virtualClock } from '../simulated-aws/clock.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
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
  world.addService(cluster, { name: NAMES.service, strategy: 'REPLICA', desiredCount: 0 });
  world.setParameter(NAMES.parameter, image.id);
  const account = simulateAccount({ clock, operations: world.operations, region: REGION });
  const { url, close } = await account.listen();
  const template = present([...world.state.launchTemplates.values()][0], 'launch template');
  const launchConfiguration = world.state.launchConfigurations.get(NAMES.launchConfiguration)?.description;
  return {
    name: 'simulated AWS',
    ...clientsOf(url),
    instances: [...world.state.instances.keys()],
    containerInstances: [...(world.state.clusters.get(cluster)?.containerInstances.keys() ?? [])],
    image: image.id,
    newerImage: newerImage.id,
    template: template.id,
    launchConfiguration: present(launchConfiguration, 'launch configuration'),
    templateData: present(template.versions.get(1), 'version 1').data as RequestLaunchTemplateData,
    settle: () => clock.advance(TEN_MINUTES),
    close,
  };
}
