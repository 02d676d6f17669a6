import type { ImageOrigin, Unlaunchable } from '../model/obstacle.ts';

/** How an image was chosen. */
export function describeOrigin(origin: ImageOrigin): string {
  switch (origin.kind) {
    case 'named':
      return 'which IMAGE names';
    case 'launched':
      return 'which the group launches';
    case 'kept':
      return `which stays, as no other is ${origin.minImageAgeDays} days old yet`;
    case 'parameter':
      return `which parameter ${origin.parameter} holds`;
    case 'alias':
      return `which ${origin.alias} resolves to`;
  }
}

/** Why not every instance can run it. */
export function describeUnlaunchable(fault: Unlaunchable): string {
  if (fault.kind === 'state') return `is ${fault.state}, not available`;
  const types = fault.instanceTypes.join(' and ');
  switch (fault.kind) {
    case 'architecture':
      return `is for ${fault.architecture}, which ${types} can't run`;
    case 'boot-mode':
      return `boots by ${fault.bootMode}, which ${types} can't`;
    case 'instance-type':
      return `may not be launched as ${types}, by its owner's list of instance types`;
  }
}
