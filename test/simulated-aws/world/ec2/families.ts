const AMAZON_LINUX = [
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

/**
 * https://docs.aws.amazon.com/guardduty/latest/ug/prereq-runtime-monitoring-ecs-ec2-bottlerocket.html names the newer ones.
 */
const BOTTLEROCKET_VARIANTS = [
  'aws-ecs-1',
  'aws-ecs-1-nvidia',
  'aws-ecs-2',
  'aws-ecs-2-nvidia',
  'aws-ecs-2-fips',
  'aws-ecs-2-nvidia-fips',
  'aws-ecs-3',
  'aws-ecs-3-nvidia',
  'aws-ecs-3-fips',
  'aws-ecs-3-nvidia-fips',
] as const;

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-optimized_windows_AMI.html */
const WINDOWS_EDITIONS = [
  '2016-English-Full',
  '2016-English-Core',
  '2019-English-Full',
  '2019-English-Core',
  '2022-English-Full',
  '2022-English-Core',
  '2025-English-Full',
  '2025-English-Core',
] as const;

type AmazonLinux = (typeof AMAZON_LINUX)[number];
type Bottlerocket = `bottlerocket/${(typeof BOTTLEROCKET_VARIANTS)[number]}${'' | '/arm64'}`;
type Windows = `windows/${(typeof WINDOWS_EDITIONS)[number]}`;
export type Family = AmazonLinux | Bottlerocket | Windows;

/** The families of ECS-optimized images: those of Amazon Linux by what their public parameters call them. */
export const FAMILIES: readonly Family[] = [
  ...AMAZON_LINUX,
  ...BOTTLEROCKET_VARIANTS.flatMap((variant): Family[] => [
    `bottlerocket/${variant}`,
    `bottlerocket/${variant}/arm64`,
  ]),
  ...WINDOWS_EDITIONS.map((edition): Family => `windows/${edition}`),
];

const isBottlerocket = (family: Family): family is Bottlerocket => family.startsWith('bottlerocket/');
const isWindows = (family: Family): family is Windows => family.startsWith('windows/');

interface Cases<Answer> {
  readonly amazonLinux: (family: AmazonLinux) => Answer;
  /** With the variant, such as `aws-ecs-2-nvidia`. */
  readonly bottlerocket: (variant: string) => Answer;
  /** With the edition, such as `2022-English-Full`. */
  readonly windows: (edition: string) => Answer;
}

/** What each of the three makers of images has its own way of. */
export function byMaker<Answer>(family: Family, cases: Cases<Answer>): Answer {
  const [, name = ''] = family.split('/');
  if (isBottlerocket(family)) return cases.bottlerocket(name);
  return isWindows(family) ? cases.windows(name) : cases.amazonLinux(family as AmazonLinux);
}

export function architectureOf(family: Family): 'x86_64' | 'arm64' {
  return family.endsWith('/arm64') ? 'arm64' : 'x86_64';
}

export function rootDeviceOf(family: Family): string {
  const xvda = () => '/dev/xvda';
  return byMaker(family, { amazonLinux: xvda, bottlerocket: xvda, windows: () => '/dev/sda1' });
}

/** Each maker publishes from a separate account. */
export function ownerOf(family: Family): string {
  return byMaker(family, {
    amazonLinux: () => '591542846629',
    bottlerocket: () => '092701018921',
    windows: () => '801119661308',
  });
}

const AMAZON_ACCOUNTS: ReadonlySet<string> = new Set(FAMILIES.map(ownerOf));

/** Whether the owner alias `amazon` includes it. */
export const isAmazons = (accountId: string) => AMAZON_ACCOUNTS.has(accountId);
