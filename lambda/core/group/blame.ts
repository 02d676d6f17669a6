import type { Crash, Service } from '../model/cluster.ts';
import { groupOfService } from '../model/task-group.ts';
import type { ExonerationKind } from '../reasons/faults.ts';

/** A task failure, in ECS's own words, that no image of an instance can cause. */
export interface Exoneration {
  readonly kind: ExonerationKind;
  readonly says: RegExp;
  /** It fails wherever it starts, until somebody fixes it. */
  readonly everywhere?: true;
}

/**
 * The registry answered that it has no such image. ECS pins the digest a deployment began with, so pushing
 * the tag again doesn't help. An unreachable registry, or one that wants credentials, gives another message:
 * that may be the instance's fault, as is a Windows host of another version than the container image.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task_cannot_pull_image.html
 */
const IMAGE_GONE: Exoneration = {
  kind: 'container-image-gone',
  says: /CannotPull\w*Error\b.*(manifest unknown|: not found\b|name unknown|repository with name .* does not exist|no matching manifest for linux|invalid reference format)/is,
  everywhere: true,
};

/**
 * In the words of agents, that changed: today's put nothing before "The task can't retrieve the secret", or
 * before what a secret's manager answers. What is deleted is "scheduled for deletion" first, and a key may
 * decrypt it no more. Environment files, and what a log router reads, are objects of S3.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/resource-not-found-error.html
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 * https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameters.html
 */
const SECRET_GONE: Exoneration = {
  kind: 'secret-gone',
  says: /(\bsecrets?|unable to download)\b.*(ResourceNotFoundException|exists in|invalid (ssm )?parameters|json key|AccessDenied|DecryptionFailure|InvalidKeyId|(marked|scheduled) for deletion)|NoSuch(Key|Bucket)|bucket not found/is,
  everywhere: true,
};

/** A missing write permission is different: with awslogs it may be the instance's role that lacks it. */
const LOG_GROUP_GONE: Exoneration = {
  kind: 'log-group-gone',
  says: /failed to initialize logging driver\b.*log group does not exist/is,
  everywhere: true,
};

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/troubleshoot-ebs-volumes-scenarios.html */
const VOLUME_REFUSED: Exoneration = {
  kind: 'volume-refused',
  says: /assume the configured ECS Infrastructure Role|failed to set up the EBS volume/i,
  everywhere: true,
};

/**
 * The registry, or what keeps secrets or logs, answers only so many calls, and a roll starts many tasks.
 * AWS's codes begin with a capital letter, as no container image may.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-throughput.html
 */
const RATE_LIMITED: Exoneration = {
  kind: 'rate-limited',
  says: /[Tt]oo ?[Mm]any ?[Rr]equests|pull rate limit|\bThrottl(ing|ed)|[Rr]ate ?[Ee]xceeded/,
};

/**
 * ECS itself makes a task's network interface, or an instance's trunk, and counts none that others have
 * attached to an instance.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/failed-to-start-error.html
 */
const NO_INTERFACE: Exoneration = {
  kind: 'no-interface',
  says: /attempting to create network interface|unused device index|InsufficientFreeAddressesInSubnet|not have enough free addresses/i,
};

/**
 * "The task never passes the health check. This results in the task being killed." The load balancer's words
 * follow those of ECS.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/troubleshoot-service-load-balancers.html
 */
const ZONE_UNSERVED: Exoneration = {
  kind: 'zone-unserved',
  says: /ELB health check.*Availability Zone/is,
};

/**
 * ECS itself registers targets, and its service's events say why it can't.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-event-messages-list.html
 */
const UNREGISTERED: Exoneration = {
  kind: 'unregistered',
  says: /ELB health check.*(failed to register targets|IS NOT FOUND)/is,
};

const EXONERATIONS: readonly Exoneration[] = [
  IMAGE_GONE,
  SECRET_GONE,
  LOG_GROUP_GONE,
  VOLUME_REFUSED,
  RATE_LIMITED,
  NO_INTERFACE,
  ZONE_UNSERVED,
  UNREGISTERED,
];

/** Its load balancer finds that it doesn't serve, and may say why as long as it runs. */
export function isOfLoadBalancer({ reason }: Pick<Crash, 'reason'>): boolean {
  return /ELB health check/i.test(reason);
}

/** Why the instance's image isn't to blame for a crash, or a registration; undefined if that is unknown. */
export function exonerationOf({ reason }: Pick<Crash, 'reason'>): Exoneration | undefined {
  return EXONERATIONS.find(({ says }) => says.test(reason));
}

/**
 * Its deployment has never succeeded, so what it deploys may be what fails; or its service has none of it any
 * more, and runs something else. Tasks of a completed deployment have run elsewhere before, unless it was
 * made when there was nowhere else.
 *
 * @param newSince when the roll began, once nothing old takes tasks any more
 */
export function isOfUnprovenDeployment(crash: Crash, services: readonly Service[], newSince?: Date): boolean {
  const service = services.find(({ name }) => crash.group === groupOfService(name));
  const { deployment, completedDeployments } = service ?? {};
  if (completedDeployments !== undefined && crash.deploymentId !== undefined) {
    const completed = completedDeployments.find(({ id }) => id === crash.deploymentId);
    return completed === undefined || (newSince !== undefined && completed.createdAt > newSince);
  }
  return deployment !== undefined && !deployment.succeeded && crash.deploymentId === deployment.id;
}
