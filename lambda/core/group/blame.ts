import type { Crash, Service } from '../model/cluster.ts';
import type { ExonerationKind } from '../model/fault.ts';

/** A way in which tasks fail that no image of an instance can be to blame for, by ECS's own words. */
export interface Exoneration {
  readonly kind: ExonerationKind;
  readonly says: RegExp;
  /** It fails so wherever it is started, until somebody mends it. */
  readonly everywhere: boolean;
}

/**
 * The registry answered, and has no such image: ECS pins the digest that a deployment began with, so that a tag that was
 * pushed anew is no help. A registry that can't be reached, or that wants credentials, says otherwise: that may be for what
 * the instance lacks.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task_cannot_pull_image.html
 */
const IMAGE_GONE: Exoneration = {
  kind: 'container-image-gone',
  says: /CannotPull\w*Error\b.*(manifest unknown|: not found\b|name unknown|repository with name .* does not exist|no matching manifest|invalid reference format)/is,
  everywhere: true,
};

/**
 * Fargate puts ResourceInitializationError in front; the agent of a container instance doesn't.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/resource-not-found-error.html
 */
const SECRET_GONE: Exoneration = {
  kind: 'secret-gone',
  says: /(ResourceInitializationError|Fetching secret data from)\b.*(ResourceNotFoundException|can't find the specified secret|invalid (ssm )?parameters|AccessDeniedException)/is,
  everywhere: true,
};

/** That nobody may write there is another matter: with awslogs it may be the role of the instance that lacks it. */
const LOG_GROUP_GONE: Exoneration = {
  kind: 'log-group-gone',
  says: /failed to initialize logging driver\b.*log group does not exist/is,
  everywhere: true,
};

const RATE_LIMITED: Exoneration = {
  kind: 'registry-rate-limited',
  says: /toomanyrequests|pull rate limit/i,
  everywhere: false,
};

const NO_ADDRESS: Exoneration = {
  kind: 'subnet-full',
  says: /InsufficientFreeAddressesInSubnet|not have enough free addresses/i,
  everywhere: false,
};

const EXONERATIONS: readonly Exoneration[] = [
  IMAGE_GONE,
  SECRET_GONE,
  LOG_GROUP_GONE,
  RATE_LIMITED,
  NO_ADDRESS,
];

/** Why a crash isn't to be blamed on the instance's image; undefined where that can't be told. */
export function exonerationOf({ reason }: Crash): Exoneration | undefined {
  return EXONERATIONS.find(({ says }) => says.test(reason));
}

/**
 * Its deployment has never succeeded yet: what it deploys may be what fails. What a completed deployment has started has run
 * elsewhere before.
 */
export function isOfUnprovenDeployment(crash: Crash, services: readonly Service[]): boolean {
  const service = services.find(({ name }) => crash.group === `service:${name}`);
  const { deployment } = service ?? {};
  return deployment !== undefined && !deployment.succeeded && crash.deploymentId === deployment.id;
}
