import { GetTopicAttributesCommand, PublishCommand } from '@aws-sdk/client-sns';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import type { Topic } from './topics.ts';

/** https://docs.aws.amazon.com/sns/latest/dg/large-message-payloads.html: what a topic takes by default. */
const MAX_BYTES = 256 * 1024;

/** Of a subject; the SDK's model says "less than 100". */
const CHARACTERS = 100;

/**
 * https://docs.aws.amazon.com/sns/latest/api/API_Publish.html: a subject is UTF-8 by the SDK's model, but ASCII
 * that begins with a letter, number or punctuation by older texts, so nothing else is taken.
 */
export function topicOperations(state: State): Operation[] {
  return [
    on(GetTopicAttributesCommand, { TopicArn: 'all' }, ({ TopicArn: arn = '' }) => {
      const topic = state.topics.get(arn);
      // ledger: get-topic-attributes-unknown
      if (topic === undefined) throw new AwsError('NotFound', 'Topic does not exist', 404);
      return {
        Attributes: { TopicArn: arn, Owner: state.account, Policy: topic.policy ?? policyOfNew(topic) },
      };
    }),
    on(
      PublishCommand,
      { TopicArn: 'all', Subject: 'all', Message: 'all' },
      ({ TopicArn: arn = '', Subject: subject, Message: message = '' }) => {
        // ledger: publish-topic-arn
        if (!/^arn:[^:]+:sns:[^:]+:\d{12}:[\w-]{1,256}$/.test(arn))
          throw invalid(`TopicArn Reason: An ARN must have at least 6 elements, not ${arn}`);
        const topic = state.topics.get(arn);
        // ledger: publish-topic-unknown
        if (topic === undefined) throw new AwsError('NotFound', 'Topic does not exist', 404);
        // ledger: publish-message-empty
        if (message === '') throw invalid('Empty message');
        // ledger: publish-message-length
        if (Buffer.byteLength(message) > MAX_BYTES) throw invalid('Message too long');
        // ledger: publish-subject
        if (subject !== undefined && !isSubject(subject)) throw invalid('Subject');
        const id = `${topic.arn.split(':').at(-1)}-${topic.notifications.length + 1}`;
        const notification = {
          id,
          atMs: state.clock.now(),
          message,
          ...(subject !== undefined && { subject }),
        };
        topic.notifications.push(notification);
        for (const tell of topic.subscribers) tell(notification);
        return { MessageId: id };
      },
    ),
  ];
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html */
function policyOfNew({ arn }: Topic): string {
  const [, , , , account] = arn.split(':');
  const Condition = { StringEquals: { 'AWS:SourceAccount': account } };
  const statement = {
    Effect: 'Allow',
    Principal: { AWS: '*' },
    Action: ['SNS:Publish'],
    Resource: arn,
    Condition,
  };
  return JSON.stringify({ Version: '2008-10-17', Statement: [statement] });
}

function isSubject(subject: string): boolean {
  return subject.length < CHARACTERS && /^[!-~][ -~]*$/.test(subject);
}

function invalid(what: string): AwsError {
  return new AwsError('InvalidParameter', `Invalid parameter: ${what}`);
}
