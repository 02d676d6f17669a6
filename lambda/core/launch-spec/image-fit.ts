import type { Image } from '../model/launch.ts';
import { describeImage } from '../text/describe.ts';

/** What an image is to be launched with. */
export interface Fit {
  /** The image that is launched now; undefined when it no longer exists. */
  readonly current?: Image;
  /** What each instance type can run; empty where no type is known. */
  readonly architectures: ReadonlyMap<string, readonly string[]>;
  /** The devices that the launch spec maps. */
  readonly deviceNames: readonly string[];
  readonly now: Date;
}

/** Why no instance of these types would come of an image, whoever launches it; undefined when one would. */
export function unlaunchable({ state, architecture }: Image, architectures: Fit['architectures']) {
  if (state !== 'available') return `is ${state}, not available`;
  const types = [...architectures].flatMap(([type, runs]) => (runs.includes(architecture) ? [] : [type]));
  return types.length > 0 ? `is for ${architecture}, which ${types.join(' and ')} can't run` : undefined;
}

/** Why an image can't take another's place, as a sentence; undefined when it can. */
export function misfit(image: Image, fit: Fit): string | undefined {
  const what = wrong(image, fit);
  return what === undefined ? undefined : `image ${describeImage(image)} ${what}`;
}

function wrong(image: Image, { current, architectures, deviceNames, now }: Fit): string | undefined {
  const { deprecatedAt, architecture, rootDeviceName } = image;
  const not = unlaunchable(image, architectures);
  if (not !== undefined) return `${not}; choose another by IMAGE`;
  if (deprecatedAt !== undefined && deprecatedAt <= now) {
    return `is deprecated since ${deprecatedAt.toISOString().slice(0, 10)}; choose another by IMAGE`;
  }
  if (current === undefined) return mapsOtherRoot(image, deviceNames);
  if (architectures.size === 0 && current.architecture !== architecture) {
    return `is for ${architecture}, and the group launches ${current.architecture}; choose another by IMAGE`;
  }
  // The mapping would make a second volume of what is meant for the root.
  const isMapped = deviceNames.includes(current.rootDeviceName);
  if (!isMapped || current.rootDeviceName === rootDeviceName) return undefined;
  return (
    `has its root at ${rootDeviceName}, but the launch spec maps ${current.rootDeviceName}, the root of the old image; ` +
    'change that mapping first, or choose another by IMAGE'
  );
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html */
const ROOT_NAMES = ['/dev/xvda', '/dev/sda1'];

/** Of an old image that is gone nobody can tell the root, but by the names that roots have. */
function mapsOtherRoot({ rootDeviceName }: Image, deviceNames: readonly string[]): string | undefined {
  const mapped = deviceNames.find((name) => ROOT_NAMES.includes(name) && name !== rootDeviceName);
  if (mapped === undefined || !ROOT_NAMES.includes(rootDeviceName)) return undefined;
  return (
    `has its root at ${rootDeviceName}, but the launch spec maps ${mapped}, as if the root were there; ` +
    'change that mapping first, or choose another by IMAGE'
  );
}
