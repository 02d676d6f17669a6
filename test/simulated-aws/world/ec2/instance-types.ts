import { DescribeInstanceTypesCommand, type InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { BootMode, Image } from './model.ts';

type Architecture = Image['architecture'];

interface InstanceType {
  readonly name: string;
  readonly architectures: readonly Architecture[];
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly bootModes: readonly BootMode[];
}

/** A few of each kind that there is an ECS-optimized image for: https://aws.amazon.com/ec2/instance-types/ */
const SIZES: Readonly<Record<Architecture, readonly (readonly [string, vcpus: number, gib: number])[]>> = {
  x86_64: [
    ['m5.large', 2, 8],
    ['m5a.large', 2, 8],
    ['m5.xlarge', 4, 16],
    ['c5.large', 2, 4],
    ['t3.medium', 2, 4],
    ['t2.xlarge', 4, 16],
    ['g4dn.xlarge', 4, 16],
    ['inf1.xlarge', 4, 8],
    ['trn1.2xlarge', 8, 32],
  ],
  arm64: [
    ['m6g.large', 2, 8],
    ['m7g.large', 2, 8],
    ['c6g.large', 2, 4],
    ['g5g.xlarge', 4, 8],
  ],
};

/**
 * All on Nitro boot either way, apart from a few that aren't here; `t2.xlarge` isn't on it.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-type-boot-mode.html
 */
function modesOf(name: string, architecture: Architecture): BootMode[] {
  if (architecture === 'arm64') return ['uefi'];
  return name.startsWith('t2.') ? ['legacy-bios'] : ['legacy-bios', 'uefi'];
}

const TYPES: ReadonlyMap<string, InstanceType> = new Map(
  (['x86_64', 'arm64'] as const).flatMap((architecture) =>
    SIZES[architecture].map(([name, vcpus, gib]) => [
      name,
      {
        name,
        architectures: [architecture],
        vcpus,
        memoryMib: gib * 1024,
        bootModes: modesOf(name, architecture),
      },
    ]),
  ),
);

const VCPUS_BY_SIZE: Readonly<Record<string, number>> = { xlarge: 4, '2xlarge': 8, '4xlarge': 16 };

/** Of a type that is not simulated, what one of general purpose has by its size. */
export function capacityOf(instanceType: string): Pick<InstanceType, 'vcpus' | 'memoryMib'> {
  const [, size = ''] = instanceType.split('.');
  const vcpus = VCPUS_BY_SIZE[size] ?? 2;
  return TYPES.get(instanceType) ?? { vcpus, memoryMib: vcpus * 4096 };
}

const FILTERED: Filterable<InstanceType> = {
  operation: 'DescribeInstanceTypes',
  fields: {
    'instance-type': ({ name }) => [name],
    'supported-boot-mode': ({ bootModes }) => bootModes,
    'processor-info.supported-architecture': ({ architectures }) => architectures,
  },
};

const MAX_NAMES = 100;

/** Of a type that is not simulated nothing is known. */
export function architecturesOf(instanceType: string): readonly Architecture[] | undefined {
  return TYPES.get(instanceType)?.architectures;
}

/** The same. */
export function bootModesOf(instanceType: string): readonly BootMode[] | undefined {
  return TYPES.get(instanceType)?.bootModes;
}

/**
 * One that fits an image, where a group chooses by requirements: they are taken to leave it a choice, and
 * what it is isn't simulated.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/create-mixed-instances-group-attribute-based-instance-type-selection.html
 */
export function anyTypeFor(architecture: Architecture = 'x86_64'): string {
  return architecture === 'arm64' ? 'm7g.large' : 'm5.xlarge';
}

export function instanceTypeOperations(): Operation[] {
  const page = createPager<InstanceType>('DescribeInstanceTypes', {
    default: 100,
    min: 5,
    max: 100,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return [
    on(
      DescribeInstanceTypesCommand,
      { InstanceTypes: 'all', Filters: 'all', NextToken: 'all', MaxResults: 'all' },
      (input) => {
        const { InstanceTypes: names } = input;
        // ledger: instance-types-paged
        if (names?.length && input.MaxResults !== undefined)
          throw new AwsError(
            'InvalidParameterCombination',
            'The parameter instanceTypes cannot be used with the parameter maxResults',
          );
        const passes = ec2Filter(input.Filters, FILTERED);
        const types = names?.length ? find(names) : [...TYPES.values()];
        const { items, token } = page(types.filter(passes), {
          limit: input.MaxResults,
          token: input.NextToken,
        });
        return { InstanceTypes: items.map(describe), NextToken: token };
      },
    ),
  ];
}

/** All or none: one unknown name fails the whole call. */
function find(names: readonly string[]): InstanceType[] {
  // ledger: instance-types-most
  if (names.length > MAX_NAMES)
    throw new AwsError('InvalidParameterValue', `Instance types: ${names.length}, at most ${MAX_NAMES}`);
  const unknown = names.filter((name) => !TYPES.has(name));
  // ledger: instance-types-unknown
  if (unknown.length > 0)
    throw new AwsError(
      'InvalidInstanceType',
      `The following supplied instance types do not exist: [${unknown.join(', ')}]`,
    );
  return names.flatMap((name) => TYPES.get(name) ?? []);
}

const describe = ({ name, architectures, vcpus, memoryMib, bootModes }: InstanceType): InstanceTypeInfo => ({
  InstanceType: name as NonNullable<InstanceTypeInfo['InstanceType']>,
  SupportedRootDeviceTypes: ['ebs'],
  SupportedVirtualizationTypes: ['hvm'],
  SupportedBootModes: bootModes.filter((mode) => mode !== 'uefi-preferred'),
  ProcessorInfo: { SupportedArchitectures: [...architectures] },
  VCpuInfo: { DefaultVCpus: vcpus },
  MemoryInfo: { SizeInMiB: memoryMib },
});
