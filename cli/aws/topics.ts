import { GetTopicAttributesCommand, NotFoundException, SNSClient } from '@aws-sdk/client-sns';
import * as z from 'zod/mini';

const ANY = z.union([z.string(), z.array(z.string())]);
const STATEMENT = z.object({
  Effect: z.string(),
  Principal: z.optional(z.union([z.string(), z.record(z.string(), ANY)])),
  Action: z.optional(ANY),
  Condition: z.optional(z.unknown()),
});
const POLICY = z.object({ Statement: z.union([STATEMENT, z.array(STATEMENT)]) });
type Statement = z.infer<typeof STATEMENT>;

const PUBLISH = 'sns:publish';

/**
 * Why nothing of EventBridge's comes to a topic, as far as its policy tells; undefined if it may publish.
 * "You can't use `Condition` blocks in Amazon SNS topic policies for EventBridge."
 *
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-sns-permissions
 */
export async function whyDeaf(arn: string, client = new SNSClient({})): Promise<string | undefined> {
  try {
    const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn: arn }));
    const { Statement } = POLICY.parse(JSON.parse(Attributes.Policy ?? '{"Statement":[]}'));
    return [Statement].flat().some(letsPublish) ? undefined : DEAF;
  } catch (error) {
    if (error instanceof NotFoundException) return 'there is no such topic';
    throw error;
  }
}

const DEAF =
  'no statement of its policy lets events.amazonaws.com call sns:Publish, without a condition; see docs/events.md';

function letsPublish({ Effect, Principal, Action = [], Condition }: Statement): boolean {
  if (Effect !== 'Allow' || Condition !== undefined) return false;
  const { Service = [], AWS = [] } = typeof Principal === 'string' ? { AWS: Principal } : (Principal ?? {});
  const isFor = [Service].flat().includes('events.amazonaws.com') || [AWS].flat().includes('*');
  return isFor && [Action].flat().some(isPublish);
}

function isPublish(action: string): boolean {
  const name = action.toLowerCase();
  return name.endsWith('*') ? PUBLISH.startsWith(name.slice(0, -1)) : name === PUBLISH;
}
