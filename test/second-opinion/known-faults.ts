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
    steps: /^describe a service, and one that is unknown$/,
    path: /^services\[\]\.(healthCheckGracePeriodSeconds|enableExecuteCommand)$/,
    reason: 'tells neither the grace period of a service nor whether ECS Exec is on for it',
  },
  {
    steps: /^describe instance types by name$/,
    path: /\.SupportedBootModes$/,
    reason: 'knows the boot modes of types as they once were, without UEFI',
  },
  {
    steps: /^attach what is a member already/,
    path: /^error$/,
    reason: 'attaches what is a member already',
  },
  {
    steps: /^describe (an alarm|two alarms)/,
    path: /\.StateTransitionedTimestamp$/,
    reason: 'does not tell since when an alarm has been in its state',
  },
  {
    steps: /^attach an unknown instance/,
    path: /^error$/,
    reason: 'has the error of EC2 for an unknown instance, where Auto Scaling has one of its own',
  },
  {
    steps: /describe (a|that|the) group|describe groups|describe what that left/,
    path: /\.Instances\[\]\.(LaunchTemplate\.Version|LaunchConfigurationName)$/,
    reason: 'says of every member that it was launched from what the group refers to now',
  },
  {
    steps: /version|\$Latest|\$Default/,
    path: /^LaunchTemplateVersions?(\[\])?\.LaunchTemplateData\.\w+$/,
    reason: 'ignores SourceVersion, so that a new version inherits nothing',
  },
  {
    steps:
      /describe (deprecated )?images|describe (living )?instances|describe what that left|describe it after/,
    path: /\.(BlockDeviceMappings\[\]\..*|Hypervisor|RootDeviceName|RootDeviceType|VirtualizationType|Architecture)$/,
    reason: 'forgets most of what RegisterImage was told, so that instances have no architecture',
  },
  {
    steps: /describe (living )?instances|describe what that left|describe it after/,
    path: /^Instances\[\]\.Operator$/,
    reason: 'does not tell who operates an instance',
  },
  {
    steps: /describe (living )?instances|describe what that left|describe it after/,
    path: /^Instances\[\]\.IamInstanceProfile$/,
    reason: 'launches members without the instance profile that they are to have',
  },
  {
    steps: /describe (deprecated )?images/,
    path: /\.DeprecationTime$/,
    reason: 'deprecates no image, as it knows no EnableImageDeprecation',
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
    path: /\.(deploymentConfiguration|availabilityZoneRebalancing|createdAt|activeServicesCount)$/,
    reason:
      'leaves out how a service deploys, whether its zones are evened out and since when it is there, and counts no services in a cluster',
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
  {
    steps: /describe a capacity provider/,
    path: /\.type$/,
    reason: 'leaves out of what type a capacity provider is',
  },
  {
    steps: /describe a capacity provider, and one/,
    path: /^failures\[\]\.arn$/,
    reason: 'writes capacity_provider into an ARN, for capacity-provider',
  },
  {
    steps: /describe (all|the) capacity providers/,
    path: /^error$/,
    reason: 'breaks when capacity providers are asked for without a name, which describes all',
  },
  {
    steps: /describe the group/,
    path: /\.SuspendedProcesses\[\]\.SuspensionReason$/,
    reason: 'does not tell why a process is suspended',
  },
  {
    steps: /(suspend|resume) a process that there is not/,
    path: /^error$/,
    reason: 'suspends processes that do not exist',
  },
  {
    steps: /of an unknown group$/,
    path: /^error$/,
    reason:
      'breaks, or answers nothing, when processes, capacity, warm pool or activities of an unknown group are meant',
  },
  {
    steps: /desired capacity (above|below) the|^raise the minimum above the maximum/,
    path: /^error$/,
    reason: 'sets a group to more than its maximum, or less than its minimum, and that above this',
  },
  {
    steps: /below the minimum$/,
    path: /^error$/,
    reason: 'lets members leave below the minimum',
  },
  {
    steps: /^detach (a member|it once more)/,
    path: /^Activities\[\]\.Details$/,
    reason: 'leaves out the details of an activity',
  },
  {
    steps: /^describe the policy/,
    path: /\.(InstancesDistribution|Overrides|LaunchTemplate)(\.\w+)?$/,
    reason:
      'forgets what an update of a policy leaves out, which stays: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_MixedInstancesPolicy.html',
  },
  {
    steps: /^change its distribution alone/,
    path: /^error$/,
    reason: 'breaks when an update of a policy names no template',
  },
  {
    steps: /^describe the policy with such overrides/,
    path: /\.Overrides\[\]\.LaunchTemplateSpecification\.LaunchTemplateName$/,
    reason: 'leaves out the name of the template of an override',
  },
  {
    steps: /^let some overrides have|^let the policy name an unknown|^give a group both/,
    path: /^error$/,
    reason: 'takes any policy: weights for some, a version that there is not, a template besides',
  },
  {
    steps: /living instances|the group (with|that)/,
    path: /\.InstanceType$/,
    reason: 'launches the first override alone; the simulated AWS takes them in turns, whatever the strategy',
  },
  {
    steps: /the group (with|that)/,
    path: /\.TrafficSources$/,
    reason: 'leaves out the traffic sources of a group, and tells its target groups and load balancers alone',
  },
  {
    steps: /^describe the health of (all|one target|the targets)/,
    path: /\.HealthCheckPort$/,
    reason: 'answers the setting where AWS answers the port',
  },
  {
    steps: /^describe the health of (all|one target)/,
    path: /\.AdministrativeOverride$/,
    reason:
      'tells of no override: https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_AdministrativeOverride.html',
  },
  {
    steps: /^describe the health of a target on another port/,
    path: /\.(Port|State|Reason|Description)$/,
    reason: 'heeds no port of a target',
  },
  {
    steps: /^describe the health of the targets that are left/,
    path: /^TargetHealthDescriptions$/,
    reason: 'keeps terminated members registered as targets',
  },
  {
    steps: /^describe the health of an instance of no load balancer/,
    path: /\.(State|ReasonCode|Description)$/,
    reason:
      'has no state for what is not registered: https://docs.aws.amazon.com/elasticloadbalancing/2012-06-01/APIReference/API_InstanceState.html',
  },
  {
    steps: /^describe the health of an unknown instance/,
    path: /^error$/,
    reason: 'answers the health of an instance that does not exist',
  },
  {
    steps: /^describe a member/,
    path: /\.HealthStatus$/,
    reason:
      'writes it as for a group, where AWS has capitals: https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_AutoScalingInstanceDetails.html',
  },
  {
    steps: /Standby|^detach a member, which|^terminate a member, which/,
    path: /\.Description$/,
    reason:
      'writes StandBy: https://docs.aws.amazon.com/autoscaling/ec2/userguide/example_auto-scaling_ExitStandby_section.html',
  },
  {
    steps: /into Standby|^detach (a member|it once more), which|^terminate a member, which/,
    path: /\.StatusCode$/,
    reason: 'has no member wait until it is deregistered from its target groups and load balancers',
  },
  {
    steps: /what is no member|what is in service|in its group once more/,
    path: /^error$/,
    reason: 'moves what is no member, or not in that state, without a word, or breaks where it is to end it',
  },
  {
    steps: /^describe a warm pool|^describe the group with a warm pool/,
    path: /^Instances$|\.WarmPoolSize$/,
    reason: 'launches nothing into a warm pool, and tells no size',
  },
  {
    steps: /^get .*(version|label|ARN)/,
    path: /\.Selector$/,
    reason: 'does not repeat by which version or label a parameter was asked for',
  },
  {
    steps: /^get an unknown label/,
    path: /^error$/,
    reason: 'has another error for an unknown label than for an unknown version',
  },
  {
    steps: /^get the public parameter/,
    path: /^arn$/,
    reason: 'has its own account in the ARN of a public parameter, which has none',
  },
  {
    steps: /^get the number/,
    path: /^item$/,
    reason:
      'keeps the zeroes around a number: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html',
  },
  {
    steps: /^get an item by a number/,
    path: /^error$/,
    reason: 'takes a key of another type for one that is not there',
  },
  {
    steps: /^put an item of 400 KB/,
    path: /^error$/,
    reason:
      'refuses items of more than 405,000 bytes: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html',
  },
  {
    steps: /an open bracket|an undefined (name|value)$|from half a key|none at most|all but one/,
    path: /^error$/,
    reason: 'breaks where a condition, a start key or a limit is wrong',
  },
  {
    steps: /^put on a condition of nothing|does not use a value|from a key of another partition/,
    path: /^error$/,
    reason:
      'takes an empty condition, a value that the condition does not use, and the key of another partition to start from',
  },
  {
    steps: /^query as many as there are/,
    path: /^last$/,
    reason:
      'knows that there is no more where the limit ends a page: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html',
  },
  {
    steps: /with values and no condition|no names in their list/,
    path: /^error$/,
    reason: 'heeds no values without a condition, and no empty list of names with one',
  },
];
