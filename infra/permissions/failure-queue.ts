import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Permission } from './permission.ts';

/** Lets Lambda keep failed events: it puts them in the queue with the function's own role. */
export function failureQueuePermissions({ queueArn, encryptionMasterKey }: IQueue): Permission[] {
  return [
    { actions: ['sqs:SendMessage'], resources: [queueArn] },
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html#send-to-encrypted-queue
    ...(encryptionMasterKey === undefined
      ? []
      : [
          {
            actions: ['kms:GenerateDataKey', 'kms:Decrypt'],
            resources: [encryptionMasterKey.keyArn],
          },
        ]),
  ];
}
