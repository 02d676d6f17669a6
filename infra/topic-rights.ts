import { Annotations, Stack, Token } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnTopicPolicy, type ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** What a topic's own policy lets its account do, until it gets another one. */
const OF_OWNER = [
  'sns:AddPermission',
  'sns:DeleteTopic',
  'sns:GetTopicAttributes',
  'sns:ListSubscriptionsByTopic',
  'sns:Publish',
  'sns:RemovePermission',
  'sns:SetTopicAttributes',
  'sns:Subscribe',
];

/** SNS's pages name one or the other; both hold the account for which a service publishes. */
const SOURCES = ['AWS:SourceOwner', 'AWS:SourceAccount'];

/** Who tells a topic of what. */
interface Publisher {
  readonly service: 'cloudwatch.amazonaws.com' | 'events.amazonaws.com';
  /** The prop of the construct that the topic was given by. */
  readonly prop: 'alarmTopic' | 'chatTopic' | 'eventTopic';
}

/**
 * Lets a service publish to a topic. A policy replaces SNS's own, by which everything in the account may
 * publish, CloudWatch's alarms as well: what is granted, to whomever, keeps that.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-use-cases.html
 */
export function letPublish(scope: Construct, topic: ITopic, { service, prop }: Publisher): void {
  const principals = [new ServicePrincipal(service)];
  const { statementAdded: isOfApp } = topic.addToResourcePolicy(
    new PolicyStatement({
      principals,
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      // "You can't use Condition blocks in Amazon SNS topic policies for EventBridge."
      // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-sns-permissions
      ...(service !== 'events.amazonaws.com' && {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
      }),
    }),
  );
  if (!isOfApp) {
    sayWhatItNeeds(scope, topic, { service, prop });
    return;
  }
  keepRightsOfOwner(topic);
  // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
  const use = new PolicyStatement({
    principals,
    actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
    resources: ['*'],
  });
  if (topic.masterKey?.addToResourcePolicy(use, true).statementAdded === false)
    Annotations.of(scope).addWarningV2(
      `ecs-ami-deploy:${prop}Key`,
      `The key of ${prop} isn't of this app: its policy must let ${service} call kms:Decrypt and kms:GenerateDataKey*, or nothing arrives. That of alias/aws/sns doesn't.`,
    );
}

const kept = new WeakSet<ITopic>();

function keepRightsOfOwner(topic: ITopic): void {
  if (kept.has(topic)) return;
  kept.add(topic);
  for (const source of SOURCES)
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: OF_OWNER,
        resources: [topic.topicArn],
        conditions: { StringEquals: { [source]: topic.env.account } },
      }),
    );
  topic.node.addValidation({ validate: () => rivalsOfPolicy(topic) });
}

/** SNS's own policy lets CloudWatch publish, and EventBridge never: a topic as it was made hears nothing. */
function sayWhatItNeeds(scope: Construct, { topicArn }: ITopic, { service, prop }: Publisher): void {
  const id = `ecs-ami-deploy:${prop}Policy`;
  const given = `${prop} (${prop}Arn after -c)`;
  if (service === 'cloudwatch.amazonaws.com') {
    const text = `${given} isn't of this app: its policy must let ${service} publish, and so must that of its key, if it has one; docs/events.md has both.`;
    Annotations.of(scope).addInfoV2(id, text);
    return;
  }
  const statement = JSON.stringify({
    Effect: 'Allow',
    Principal: { Service: service },
    Action: 'sns:Publish',
    Resource: Token.isUnresolved(topicArn) ? '<its ARN>' : topicArn,
  });
  const text = `${given} isn't of this app, and nothing comes to it unless its policy has ${statement}; docs/events.md says what its key needs, if it has one.`;
  Annotations.of(scope).addWarningV2(id, text);
}

/** A topic has one policy: of two, the one that CloudFormation writes last replaces the other. */
function rivalsOfPolicy(topic: ITopic): string[] {
  const rivals = topic.node.root.node
    .findAll()
    .filter((each) => each instanceof CfnTopicPolicy && each.topics.includes(topic.topicArn))
    .map(({ node }) => node.path);
  return rivals.length < 2
    ? []
    : [
        `${topic.node.path} may have one policy only, but has ${rivals.join(' and ')}: give its own what the other says, by addToResourcePolicy`,
      ];
}
