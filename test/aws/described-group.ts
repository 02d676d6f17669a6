import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';

export const UUID = '11111111-2222-4333-8444-555555555555';

/** The group `web` as AWS describes it: only what every group has, unless overridden. */
export function describedGroup(parts: Partial<AutoScalingGroup> = {}): AutoScalingGroup {
  return {
    AutoScalingGroupName: 'web',
    AutoScalingGroupARN: `arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:${UUID}:autoScalingGroupName/web`,
    MinSize: 0,
    MaxSize: 4,
    DesiredCapacity: 2,
    DefaultCooldown: 300,
    AvailabilityZones: [],
    HealthCheckType: 'EC2',
    CreatedTime: new Date(0),
    ...parts,
  };
}
