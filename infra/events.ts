import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventBus, type IEventBus, type IRuleTarget, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { EVENT_SOURCE } from '../lambda/contract.ts';
import type { EcsAmiDeployProps } from './props.ts';

/** The event bus that is told of rolls: the account's own if none is given; undefined if none is to be. */
export function eventBusFor(scope: Construct, { events = true, eventBus }: EcsAmiDeployProps) {
  if (!events) return undefined;
  return eventBus ?? EventBus.fromEventBusName(scope, 'DefaultEventBus', 'default');
}

/** Who is told by the event bus: the history always, and the topics that the props name. */
export function addListeners(scope: Construct, eventBus: IEventBus, props: EcsAmiDeployProps): LogGroup {
  const { eventTopic, chatTopic } = props;
  const history = createHistory(scope, eventBus, props);
  if (eventTopic !== undefined)
    // A part of the event arrives as the JSON that it is: a line of text stays in its quotes. In a template
    // it would, too, and quotes within it would break it.
    rule(scope, 'EventTopicRule', eventBus, 'Tells a topic of rolls, a line each', [
      new SnsTopic(eventTopic, { message: RuleTargetInput.fromEventPath('$.detail.text') }),
    ]);
  if (chatTopic !== undefined)
    rule(scope, 'ChatTopicRule', eventBus, 'Tells a topic of rolls as chats want it', [
      new SnsTopic(chatTopic, { message: RuleTargetInput.fromEventPath('$.detail.chat') }),
    ]);
  return history;
}

/**
 * The history is a log group of its own: a roll's events are a few KB, so that ten years of them cost next to
 * nothing, while the functions' log is too large to be kept that long.
 */
function createHistory(
  scope: Construct,
  eventBus: IEventBus,
  { historyRetention, logRemovalPolicy }: EcsAmiDeployProps,
): LogGroup {
  const history = new LogGroup(scope, 'History', {
    retention: historyRetention ?? RetentionDays.TEN_YEARS,
    removalPolicy: logRemovalPolicy ?? RemovalPolicy.RETAIN,
  });
  const { ruleArn } = rule(scope, 'HistoryRule', eventBus, 'Keeps the history of rolls', [toLog(history)]);
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-cloudwatchlogs-permissions
  const common = {
    principals: [
      new ServicePrincipal('events.amazonaws.com'),
      new ServicePrincipal('delivery.logs.amazonaws.com'),
    ],
    resources: [history.logGroupArn],
  };
  history.addToResourcePolicy(new PolicyStatement({ ...common, actions: ['logs:CreateLogStream'] }));
  history.addToResourcePolicy(
    new PolicyStatement({
      ...common,
      actions: ['logs:PutLogEvents'],
      conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
    }),
  );
  return history;
}

/** The CDK's own target brings a function along that writes the policy. */
function toLog({ logGroupName, stack }: LogGroup): IRuleTarget {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const parts = { service: 'logs', resource: 'log-group', resourceName: logGroupName, arnFormat };
  return { bind: () => ({ arn: Stack.of(stack).formatArn(parts) }) };
}

function rule(
  scope: Construct,
  id: string,
  eventBus: IEventBus,
  description: string,
  targets: IRuleTarget[],
): Rule {
  return new Rule(scope, id, {
    eventBus,
    description: `${description} (ecs-ami-deploy)`,
    eventPattern: { source: [EVENT_SOURCE] },
    targets,
  });
}
