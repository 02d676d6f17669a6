import { describe, expect, test } from 'vitest';
import { type Fit, misfit } from '../../../lambda/core/launch-spec/image-fit.ts';
import type { Image } from '../../../lambda/core/model/launch.ts';
import { sentenceOf } from '../../../lambda/core/reasons/reason.ts';
import { ago, NOW, OLD, TARGET } from '../builders.ts';

const launching = (types: Readonly<Record<string, string>>, bootModes: readonly string[] = []) => ({
  names: Object.keys(types),
  known: new Map(
    Object.entries(types).map(
      ([name, runs]) => [name, { architectures: runs.split(' '), bootModes }] as const,
    ),
  ),
});

const fit: Fit = {
  current: OLD,
  launching: launching({ 'm5.large': 'x86_64' }),
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
    const types = { 'm5.large': 'x86_64', 'm7g.large': 'arm64', 't3.micro': 'i386 x86_64' };
    expect(told({ ...TARGET, architecture: 'arm64' }, { ...fit, launching: launching(types) })).toMatch(
      /is for arm64, which m5.large and t3.micro can't run/,
    );
  });

  test.each([
    ['uefi', ['legacy-bios'], false],
    ['uefi', ['legacy-bios', 'uefi'], true],
    ['legacy-bios', ['uefi'], false],
    ['uefi-preferred', ['legacy-bios'], true],
    [undefined, ['legacy-bios'], true],
    ['uefi', [], true],
  ])('that boots by %s on types that boot by %j', (bootMode, modes, boots) => {
    const types = launching({ 't2.xlarge': 'x86_64' }, modes);
    expect(told({ ...TARGET, bootMode }, { ...fit, launching: types })).toBe(
      boots ? undefined : `${named} boots by ${bootMode}, which t2.xlarge can't; choose another with IMAGE`,
    );
  });

  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-allowed-instance-types.html
  test.each([
    [['t3.*', 'a2.*'], ['t3.micro'], ['t3.micro', 'm5.large', 'at3.small']],
    [[], ['t3.micro', '*.large'], ['t3.micro', 'm5.large']],
    [['*.large', 't3.*'], [], ['at3.small']],
    [[], [], []],
  ])("that may be launched as %j but not as %j can't be launched as %j", (supported, unsupported, kept) => {
    const names = ['t3.micro', 't3.small', 'm5.large', 'at3.small'];
    const image = { ...TARGET, typeSpecification: { supported, unsupported } };
    const reason = told(image, { ...fit, launching: { names, known: new Map() } });
    expect(reason).toBe(
      kept.length === 0
        ? undefined
        : `${named} may not be launched as ${kept.join(' and ')}, by its owner's list of instance types; choose another with IMAGE`,
    );
  });

  test('must suit what the group launches, if its instance types are not known', () => {
    const unknown = { ...fit, launching: { names: [], known: new Map() } };
    expect(told(TARGET, unknown)).toBeUndefined();
    expect(told({ ...TARGET, architecture: 'arm64' }, unknown)).toMatch(
      /is for arm64, and the group launches x86_64/,
    );
  });

  test('may be for another architecture than the one before it if every instance type can run both', () => {
    const types = launching({ 't3.micro': 'x86_64 arm64' });
    expect(told({ ...TARGET, architecture: 'arm64' }, { ...fit, launching: types })).toBeUndefined();
  });

  test('is accepted if the image before it is gone, and nothing but its own root is mapped by a name of roots', () => {
    const gone = { ...fit, current: undefined };
    for (const deviceNames of [['/dev/xvdb', '/dev/xvda'], ['/dev/xvdb'], []])
      expect(told(TARGET, { ...gone, deviceNames })).toBeUndefined();
  });

  test('is accepted as it is if the image before it is gone', () => {
    const unknown = { ...fit, current: undefined, launching: { names: [], known: new Map() } };
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
