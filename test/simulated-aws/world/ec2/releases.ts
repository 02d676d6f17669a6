import { architectureOf, byMaker, type Family } from './families.ts';

/** What distinguishes the releases of a family. */
export interface Release {
  /** YYYYMMDD. */
  readonly date: string;
  /** Bottlerocket's, which goes by no date: `1.65.0` and the commit that it was built of. */
  readonly version: string;
  readonly commit: string;
}

const DAY_MS = 86_400_000;
/** Of Bottlerocket there is about one minor version a month; it was at 1.0 in July 2021. */
const MONTHS_BEFORE = 2021 * 12 + 6;

/**
 * A day's release. `attempt` distinguishes those of one day; names are unique, so the later ones carry later
 * dates.
 */
export function releaseOf(createdAtMs: number, attempt: number): Release {
  const day = new Date(createdAtMs);
  const minor = Math.max(0, day.getUTCFullYear() * 12 + day.getUTCMonth() - MONTHS_BEFORE);
  const patch = day.getUTCDate() * 10 + attempt;
  const date = new Date(createdAtMs + attempt * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const commit = (minor * 1000 + patch).toString(16).padStart(8, '0');
  return { date, version: `1.${minor}.${patch}`, commit };
}

/** `al2023-ami-ecs-gpu-hvm-2023.0.20261101-kernel-6.1-x86_64-ebs` and the like. */
export function imageName(family: Family, { date, version, commit }: Release): string {
  const architecture = architectureOf(family);
  return byMaker(family, {
    amazonLinux: () => amazonLinuxName(family, date),
    bottlerocket: (variant) => {
      const built = architecture === 'arm64' ? 'aarch64' : architecture;
      return `bottlerocket-${variant}-${built}-v${version}-${commit}`;
    },
    windows: (edition) => {
      const dotted = date.replace(/^(....)(..)/, '$1.$2.');
      return `Windows_Server-${edition}-ECS_Optimized-${dotted}`;
    },
  });
}

/** https://github.com/aws/amazon-ecs-ami names them so in its Packer files. */
function amazonLinuxName(family: Family, date: string): string {
  const architecture = architectureOf(family);
  const [, variant = ''] = /\/(gpu|neuron|inf)$/.exec(family) ?? [];
  const suffix = variant && `-${variant}`;
  if (family.startsWith('amazon-linux-2023')) {
    const end = variant === 'gpu' ? '-ebs' : '';
    return `al2023-ami-ecs${suffix}-hvm-2023.0.${date}-kernel-6.1-${architecture}${end}`;
  }
  const kernel = family.includes('kernel-5.10') ? '-kernel-5.10' : '';
  return `amzn2-ami-ecs${kernel}${suffix}-hvm-2.0.${date}-${architecture}-ebs`;
}
