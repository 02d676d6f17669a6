import { ArnFormat, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { EventBus, type IEventBus, type IRuleTarget, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { EVENT_SOURCE } from '../lambda/contract.ts';
import { clusterName } from '../lambda/settings/parse-settings.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { SETTING_PROPS } from './setting-props.ts';

/** The event bus that is told of rolls: the account's own if none is given; undefined if none is to be. */
export function eventBusFor(scope: Construct, { events = true, eventBus }: EcsAmiDeployProps) {
  if (!events) return undefined;
  return eventBus ?? EventBus.fromEventBusName(scope, 'DefaultEventBus', 'default');
}

/** Who is told by the event bus: the history always, and the topics that the props name. */
export function addListeners(scope: Construct, eventBus: IEventBus, props: EcsAmiDeployProps): LogGroup {
  const { eventTopic, chatTopic } = props;
  const bus = { scope, eventBus, clusters: clustersIn(props) };
  const history = createHistory(bus, props);
  if (eventTopic !== undefined)
    // A part of the event arrives as the JSON that it is: a line of text stays in its quotes. In a template
    // it would, too, and quotes within it would break it.
    addRules(bus, 'EventTopicRule', 'Tells a topic of rolls, a line each', [
      new SnsTopic(eventTopic, { message: RuleTargetInput.fromEventPath('$.detail.text') }),
    ]);
  if (chatTopic !== undefined)
    addRules(bus, 'ChatTopicRule', 'Tells a topic of rolls as chats want it', [
      new SnsTopic(chatTopic, { message: RuleTargetInput.fromEventPath('$.detail.chat') }),
    ]);
  return history;
}

/**
 * The history is a log group of its own: a roll's events are a few KB, so that ten years of them cost next to
 * nothing, while the functions' log is too large to be kept that long.
 */
function createHistory(bus: Bus, { historyRetention, logRemovalPolicy }: EcsAmiDeployProps): LogGroup {
  const history = new LogGroup(bus.scope, 'History', {
    retention: historyRetention ?? RetentionDays.TEN_YEARS,
    removalPolicy: logRemovalPolicy ?? RemovalPolicy.RETAIN,
  });
  const rules = addRules(bus, 'HistoryRule', 'Keeps the history of rolls', [toLog(history)]);
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
      conditions: { ArnEquals: { 'aws:SourceArn': rules.map(({ ruleArn }) => ruleArn) } },
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

/** An event bus that rules listen to, and the clusters whose events are meant for them. */
interface Bus {
  readonly scope: Construct;
  readonly eventBus: IEventBus;
  readonly clusters: readonly string[];
}

/** As events name them; a name that only CloudFormation knows stays what it is. */
function clustersIn(props: EcsAmiDeployProps): string[] {
  return [...new Set(SETTING_PROPS.clusters.texts(props).map((text) => clusterName(text) ?? text))];
}

/** Other stacks tell the same bus: each hears of its own clusters alone. */
function addRules(
  { scope, eventBus, clusters }: Bus,
  id: string,
  description: string,
  targets: IRuleTarget[],
): Rule[] {
  return parted(clusters).map(
    (cluster, index) =>
      new Rule(scope, index === 0 ? id : `${id}${index + 1}`, {
        eventBus,
        description: `${description} (ecs-ami-deploy)`,
        eventPattern: { source: [EVENT_SOURCE], detail: { cluster } },
        targets,
      }),
  );
}

/** A name has 255 characters at most, as may one that only CloudFormation knows. */
const LONGEST_NAME = 255;

/** EventBridge takes 2,048 in a pattern; the rest of it and the quotes around the names need some. */
const MOST_CHARACTERS = 1900;

/** The names in parts, each of which has room in a pattern. */
function parted(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const name of names) {
    const length = (Token.isUnresolved(name) ? LONGEST_NAME : name.length) + '"",'.length;
    if (length > room) {
      parts.push([]);
      room = MOST_CHARACTERS;
    }
    parts.at(-1)?.push(name);
    room -= length;
  }
  return parts;
}
