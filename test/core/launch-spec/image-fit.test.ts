import { describe, expect, test } from 'vitest';
import { type Fit, misfit } from '../../../lambda/core/launch-spec/image-fit.ts';
import type { Image } from '../../../lambda/core/model/launch.ts';
import { sentenceOf } from '../../../lambda/core/text/sentence.ts';
import { ago, NOW, OLD, TARGET } from '../builders.ts';

const fit: Fit = {
  current: OLD,
  architectures: new Map([['m5.large', ['x86_64']]]),
  deviceNames: ['/dev/xvda'],
  now: NOW,
};
const named = `image ami-7a2 (${TARGET.name})`;

function told(image: Image, conditions: Fit): string | undefined {
  const obstacle = misfit(image, conditions);
  return obstacle && sentenceOf(obstacle);
}

describe('an image', () => {
  test('fits if the instance types can run it and its root is where the mapping expects it', () => {
    expect(told(TARGET, fit)).toBeUndefined();
  });

  test.each(['pending', 'deregistered', 'disabled', 'failed'])('that is %s does not', (state) => {
    expect(told({ ...TARGET, state }, fit)).toBe(
      `${named} is ${state}, not available; choose another with IMAGE`,
    );
  });

  test('fits until it is deprecated', () => {
    expect(told({ ...TARGET, deprecatedAt: new Date(NOW.getTime() + 1) }, fit)).toBeUndefined();
    expect(told({ ...TARGET, deprecatedAt: NOW }, fit)).toBe(
      `${named} has been deprecated since 2026-11-21; choose another with IMAGE`,
    );
    expect(told({ ...TARGET, deprecatedAt: ago(86_400) }, fit)).toMatch(/since 2026-11-20/);
  });

  test('must suit every instance type', () => {
    const architectures = new Map([
      ['m5.large', ['x86_64']],
      ['m7g.large', ['arm64']],
      ['t3.micro', ['i386', 'x86_64']],
    ]);
    expect(told({ ...TARGET, architecture: 'arm64' }, { ...fit, architectures })).toMatch(
      /is for arm64, which m5.large and t3.micro can't run/,
    );
  });

  test('must suit what the group launches, if its instance types are not known', () => {
    const unknown = { ...fit, architectures: new Map() };
    expect(told(TARGET, unknown)).toBeUndefined();
    expect(told({ ...TARGET, architecture: 'arm64' }, unknown)).toMatch(
      /is for arm64, and the group launches x86_64/,
    );
  });

  test('is accepted as it is if the image before it is gone', () => {
    const unknown = { ...fit, current: undefined, architectures: new Map() };
    expect(told({ ...TARGET, architecture: 'arm64', rootDeviceName: '/dev/xvdb' }, unknown)).toBeUndefined();
    expect(told({ ...TARGET, rootDeviceName: '/dev/sda1' }, unknown)).toMatch(
      /maps \/dev\/xvda, as if the root were there/,
    );
  });

  test('with another root device would get its root mapped as a second volume', () => {
    expect(told({ ...TARGET, rootDeviceName: '/dev/sda1' }, fit)).toMatch(
      /has its root at \/dev\/sda1, but the launch spec maps \/dev\/xvda, the root of the old image; change that mapping/,
    );
    expect(
      told({ ...TARGET, rootDeviceName: '/dev/sda1' }, { ...fit, deviceNames: ['/dev/xvdb'] }),
    ).toBeUndefined();
  });
});
