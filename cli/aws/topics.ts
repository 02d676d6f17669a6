import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
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
 * Whether a topic's policy lets EventBridge publish. "You can't use `Condition` blocks in Amazon SNS topic
 * policies for EventBridge."
 *
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-sns-permissions
 */
export async function hearsEventBridge(arn: string, client = new SNSClient({})): Promise<boolean> {
  const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn: arn }));
  const { Statement } = POLICY.parse(JSON.parse(Attributes.Policy ?? '{"Statement":[]}'));
  return [Statement].flat().some(letsPublish);
}

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
