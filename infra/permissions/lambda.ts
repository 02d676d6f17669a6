import type { FunctionOwner } from '../functions.ts';
import type { EcsAmiDeployProps } from '../props.ts';
import type { Permission } from './permission.ts';

/**
 * Lets Lambda put a function into a VPC: it calls these with the function's own role.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
const NETWORK: Permission = {
  actions: [
    'ec2:CreateNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:DeleteNetworkInterface',
    'ec2:AssignPrivateIpAddresses',
    'ec2:UnassignPrivateIpAddresses',
  ],
  resources: ['*'],
  why: 'Lambda checks that a role may do this on any resource before it puts a function into a VPC.',
};

/**
 * Lets a function write its own log and derive its seals, and Lambda run it and keep failed events: it puts
 * them in the queue with the function's own role.
 */
export function lambdaPermissions(owner: FunctionOwner, props: EcsAmiDeployProps): Permission[] {
  const { queueArn, encryptionMasterKey } = owner.failureQueue;
  return [
    ...runPermissions(owner, props),
    { actions: ['sqs:SendMessage'], resources: [queueArn] },
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html#send-to-encrypted-queue
    ...(encryptionMasterKey === undefined
      ? []
      : [{ actions: ['kms:GenerateDataKey', 'kms:Decrypt'], resources: [encryptionMasterKey.keyArn] }]),
    // To derive its seals: once per process and generation, so that each use shows in CloudTrail.
    { actions: ['kms:GenerateMac'], resources: [owner.stateKey.keyArn] },
  ];
}

/** Lets a function write its own log, and Lambda run it. */
export function runPermissions(owner: FunctionOwner, { vpc }: EcsAmiDeployProps): Permission[] {
  return [writeOwnLog(owner), ...(vpc === undefined ? [] : [NETWORK])];
}

export function writeOwnLog({ logGroup }: Pick<FunctionOwner, 'logGroup'>): Permission {
  return {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  };
}
