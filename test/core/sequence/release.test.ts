import { describe, expect, test } from 'vitest';
import { isNewer, isSibling } from '../../../lambda/core/sequence/release.ts';

const AL2023 = 'al2023-ami-ecs-hvm-2023.0.20260102-kernel-6.1';

describe('a release of another architecture is the same one', () => {
  test.each([
    [`${AL2023}-x86_64`, `${AL2023}-arm64`, true],
    [
      'bottlerocket-aws-ecs-2-x86_64-v1.20.0-abcdef01',
      'bottlerocket-aws-ecs-2-aarch64-v1.20.0-abcdef01',
      true,
    ],
    [`${AL2023}-x86_64`, `${AL2023}-x86_64`, false],
    [`${AL2023}-x86_64`, `${AL2023.replace('0102', '0103')}-arm64`, false],
    ['golden-web-x86_64', 'golden-batch-arm64', false],
  ])('%s, %s: %s', (one, other, is) => {
    expect(isSibling(one, other)).toBe(is);
    expect(isSibling(other, one)).toBe(is);
  });
});

describe('which is newer', () => {
  const known = ['golden-3f2a51', 'golden-1f2a52'].map((name) => ({ name, since: new Date(0) }));

  test.each([
    // By the numbers: 6.12 comes after 6.1, whichever was told of first.
    [`${AL2023}2-x86_64`, `${AL2023}-x86_64`, true],
    ['bottlerocket-aws-ecs-2-x86_64-v1.20.0-a', 'bottlerocket-aws-ecs-2-x86_64-v1.9.3-a', true],
    ['bottlerocket-aws-ecs-2-x86_64-v1.9.3-a', 'bottlerocket-aws-ecs-2-x86_64-v1.20.0-a', false],
    // A hash is no version.
    ['golden-1f2a52', 'golden-3f2a51', true],
    ['golden-3f2a51', 'golden-1f2a52', false],
    ['golden-3f2a51', 'golden-3f2a51', false],
  ])('%s than %s: %s', (name, than, is) => {
    expect(isNewer(name, than, known)).toBe(is);
  });
});
