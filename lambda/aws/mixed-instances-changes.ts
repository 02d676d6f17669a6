import {
  type InstanceRequirements,
  type LaunchTemplate,
  type LaunchTemplateOverrides,
  type LaunchTemplateSpecification,
  paginateDescribeAutoScalingGroups,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import type { PolicyChange } from '../core/model/launch.ts';
import type { Aws } from './clients.ts';
import { StaleObservation } from './errors.ts';
import { withoutEmptyStrings } from './launch-configuration-changes.ts';
import { orLaunchSpecRefused } from './refused.ts';

/**
 * Changes versions and images in a group's mixed instances policy. It reads what the policy launches and
 * sends that back whole, so that nothing else in it is lost; changes made before stay as they are. How it
 * distributes capacity isn't named: "any properties that you don't specify are not changed", and naming its
 * On-Demand figures takes its segments away, or back to what they were when we read it.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_UpdateAutoScalingGroup.html
 *
 * @throws StaleObservation if the group no longer has such a policy
 * @throws LaunchSpecRefused
 */
export async function changePolicy(
  { autoScaling }: Aws,
  group: string,
  changes: readonly PolicyChange[],
): Promise<void> {
  const pages = paginateDescribeAutoScalingGroups(
    { client: autoScaling },
    { AutoScalingGroupNames: [group] },
  );
  for await (const { AutoScalingGroups = [] } of pages) {
    const policy = AutoScalingGroups[0]?.MixedInstancesPolicy;
    if (!policy?.LaunchTemplate?.LaunchTemplateSpecification) continue;
    const LaunchTemplate = changed(policy.LaunchTemplate, changes);
    const command = new UpdateAutoScalingGroupCommand({
      AutoScalingGroupName: group,
      MixedInstancesPolicy: { LaunchTemplate },
    });
    await orLaunchSpecRefused(autoScaling.send(command));
    return;
  }
  throw new StaleObservation(`group ${group} no longer has a mixed instances policy`);
}

function changed(policy: LaunchTemplate, changes: readonly PolicyChange[]): LaunchTemplate {
  return {
    LaunchTemplateSpecification: specificationOf(policy.LaunchTemplateSpecification, changes),
    // Left out, the list stays as it was; and so it is left out where it is empty.
    ...(policy.Overrides?.length && {
      Overrides: policy.Overrides.map((override) => overrideOf(override, changes)),
    }),
  };
}

function overrideOf(
  override: LaunchTemplateOverrides,
  changes: readonly PolicyChange[],
): LaunchTemplateOverrides {
  const { LaunchTemplateSpecification, ImageId, InstanceRequirements, ...rest } = override;
  const image = changes.find((change) => change.kind === 'image' && change.from === ImageId);
  return {
    ...withoutEmptyStrings(rest),
    ...(InstanceRequirements?.VCpuCount && { InstanceRequirements: withoutUnset(InstanceRequirements) }),
    ...(LaunchTemplateSpecification?.LaunchTemplateId && {
      LaunchTemplateSpecification: specificationOf(LaunchTemplateSpecification, changes),
    }),
    ...(ImageId && { ImageId: image?.kind === 'image' ? image.to : ImageId }),
  };
}

/**
 * AWS may describe what isn't set as empty, and takes no such text, nor two lists that exclude each other,
 * even if both are empty.
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_InstanceRequirements.html
 */
function withoutUnset(requirements: InstanceRequirements): InstanceRequirements {
  const isEmpty = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  const set = Object.entries(withoutEmptyStrings(requirements)).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(set) as InstanceRequirements;
}

/** AWS describes it with id and name, and accepts only one of them. */
function specificationOf(
  specification: LaunchTemplateSpecification | undefined,
  changes: readonly PolicyChange[],
): LaunchTemplateSpecification | undefined {
  if (specification === undefined) return undefined;
  const { LaunchTemplateId, Version } = specification;
  const version = changes.find(
    (change) =>
      change.kind === 'version' && change.templateId === LaunchTemplateId && String(change.from) === Version,
  );
  return withoutEmptyStrings({
    LaunchTemplateId,
    Version: version?.kind === 'version' ? String(version.to) : Version,
  });
}
