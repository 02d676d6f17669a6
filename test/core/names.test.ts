import { describe, expect, test } from 'vitest';
import { surgeCount } from '../../lambda/core/budget.ts';
import { recommendedParameter } from '../../lambda/core/image-family.ts';
import {
  isOwnLaunchConfiguration,
  launchConfigurationName,
  readVersionDescription,
  versionDescription,
} from '../../lambda/core/launch-spec.ts';

const UUID = '0a1b2c3d-1111-4222-8333-444444444444';
const group = (name: string, uuid = UUID) => ({ name, uuid });
const source = { uuid: '99999999-1111-4222-8333-444444444444' };

describe('the name of a launch configuration of ours', () => {
  test('is the same for the same group, source and image, and another for any other', () => {
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

  test('fits for a group with the longest of names, and is known as ours', () => {
    const longest = group('g'.repeat(255));
    const name = launchConfigurationName(longest, source, 'ami-0123456789abcdef0');
    expect(name.length).toBeLessThanOrEqual(255);
    expect(isOwnLaunchConfiguration(longest, name)).toBe(true);
  });

  test.each([
    ['web2', 'web'],
    ['web', 'web2'],
    ['web', 'web-ecs-ami-deploy-0a1b2c3d-99999999-ami-1'],
  ])('of group %s is not taken for one of %s', (mine, other) => {
    const name = launchConfigurationName(group(mine), source, 'ami-1');
    expect(isOwnLaunchConfiguration(group(other), name)).toBe(false);
  });

  test.each([
    'web',
    'web-ecs-ami-deploy-0a1b2c3d-by-hand',
    'web-ecs-ami-deploy-0a1b2c3d-99999999-ami-1-copy',
  ])('is not what somebody else calls %s', (name) => {
    expect(isOwnLaunchConfiguration(group('web'), name)).toBe(false);
  });
});

test('the description of a version of ours can be read again, and no other', () => {
  expect(readVersionDescription(versionDescription(3, 'ami-0f'))).toEqual({
    sourceVersion: 3,
    imageId: 'ami-0f',
  });
  expect(readVersionDescription('by hand: ami-0f from version 3')).toBeUndefined();
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
  'al2023-ami-2023.0.20260115-kernel-6.1-x86_64',
  'my-amzn2-ami-ecs-hvm-2.0.20260115-x86_64-ebs',
  '',
])('%j is of no ECS-optimized family', (name) => {
  expect(recommendedParameter(name)).toBeUndefined();
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
