/** The name of everything the smoke test makes; `--clean` may remove whatever carries it. */
export const TAG = 'ecs-ami-deploy-smoke';
export const TAG_VALUE = 'true';

/** Of the cluster, its group, its launch template and its service. */
export const NAME = 'ecs-ami-deploy-smoke';
/** ECS takes no name of a capacity provider that begins with `ecs`. */
export const PROVIDER = 'smoke-of-ecs-ami-deploy';
export const STACK = 'EcsAmiDeploySmoke';

/** Of the second volume. */
export const DATA_DEVICE = '/dev/sdf';
export const INSTANCE_TYPE = 't3.small';
export const MEMBERS = 2;
export const TASKS = 2;

/** What the launch template, and then each roll, is made from. */
export const PARAMETERS = {
  /** Its value is JSON. */
  recommended: '/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended',
  /** Amazon Linux without an ECS agent, which never registers. */
  plain: '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64',
  /** https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html */
  bootstrapVersion: '/cdk-bootstrap/hnb659fds/version',
} as const;

/** As EC2 writes tags. */
export const TAGS = [{ Key: TAG, Value: TAG_VALUE }];
/** As ECS does. */
export const ECS_TAGS = [{ key: TAG, value: TAG_VALUE }];
/** Finds all of a kind again. */
export const BY_TAG = [{ Name: `tag:${TAG}`, Values: [TAG_VALUE] }];
