import type { Image } from '../model/launch.ts';
import type { Obstacle, Unlaunchable } from '../model/obstacle.ts';
import { namedImage } from './named.ts';

/** What an image is to be launched with. */
export interface Fit {
  /** The image launched now; undefined if it no longer exists. */
  readonly current?: Image;
  /** What each instance type can run; empty if no type is known. */
  readonly architectures: ReadonlyMap<string, readonly string[]>;
  /** The devices that the launch spec maps. */
  readonly deviceNames: readonly string[];
  readonly now: Date;
}

/** Why no instance of these types can run an image, whoever launches it; undefined if one can. */
export function unlaunchable(
  { state, architecture }: Image,
  architectures: Fit['architectures'],
): Unlaunchable | undefined {
  if (state !== 'available') return { kind: 'state', state };
  const instanceTypes = [...architectures].flatMap(([type, runs]) =>
    runs.includes(architecture) ? [] : [type],
  );
  return instanceTypes.length > 0 ? { kind: 'architecture', architecture, instanceTypes } : undefined;
}

/** Why an image can't replace another; undefined if it can. */
export function misfit(image: Image, fit: Fit): Obstacle | undefined {
  const { current, architectures, deviceNames, now } = fit;
  const { deprecatedAt, architecture, rootDeviceName } = image;
  const named = namedImage(image);
  const fault = unlaunchable(image, architectures);
  if (fault !== undefined) return { code: 'image-unlaunchable', image: named, fault };
  if (deprecatedAt !== undefined && deprecatedAt <= now)
    return { code: 'image-deprecated', image: named, since: deprecatedAt };
  if (current === undefined) return mapsOtherRoot(image, deviceNames);
  const launched = current.architecture;
  if (architectures.size === 0 && launched !== architecture)
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
