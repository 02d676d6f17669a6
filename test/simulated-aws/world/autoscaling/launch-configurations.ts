import type { LaunchConfiguration as Description } from '@aws-sdk/client-auto-scaling';
import type { Maker } from '../ec2/model.ts';
import type { State } from '../state.ts';
import type { LaunchConfiguration } from './model.ts';

type Settings = Partial<Description> &
  Pick<LaunchConfiguration['description'], 'LaunchConfigurationName' | 'ImageId' | 'InstanceType'>;

export function addLaunchConfiguration(state: State, settings: Settings, madeBy: Maker): LaunchConfiguration {
  const name = settings.LaunchConfigurationName;
  const { account, region } = state;
  const launchConfiguration: LaunchConfiguration = {
    // What was left out is answered as empty strings and lists.
    description: {
      KeyName: '',
      KernelId: '',
      RamdiskId: '',
      UserData: '',
      SecurityGroups: [],
      ClassicLinkVPCSecurityGroups: [],
      BlockDeviceMappings: [],
      InstanceMonitoring: { Enabled: true },
      EbsOptimized: false,
      ...structuredClone(settings),
      LaunchConfigurationARN: `arn:aws:autoscaling:${region}:${account}:launchConfiguration:${state.ids.uuid()}:launchConfigurationName/${name}`,
      CreatedTime: new Date(state.clock.now()),
    },
    madeBy,
  };
  state.launchConfigurations.set(name, launchConfiguration);
  written(state, launchConfiguration, 'created', madeBy);
  return launchConfiguration;
}

export function removeLaunchConfiguration(state: State, launchConfiguration: LaunchConfiguration) {
  const name = launchConfiguration.description.LaunchConfigurationName;
  state.launchConfigurations.delete(name);
  written(state, launchConfiguration, 'deleted', 'call');
}

function written(
  state: State,
  launchConfiguration: LaunchConfiguration,
  change: 'created' | 'deleted',
  cause: Maker,
) {
  state.emit({ kind: 'launch-configuration-written', launchConfiguration, change, cause });
}
