import { toPattern } from '../filters.ts';
import type { State } from '../state.ts';
import { isAmazons } from './families.ts';
import type { Image } from './model.ts';

/** The account's setting of which images of others may be seen and launched, as one criterion. */
export interface AllowedImages {
  /** Aliases or account ids. Default: any. */
  readonly providers?: readonly string[];
  /** With wildcards. Default: any. */
  readonly names?: readonly string[];
  /** Default: any age. */
  readonly maximumDaysSinceCreated?: number;
}

const DAY_MS = 86_400_000;

/** "amazon – An alias that identifies AMIs created by Amazon or verified providers" */
export const aliasOf = ({ ownerId, isVerified }: Image): string | undefined =>
  isAmazons(ownerId) || isVerified ? 'amazon' : undefined;

/**
 * Whether an image meets the account's criteria: all parameters of the one that is simulated. "It does not
 * restrict the AMIs owned by your account."
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-allowed-amis.html
 */
export function isAllowed({ account, allowedImages, clock }: State, image: Image): boolean {
  if (allowedImages === undefined || image.ownerId === account) return true;
  const { providers, names, maximumDaysSinceCreated = Number.POSITIVE_INFINITY } = allowedImages;
  const isProvided = providers?.some((one) => one === image.ownerId || one === aliasOf(image)) ?? true;
  const isNamed = names?.some((name) => toPattern(name).test(image.name)) ?? true;
  return isProvided && isNamed && clock.now() - image.createdAtMs <= maximumDaysSinceCreated * DAY_MS;
}

/**
 * Whether this account may see and launch it. A disabled image is private to its owner:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/disable-an-ami.html
 */
export function isVisible(state: State, image: Image): boolean {
  if (image.state === 'deregistered') return false;
  if (image.ownerId === state.account) return true;
  return image.isShared && image.state !== 'disabled' && isAllowed(state, image);
}
