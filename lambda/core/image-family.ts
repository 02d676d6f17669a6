/**
 * The ECS-optimized families of Amazon Linux. A name tells the family, and the family the parameter in which AWS
 * publishes its newest image, so that a group never crosses from one family to another.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/retrieve-ecs-optimized_AMI.html
 */
const FAMILIES = [
  // al2023-ami-ecs-hvm-2023.0.20260101-kernel-6.1-arm64
  {
    name: /^al2023-ami-ecs-hvm-2023\.0\.\d{8}-kernel-[\d.]+-(x86_64|arm64)$/,
    family: 'amazon-linux-2023',
  },
  {
    name: /^al2023-ami-ecs-(gpu|neuron)-hvm-2023\.0\.\d{8}-kernel-[\d.]+-x86_64(?:-ebs)?$/,
    family: 'amazon-linux-2023',
  },
  // amzn2-ami-ecs-kernel-5.10-hvm-2.0.20260101-x86_64-ebs
  {
    name: /^amzn2-ami-ecs-hvm-2\.0\.\d{8}-(x86_64|arm64)-ebs$/,
    family: 'amazon-linux-2',
  },
  {
    name: /^amzn2-ami-ecs-(gpu|inf)-hvm-2\.0\.\d{8}-x86_64-ebs$/,
    family: 'amazon-linux-2',
  },
  {
    name: /^amzn2-ami-ecs-kernel-5\.10-hvm-2\.0\.\d{8}-(x86_64|arm64)-ebs$/,
    family: 'amazon-linux-2/kernel-5.10',
  },
  {
    name: /^amzn2-ami-ecs-kernel-5\.10-(gpu|inf)-hvm-2\.0\.\d{8}-x86_64-ebs$/,
    family: 'amazon-linux-2/kernel-5.10',
  },
] as const;

/** The SSM parameter with the recommended image of the family that an image is of; undefined for any other image. */
export function recommendedParameter(imageName: string): string | undefined {
  for (const { name, family } of FAMILIES) {
    const variant = name.exec(imageName)?.[1];
    if (variant === undefined) continue;
    // The one for x86_64 without accelerators has no sub-path of its own.
    const path = variant === 'x86_64' ? family : `${family}/${variant}`;
    return `/aws/service/ecs/optimized-ami/${path}/recommended`;
  }
  return undefined;
}
