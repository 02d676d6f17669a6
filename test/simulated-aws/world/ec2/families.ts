/** The families of ECS-optimized Amazon Linux images, as their public parameters name them. */
export const FAMILIES = [
  'amazon-linux-2023',
  'amazon-linux-2023/arm64',
  'amazon-linux-2023/gpu',
  'amazon-linux-2023/neuron',
  'amazon-linux-2',
  'amazon-linux-2/arm64',
  'amazon-linux-2/gpu',
  'amazon-linux-2/inf',
  'amazon-linux-2/kernel-5.10',
  'amazon-linux-2/kernel-5.10/arm64',
  'amazon-linux-2/kernel-5.10/gpu',
  'amazon-linux-2/kernel-5.10/inf',
] as const;
export type Family = (typeof FAMILIES)[number];

/** Amazon's account for them; the owner alias `amazon` stands for it. */
export const AMAZON_ECS_ACCOUNT = '591542846629';

const isAmazonLinux2023 = (family: Family) => family.startsWith('amazon-linux-2023');

export function architectureOf(family: Family): 'x86_64' | 'arm64' {
  return family.endsWith('/arm64') ? 'arm64' : 'x86_64';
}

/** `al2023-ami-ecs-gpu-hvm-2023.0.20261101-kernel-6.1-x86_64-ebs` and the like; `date` is YYYYMMDD. */
export function imageName(family: Family, date: string): string {
  const architecture = architectureOf(family);
  const [, variant = ''] = /\/(gpu|neuron|inf)$/.exec(family) ?? [];
  const suffix = variant && `-${variant}`;
  if (isAmazonLinux2023(family)) {
    const end = variant === 'gpu' ? '-ebs' : '';
    return `al2023-ami-ecs${suffix}-hvm-2023.0.${date}-kernel-6.1-${architecture}${end}`;
  }
  const kernel = family.includes('kernel-5.10') ? '-kernel-5.10' : '';
  return `amzn2-ami-ecs${kernel}${suffix}-hvm-2.0.${date}-${architecture}-ebs`;
}

/** The fields of a `recommended` parameter, each of which is a sub-path too. */
export function recommendation(family: Family, imageId: string, date: string) {
  const architecture = architectureOf(family);
  return {
    ecs_agent_version: '1.101.0',
    ecs_runtime_version: 'Docker version 25.0.13',
    image_id: imageId,
    image_name: imageName(family, date),
    image_version: isAmazonLinux2023(family) ? `2023.0.${date}` : `2.0.${date}`,
    os: isAmazonLinux2023(family) ? 'Amazon Linux 2023' : 'Amazon Linux 2',
    schema_version: 1,
    source_image_name: isAmazonLinux2023(family)
      ? `al2023-ami-minimal-2023.9.${date}.0-kernel-6.1-${architecture}`
      : `amzn2-ami-minimal-hvm-2.0.${date}.0-${architecture}-ebs`,
  };
}

export function parameterName(family: Family): string {
  return `/aws/service/ecs/optimized-ami/${family}/recommended`;
}
