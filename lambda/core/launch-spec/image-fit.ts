import type { Image, InstanceType } from '../model/launch.ts';
import { isLike, MANY, type Wildcards } from '../model/wildcards.ts';
import type { Unlaunchable } from '../reasons/launch-obstacles.ts';
import type { Obstacle } from '../reasons/obstacles.ts';
import { namedImage } from './named.ts';

/** What an image is to be launched with. */
export interface Fit {
  /** The image launched now; undefined if it no longer exists. */
  readonly current?: Image;
  readonly launching: LaunchTypes;
  /** The devices that the launch spec maps. */
  readonly deviceNames: readonly string[];
  readonly now: Date;
}

/** The instance types that a group launches. */
export interface LaunchTypes {
  /** Empty if it chooses them by what they must have. */
  readonly names: readonly string[];
  /** What each can run, as far as that is known. */
  readonly known: ReadonlyMap<string, InstanceType>;
}

/** Why not every instance of these types can run an image, whoever launches it; undefined if each can. */
export function unlaunchable(image: Image, { names, known }: LaunchTypes): Unlaunchable | undefined {
  const { state, architecture, bootMode } = image;
  if (state !== 'available') return { kind: 'state', state };
  const without = (has: (type: InstanceType) => boolean) =>
    [...known].flatMap(([name, type]) => (has(type) ? [] : [name]));
  const others = without(({ architectures }) => architectures.includes(architecture));
  if (others.length > 0) return { kind: 'architecture', architecture, instanceTypes: others };
  const unable = bootMode === undefined ? [] : without((type) => boots(type, bootMode));
  if (bootMode !== undefined && unable.length > 0)
    return { kind: 'boot-mode', bootMode, instanceTypes: unable };
  const kept = names.filter((name) => !mayLaunch(image, name));
  return kept.length > 0 ? { kind: 'instance-type', instanceTypes: kept } : undefined;
}

/** `uefi-preferred` boots either way. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-boot.html */
function boots({ bootModes }: InstanceType, bootMode: string): boolean {
  return bootModes.length === 0 || bootMode === 'uefi-preferred' || bootModes.includes(bootMode);
}

/** EC2 enforces it: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-allowed-instance-types.html */
function mayLaunch({ typeSpecification }: Image, instanceType: string): boolean {
  const { supported = [], unsupported = [] } = typeSpecification ?? {};
  const isIn = (patterns: readonly string[]) =>
    patterns.some((pattern) => isLike(instanceType, [...pattern].map(wildcard)));
  return (supported.length === 0 || isIn(supported)) && !isIn(unsupported);
}

function wildcard(character: string): Wildcards[number] {
  return character === '*' ? MANY : character;
}

/** Why an image can't replace another; undefined if it can. */
export function misfit(image: Image, fit: Fit): Obstacle | undefined {
  const { current, launching, deviceNames, now } = fit;
  const { deprecatedAt, architecture, rootDeviceName } = image;
  const named = namedImage(image);
  const fault = unlaunchable(image, launching);
  if (fault !== undefined) return { code: 'image-unlaunchable', image: named, fault };
  if (deprecatedAt !== undefined && deprecatedAt <= now)
    return { code: 'image-deprecated', image: named, since: deprecatedAt };
  if (current === undefined) return mapsOtherRoot(image, deviceNames);
  const launched = current.architecture;
  if (launching.known.size === 0 && launched !== architecture)
    return { code: 'image-architecture', image: named, architecture, launched };
  // The mapping would add a second volume instead of changing the root.
  const isMapped = deviceNames.includes(current.rootDeviceName);
  if (!isMapped || current.rootDeviceName === rootDeviceName) return undefined;
  return rootMapped(image, current.rootDeviceName, true);
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html */
const ROOT_NAMES = ['/dev/xvda', '/dev/sda1'];

/** If the old image is gone, we can only guess its root device by the usual names. */
function mapsOtherRoot(image: Image, deviceNames: readonly string[]): Obstacle | undefined {
  const { rootDeviceName } = image;
  const mapped = deviceNames.find((name) => ROOT_NAMES.includes(name) && name !== rootDeviceName);
  if (mapped === undefined || !ROOT_NAMES.includes(rootDeviceName)) return undefined;
  return rootMapped(image, mapped, false);
}

function rootMapped(image: Image, mapped: string, isOldRoot: boolean): Obstacle {
  const root = image.rootDeviceName;
  return { code: 'image-root-mapped', image: namedImage(image), root, mapped, isOldRoot };
}
