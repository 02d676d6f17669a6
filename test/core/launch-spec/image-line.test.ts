import { describe, expect, test } from 'vitest';
import { familyLine, isOfOneLine } from '../../../lambda/core/launch-spec/image-line.ts';
import { OLD, TARGET } from '../builders.ts';

const named = (name: string) => ({ ...OLD, name });

describe('images are of the same line', () => {
  test.each([
    ['golden-2026-11-01', 'golden-2026-11-20'],
    ['golden v3', 'golden v12'],
    ['_golden__v3_', 'golden-v12'],
    ['golden-3f2a9c', 'golden-77bc01'],
    ['golden-al2023-1.2.3', 'golden-al2023-1.3.0'],
    ['recipe 2026-11-01T10-00-00.000Z', 'recipe 2026-11-20T11-30-09.123Z'],
    [OLD.name, TARGET.name],
  ])('%s and %s', (one, other) => {
    expect(isOfOneLine(named(one), named(other))).toBe(true);
  });

  test.each([
    ['golden-1', 'bastion-1'],
    ['golden-al2-1', 'golden-al2023-1'],
    ['golden-arm64-1', 'golden-1'],
    [OLD.name, OLD.name.replace('ecs-hvm', 'ecs-gpu-hvm')],
  ])('but not %s and %s', (one, other) => {
    expect(isOfOneLine(named(one), named(other))).toBe(false);
  });

  test('nor those of different owners, or for different architectures', () => {
    expect(isOfOneLine(OLD, { ...TARGET, ownerId: '999999999999' })).toBe(false);
    expect(isOfOneLine(OLD, { ...TARGET, architecture: 'arm64' })).toBe(false);
  });
});

test('only the name tells the architecture of an image that is gone', () => {
  const { imageId, name, ownerId, createdAt } = OLD;
  expect(isOfOneLine(TARGET, { imageId, name, ownerId, createdAt })).toBe(true);
});

test.each([
  ['al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-x86_64', 'amazon-linux-2023/x86_64'],
  ['al2023-ami-ecs-hvm-2023.0.20260115-kernel-6.1-arm64', 'amazon-linux-2023/arm64'],
  ['al2023-ami-ecs-gpu-hvm-2023.0.20260115-kernel-6.1-x86_64-ebs', 'amazon-linux-2023/gpu/x86_64'],
  ['bottlerocket-aws-ecs-2-nvidia-aarch64-v1.20.3-0be31b34', 'aws-ecs-2-nvidia/arm64'],
  ['golden-2026-11-01', undefined],
])('the line of %s is called %s', (name, line) => {
  expect(familyLine(name)).toBe(line);
});
