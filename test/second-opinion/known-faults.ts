/** A fault of moto, as far as these calls meet it. */
export interface KnownFault {
  /** Titles of the calls. */
  readonly steps: RegExp;
  /** Fields of the answer, or `error` for its code. */
  readonly path: RegExp;
  /** What moto does, where the simulated AWS does as its documentation has it. */
  readonly reason: string;
}

export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    steps: /describe (a|that|the) group|describe groups|describe what that left/,
    path: /\.Instances\[\]\.(LaunchTemplate\.Version|LaunchConfigurationName)$/,
    reason: 'says of every member that it was launched from what the group refers to now',
  },
  {
    steps: /describe (a|that|the) group|describe groups|describe what that left/,
    path: /\.Instances\[\]\.ImageId$/,
    reason: 'leaves out the image of members, which newer versions of Auto Scaling tell',
  },
  {
    steps: /version|\$Latest|\$Default/,
    path: /^LaunchTemplateVersions?(\[\])?\.LaunchTemplateData\.\w+$/,
    reason: 'ignores SourceVersion, so that a new version inherits nothing',
  },
  {
    steps: /describe images/,
    path: /\.(BlockDeviceMappings\[\]\..*|Hypervisor|RootDeviceName|RootDeviceType|VirtualizationType|Architecture)$/,
    reason: 'forgets most of what RegisterImage was told',
  },
  {
    steps: /describe a launch configuration|created with next to nothing/,
    path: /\.(KeyName|KernelId|RamdiskId|UserData|PlacementTenancy)$/,
    reason: 'leaves out of a launch configuration what AWS answers as an empty string, and its tenancy',
  },
  {
    steps: /created with next to nothing/,
    path: /\.InstanceMonitoring\.Enabled$/,
    reason: 'has monitoring off where it was not set; AWS has it on',
  },
  {
    steps:
      /create it once more|launch configuration in use|delete it once more|let a group use an unknown one/,
    path: /^error$/,
    reason: 'creates a launch configuration twice, and deletes one in use or unknown, without a word',
  },
  {
    steps: /^detach what is no member|^detach an unknown instance/,
    path: /^error$/,
    reason: 'detaches what is no member without a word',
  },
  {
    steps: /^tag an unknown group|^let a group use an unknown one/,
    path: /^error$/,
    reason: 'breaks when an unknown group is tagged, or a group told to use an unknown launch configuration',
  },
  {
    steps: /^tag an unknown instance/,
    path: /^error$/,
    reason: 'tags instances that do not exist',
  },
  {
    steps: /^terminate it once more/,
    path: /\.CurrentState\./,
    reason: 'has a terminated instance shut down again',
  },
  {
    steps: /^list the container instances of an unknown cluster/,
    path: /^error$/,
    reason: 'lists the container instances of an unknown cluster as none',
  },
  {
    steps: /^describe an unknown container instance|^describe a service, and one/,
    path: /^failures\[\]\.arn$/,
    reason: 'writes the ARN of what is missing in the old format, without the cluster',
  },
  {
    steps: /^describe an unknown task/,
    path: /^failures$/,
    reason: 'tells of no failure to describe a task',
  },
  {
    steps: /^describe a service, and one|^describe a cluster/,
    path: /\.(deploymentConfiguration|createdAt|activeServicesCount)$/,
    reason:
      'leaves out how a service deploys and since when it is there, and counts no services in a cluster',
  },
  {
    steps: /^deregister a container instance/,
    path: /^containerInstance\.(status|agentConnected)$/,
    reason: 'answers a deregistered container instance as it was before',
  },
  {
    steps: /^deregister an unknown container instance/,
    path: /^error$/,
    reason: 'breaks when an unknown container instance is deregistered',
  },
];
