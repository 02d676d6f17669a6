import { architectureOf, byMaker, type Family } from './families.ts';
import { imageName, type Release } from './releases.ts';

/** That all images bring along. */
export const AGENT_VERSION = '1.101.0';

/**
 * What the public parameters of a family begin with; with `/image_id` it is the one that holds the newest
 * plain id.
 */
export function parameterPath(family: Family): string {
  return byMaker(family, {
    amazonLinux: () => `/aws/service/ecs/optimized-ami/${family}/recommended`,
    bottlerocket: (variant) => `/aws/service/bottlerocket/${variant}/${architectureOf(family)}/latest`,
    windows: (edition) => `/aws/service/ami-windows-latest/Windows_Server-${edition}-ECS_Optimized`,
  });
}

/** All the parameters that a release sets, by name. */
export function parametersOf(family: Family, imageId: string, release: Release): Record<string, string> {
  const path = parameterPath(family);
  return byMaker(family, {
    amazonLinux: () => withFields(path, recommendation(family, imageId, release)),
    bottlerocket: () => bottlerocketParameters(path, imageId, release),
    windows: () => withFields(path, windowsFields(family, imageId, release)),
  });
}

/** A parameter whose value is a JSON string, and a sub-path for each of its fields. */
function withFields(path: string, fields: Readonly<Record<string, string | number>>): Record<string, string> {
  const each = Object.entries(fields).map(([field, value]) => [`${path}/${field}`, String(value)]);
  return { [path]: JSON.stringify(fields), ...Object.fromEntries(each) };
}

function recommendation(family: Family, imageId: string, release: Release) {
  const { date } = release;
  const architecture = architectureOf(family);
  const is2023 = family.startsWith('amazon-linux-2023');
  return {
    ecs_agent_version: AGENT_VERSION,
    ecs_runtime_version: 'Docker version 25.0.13',
    image_id: imageId,
    image_name: imageName(family, release),
    image_version: is2023 ? `2023.0.${date}` : `2.0.${date}`,
    os: is2023 ? 'Amazon Linux 2023' : 'Amazon Linux 2',
    schema_version: 1,
    source_image_name: is2023
      ? `al2023-ami-minimal-2023.9.${date}.0-kernel-6.1-${architecture}`
      : `amzn2-ami-minimal-hvm-2.0.${date}.0-${architecture}-ebs`,
  };
}

/**
 * Plain values alone, of the newest release and of each:
 * https://github.com/bottlerocket-os/bottlerocket/blob/develop/QUICKSTART-ECS.md
 */
function bottlerocketParameters(
  latest: string,
  imageId: string,
  { version, commit }: Release,
): Record<string, string> {
  const paths = ['latest', version, `${version}-${commit}`].map((one) => latest.replace(/latest$/, one));
  const each = paths.flatMap((path) => [
    [`${path}/image_id`, imageId],
    [`${path}/image_version`, `${version}-${commit}`],
  ]);
  return Object.fromEntries(each);
}

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/retrieve-ecs-optimized_windows_AMI.html */
function windowsFields(family: Family, imageId: string, release: Release) {
  return {
    image_name: imageName(family, release),
    image_id: imageId,
    ecs_runtime_version: 'Docker (CE) version 25.0.6',
    ecs_agent_version: AGENT_VERSION,
  };
}
