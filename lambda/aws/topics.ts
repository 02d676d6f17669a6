import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { HookQuestion } from '../core/model/hook.ts';
import { approvalRequest } from '../core/text/approval.ts';
import { type Aws, rareClient } from './clients.ts';

/** A topic that fails is tried again with a later look, so this one doesn't wait for it any longer. */
const LIMITS = { maxAttempts: 3, milliseconds: 10_000 } as const;

export const snsOf = rareClient(SNSClient, 'sns', LIMITS.maxAttempts);

/**
 * Tells the subscribers of a topic what a roll asks, and how to answer.
 *
 * @param topic the ARN of a standard topic
 */
export async function askPeople(
  aws: Aws,
  topic: string,
  target: { readonly cluster: string; readonly group: string },
  question: HookQuestion,
): Promise<void> {
  const { subject, message } = approvalRequest(target, question, topic, process.env.AWS_LAMBDA_FUNCTION_NAME);
  const command = new PublishCommand({ TopicArn: topic, Subject: subject, Message: message });
  await snsOf(aws).send(command, { abortSignal: AbortSignal.timeout(LIMITS.milliseconds) });
}
