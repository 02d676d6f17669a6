import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { surgeCount } from '../../../lambda/core/group/surge.ts';
import {
  isSameFamily,
  namePattern,
  recommendedParameter,
} from '../../../lambda/core/launch-spec/image-family.ts';
import {
  isOwnLaunchConfiguration,
  launchConfigurationName,
  readVersionDescription,
  versionDescription,
} from '../../../lambda/core/launch-spec/own-launch-specs.ts';
import { FAMILIES, type Family } from '../../simulated-aws/world/ec2/families.ts';
import { parameterPath } from '../../simulated-aws/world/ec2/public-parameters.ts';
import { imageName } from '../../simulated-aws/world/ec2/releases.ts';
import { ec2Filter } from '../../simulated-aws/world/filters.ts';

const UUID = '0a1b2c3d-1111-4222-8333-444444444444';
const group = (name: string, uuid = UUID) => ({ name, uuid });
const source = { uuid: '99999999-1111-4222-8333-444444444444' };

describe('the name of our launch configuration', () => {
  test('is the same for the same group, source and image, and different for any other', () => {
    const names = [
      launchConfigurationName(group('web'), source, 'ami-1'),
      launchConfigurationName(group('web2'), source, 'ami-1'),
      launchConfigurationName(group('web', '0a1b2c3e'), source, 'ami-1'),
      launchConfigurationName(group('web'), { uuid: '88888888' }, 'ami-1'),
      launchConfigurationName(group('web'), source, 'ami-2'),
    ];
    expect(new Set(names).size).toBe(5);
    expect(launchConfigurationName(group('web'), source, 'ami-1')).toBe(names[0]);
  });

  test('fits even for a group with the longest name, and is recognized as ours', () => {
    const longest = group('g'.repeat(255));
    const name = launchConfigurationName(longest, source, 'ami-0123456789abcdef0');
    expect(name.length).toBeLessThanOrEqual(255);
    expect(isOwnLaunchConfiguration(longest, name)).toBe(true);
  });

  test.each([
    ['web2', 'web'],
    ['web', 'web2'],
    ['web', 'web-ecs-ami-deploy-0a1b2c3d-99999999-ami-1'],
  ])('for group %s is not mistaken for one of %s', (mine, other) => {
    const name = launchConfigurationName(group(mine), source, 'ami-1');
    expect(isOwnLaunchConfiguration(group(other), name)).toBe(false);
  });

  test.each([
    'web',
    'web-ecs-ami-deploy-0a1b2c3d-by-hand',
    'web-ecs-ami-deploy-0a1b2c3d-a99999999-ami-1',
    'web-ecs-ami-deploy-0a1b2c3d-99999999-ami-1-copy',
  ])('is not what somebody else calls %s', (name) => {
    expect(isOwnLaunchConfiguration(group('web'), name)).toBe(false);
  });
});

test("our version's description can be read back, and no other", () => {
  expect(readVersionDescription(versionDescription(3, 'ami-0f'))).toEqual({
    sourceVersion: 3,
    imageId: 'ami-0f',
  });
  expect(readVersionDescription('by hand: ami-0f from version 3')).toBeUndefined();
  expect(readVersionDescription(versionDescription(12, 'ami-0f'))?.sourceVersion).toBe(12);
  expect(readVersionDescription('not ecs-ami-deploy: ami-0f from version 3')).toBeUndefined();
  expect(readVersionDescription('ecs-ami-deploy: ami-0f from version 3, by hand')).toBeUndefined();
});

test.each([
  ['amzn2-ami-ecs-hvm-2.0.20260115-x86_64-ebs', 'amazon-linux-2'],
  ['amzn2-ami-ecs-hvm-2.0.20260115-arm64-ebs', 'amazon-linux-2/arm64'],
  ['amzn2-ami-ecs-gpu-hvm-2.0.20260115-x86_64-ebs', 'amazon-linux-2/gpu'],
  ['amzn2-ami-ecs-inf-hvm-2.0.20260115-x86_64-ebs', 'amazon-linux-2/inf'],
  ['amzn2-ami-ecs-kernel-5.10-hvm-2.0.20260115-x86_64-ebs', 'amazon-linux-2/kernel-5.10'],
  ['amzn2-ami-ecs-kernel-5.10-hvm-2.0.20260115-arm64-ebs', 'amazon-linux-2/kernel-5.10/arm64'],
  ['amzn2-ami-ecs-kernel-5.10-gpu-hvm-2.0.20260115-x86_64-ebs', 'amazon-linux-2/kernel-5.10/gpu'],
  ['amzn2-ami-ecs-kernel-5.10-inf-hvm-2.0.20260115-x86_64-ebs', 'amazon-linux-2/kernel-5.10/inf'],
  ['al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-x86_64', 'amazon-linux-2023'],
  ['al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-arm64', 'amazon-linux-2023/arm64'],
  ['al2023-ami-ecs-gpu-hvm-2023.0.20260115-kernel-6.1-x86_64-ebs', 'amazon-linux-2023/gpu'],
  ['al2023-ami-ecs-neuron-hvm-2023.0.20260115-kernel-6.1-x86_64', 'amazon-linux-2023/neuron'],
])('%s is of family %s', (name, family) => {
  expect(recommendedParameter(name)).toBe(`/aws/service/ecs/optimized-ami/${family}/recommended`);
});

