/**
 * The families of ECS-optimized images. An image's name shows its family and architecture, and they show the
 * parameter where AWS publishes the newest image. So a group never moves to another family.
 */
interface Family {
  /** Matches the names of its releases. */
  readonly name: RegExp;
  /** The same for EC2's filters: `*` is any text, `?` one character or none. */
  readonly pattern: string;
  /** May refer to the groups of `name`, as the pattern may. */
  readonly parameter: string;
}

const AMAZON_LINUX = '/aws/service/ecs/optimized-ami';
const BOTTLEROCKET = '/aws/service/bottlerocket';
const WINDOWS = '/aws/service/ami-windows-latest';

/**
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/retrieve-ecs-optimized_AMI.html, names by https://github.com/aws/amazon-ecs-ami
 */
const AMAZON_LINUX_FAMILIES: readonly Family[] = [
  // The kernel is not part of the family: the parameter moves on to newer ones.
  {
    name: /^al2023-ami-ecs-hvm-2023\.0\.\d{8}-kernel-[\d.]+-x86_64$/,
    pattern: 'al2023-ami-ecs-hvm-2023.0.????????-kernel-*-x86_64',
    parameter: `${AMAZON_LINUX}/amazon-linux-2023/recommended`,
  },
  {
    name: /^al2023-ami-ecs-hvm-2023\.0\.\d{8}-kernel-[\d.]+-arm64$/,
    pattern: 'al2023-ami-ecs-hvm-2023.0.????????-kernel-*-arm64',
    parameter: `${AMAZON_LINUX}/amazon-linux-2023/arm64/recommended`,
  },
  {
    name: /^al2023-ami-ecs-gpu-hvm-2023\.0\.\d{8}-kernel-[\d.]+-x86_64-ebs$/,
    pattern: 'al2023-ami-ecs-gpu-hvm-2023.0.????????-kernel-*-x86_64-ebs',
    parameter: `${AMAZON_LINUX}/amazon-linux-2023/gpu/recommended`,
  },
  {
    name: /^al2023-ami-ecs-neuron-hvm-2023\.0\.\d{8}-kernel-[\d.]+-x86_64$/,
    pattern: 'al2023-ami-ecs-neuron-hvm-2023.0.????????-kernel-*-x86_64',
    parameter: `${AMAZON_LINUX}/amazon-linux-2023/neuron/recommended`,
  },
  // Here it is: 4.14, which isn't in the name, or 5.10.
  {
    name: /^amzn2-ami-ecs-hvm-2\.0\.\d{8}-x86_64-ebs$/,
    pattern: 'amzn2-ami-ecs-hvm-2.0.????????-x86_64-ebs',
    parameter: `${AMAZON_LINUX}/amazon-linux-2/recommended`,
  },
  {
    name: /^amzn2-ami-ecs-hvm-2\.0\.\d{8}-arm64-ebs$/,
    pattern: 'amzn2-ami-ecs-hvm-2.0.????????-arm64-ebs',
    parameter: `${AMAZON_LINUX}/amazon-linux-2/arm64/recommended`,
  },
  {
    name: /^amzn2-ami-ecs-(gpu|inf)-hvm-2\.0\.\d{8}-x86_64-ebs$/,
    pattern: 'amzn2-ami-ecs-$1-hvm-2.0.????????-x86_64-ebs',
    parameter: `${AMAZON_LINUX}/amazon-linux-2/$1/recommended`,
  },
  {
    name: /^amzn2-ami-ecs-(kernel-5\.10)-hvm-2\.0\.\d{8}-x86_64-ebs$/,
    pattern: 'amzn2-ami-ecs-$1-hvm-2.0.????????-x86_64-ebs',
    parameter: `${AMAZON_LINUX}/amazon-linux-2/$1/recommended`,
  },
  {
    name: /^amzn2-ami-ecs-(kernel-5\.10)-hvm-2\.0\.\d{8}-arm64-ebs$/,
    pattern: 'amzn2-ami-ecs-$1-hvm-2.0.????????-arm64-ebs',
    parameter: `${AMAZON_LINUX}/amazon-linux-2/$1/arm64/recommended`,
  },
  {
    name: /^amzn2-ami-ecs-(kernel-5\.10)-(gpu|inf)-hvm-2\.0\.\d{8}-x86_64-ebs$/,
    pattern: 'amzn2-ami-ecs-$1-$2-hvm-2.0.????????-x86_64-ebs',
    parameter: `${AMAZON_LINUX}/amazon-linux-2/$1/$2/recommended`,
  },
];

/**
 * The parameters say arm64 where the names say aarch64:
 * https://github.com/bottlerocket-os/bottlerocket/blob/develop/QUICKSTART-ECS.md
 */
const BOTTLEROCKET_FAMILIES: readonly Family[] = [
  {
    name: /^bottlerocket-(aws-ecs-\d+(?:-nvidia)?(?:-fips)?)-x86_64-v\d+\.\d+\.\d+-[\da-f]{8}$/,
    pattern: 'bottlerocket-$1-x86_64-v*-????????',
    parameter: `${BOTTLEROCKET}/$1/x86_64/latest/image_id`,
  },
  {
    name: /^bottlerocket-(aws-ecs-\d+(?:-nvidia)?(?:-fips)?)-aarch64-v\d+\.\d+\.\d+-[\da-f]{8}$/,
    pattern: 'bottlerocket-$1-aarch64-v*-????????',
    parameter: `${BOTTLEROCKET}/$1/arm64/latest/image_id`,
  },
];

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/retrieve-ecs-optimized_windows_AMI.html */
const WINDOWS_FAMILIES: readonly Family[] = [
  {
    name: /^(Windows_Server-\d{4}-English-(?:Full|Core)-ECS_Optimized)-\d{4}\.\d\d\.\d\d$/,
    pattern: '$1-????.??.??',
    parameter: `${WINDOWS}/$1/image_id`,
  },
];

const FAMILIES = [...AMAZON_LINUX_FAMILIES, ...BOTTLEROCKET_FAMILIES, ...WINDOWS_FAMILIES];

const familyOf = (imageName: string) => FAMILIES.find(({ name }) => name.test(imageName));

/**
 * The SSM parameter with the recommended image of an image's family: it holds JSON with an `image_id`, or the
 * plain id. Undefined for images of no known family.
 */
export function recommendedParameter(imageName: string): string | undefined {
  const family = familyOf(imageName);
  return family && imageName.replace(family.name, family.parameter);
}

/**
 * For DescribeImages: a name pattern for all releases of an image's family and architecture. It matches no
 * other family known here, but may match future ones: `isSameFamily` has the last word. Undefined for any
 * other image.
 */
export function namePattern(imageName: string): string | undefined {
  const family = familyOf(imageName);
  return family && imageName.replace(family.name, family.pattern);
}

/** Whether two images are releases of one family for one architecture. Custom images never are. */
export function isSameFamily(imageName: string, otherName: string): boolean {
  const parameter = recommendedParameter(imageName);
  return parameter !== undefined && parameter === recommendedParameter(otherName);
}