test.each([
  ['bottlerocket-aws-ecs-1-x86_64-v1.20.3-0be31b34', 'aws-ecs-1/x86_64'],
  ['bottlerocket-aws-ecs-2-nvidia-aarch64-v1.20.3-0be31b34', 'aws-ecs-2-nvidia/arm64'],
  ['bottlerocket-aws-ecs-2-nvidia-fips-x86_64-v1.62.1-0be31b34', 'aws-ecs-2-nvidia-fips/x86_64'],
  ['bottlerocket-aws-ecs-3-aarch64-v1.65.0-0be31b34', 'aws-ecs-3/arm64'],
])('%s is of Bottlerocket family %s', (name, family) => {
  expect(recommendedParameter(name)).toBe(`/aws/service/bottlerocket/${family}/latest/image_id`);
});

test.each(['2016-English-Full', '2019-English-Core', '2022-English-Full', '2025-English-Core'])(
  'Windows Server %s has its own parameter',
  (edition) => {
    const family = `Windows_Server-${edition}-ECS_Optimized`;
    const parameter = `/aws/service/ami-windows-latest/${family}/image_id`;
    expect(recommendedParameter(`${family}-2026.11.01`)).toBe(parameter);
  },
);

test.each([
  'al2023-ami-2023.0.20260115-kernel-6.1-x86_64',
  'my-amzn2-ami-ecs-hvm-2.0.20260115-x86_64-ebs',
  'amzn2-ami-ecs-kepler-gpu-hvm-2.0.20260115-x86_64-ebs',
  'bottlerocket-aws-k8s-1.33-x86_64-v1.20.3-0be31b34',
  'bottlerocket-aws-ecs-2-x86_64-v1.20.3-dirty',
  'Windows_Server-2022-English-Full-Base-2026.11.01',
  'Windows_Server-2022-English-Full-EKS_Optimized-1.33-2026.11.01',
  '',
])('%j is of no ECS-optimized family', (name) => {
  expect(recommendedParameter(name)).toBeUndefined();
  expect(namePattern(name)).toBeUndefined();
  expect(isSameFamily(name, name)).toBe(false);
});

test.each([
  [
    'al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-x86_64',
    'al2023-ami-ecs-hvm-2023.0.????????-kernel-*-x86_64',
  ],
  [
    'amzn2-ami-ecs-kernel-5.10-gpu-hvm-2.0.20260115-x86_64-ebs',
    'amzn2-ami-ecs-kernel-5.10-gpu-hvm-2.0.????????-x86_64-ebs',
  ],
  [
    'bottlerocket-aws-ecs-2-nvidia-aarch64-v1.20.3-0be31b34',
    'bottlerocket-aws-ecs-2-nvidia-aarch64-v*-????????',
  ],
  [
    'Windows_Server-2022-English-Full-ECS_Optimized-2026.11.01',
    'Windows_Server-2022-English-Full-ECS_Optimized-????.??.??',
  ],
])('the other releases of the family of %s are named %s', (name, pattern) => {
  expect(namePattern(name)).toBe(pattern);
});

test("a loose pattern's extra matches are still told apart", () => {
  const name = 'al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-x86_64';
  const odd = 'al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-hardened-x86_64';
  expect(matches(namePattern(name) ?? '', odd)).toBe(true);
  expect(isSameFamily(name, odd)).toBe(false);
  expect(isSameFamily(name, name.replace('6.1', '6.12'))).toBe(true);
});

/** As DescribeImages returns it. */
function matches(pattern: string, name: string): boolean {
  const filters = [{ Name: 'name', Values: [pattern] }];
  return ec2Filter<string>(filters, { operation: 'DescribeImages', fields: { name: (one) => [one] } })(name);
}

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const anyRelease = fc.record({
  date: digits(8),
  version: fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((numbers) => numbers.join('.')),
  commit: fc.stringMatching(/^[0-9a-f]{8}$/),
});
const anyImageOf = (...families: readonly Family[]) =>
  fc
    .tuple(fc.constantFrom(...families), anyRelease)
    .map(([family, release]) => ({ family, name: imageName(family, release) }));
const anyImage = anyImageOf(...FAMILIES);

describe('the releases of every family', () => {
  test('lead to its own parameter', () => {
    fc.assert(
      fc.property(anyImage, ({ family, name }) => {
        const path = parameterPath(family);
        expect([path, `${path}/image_id`]).toContain(recommendedParameter(name));
      }),
    );
  });

  test.each(FAMILIES)('of %s are found by any of their names, and no other family is', (family) => {
    fc.assert(
      fc.property(anyImageOf(family), fc.oneof(anyImage, anyImageOf(family)), ({ name }, other) => {
        const isOwn = other.family === family;
        expect(matches(namePattern(name) ?? '', other.name)).toBe(isOwn);
        expect(isSameFamily(name, other.name)).toBe(isOwn);
      }),
    );
  });

  test('are not recognized with something before or after the name', () => {
    fc.assert(
      fc.property(anyImage, fc.string({ minLength: 1 }), ({ name }, more) => {
        expect(recommendedParameter(`${more}${name}`)).toBeUndefined();
        expect(recommendedParameter(`${name}${more}`)).toBeUndefined();
      }),
    );
  });
});

test.each([
  [{ kind: 'percent', percent: 100 }, 6, 6],
  [{ kind: 'percent', percent: 34 }, 6, 3],
  [{ kind: 'percent', percent: 10 }, 6, 1],
  [{ kind: 'percent', percent: 1 }, 0, 1],
  [{ kind: 'count', count: 4 }, 6, 4],
] as const)('a surge of %j in a group of %i is %i', (surge, size, expected) => {
  expect(surgeCount(surge, size)).toBe(expected);
});
