import { Stack, Token } from 'aws-cdk-lib';
import { EventBus, type IEventBus, type IRuleTarget, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { EVENT_SOURCE } from '../lambda/contract.ts';
import { clusterName } from '../lambda/settings/parse-settings.ts';
import { TopicEvents } from './choices.ts';
import { createHistory, historyRuleName, toLog } from './history.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { SETTING_PROPS } from './setting-props.ts';
import { letPublish } from './topic-rights.ts';

/** The event bus that is told of rolls: the account's own if none is given; undefined if none is to be. */
export function eventBusFor(scope: Construct, { events = true, eventBus }: EcsAmiDeployProps) {
  if (!events) return undefined;
  return eventBus ?? EventBus.fromEventBusName(scope, 'DefaultEventBus', 'default');
}

/** Who is told by the event bus: the history always, and the topics that the props name. */
export function addListeners(scope: Construct, eventBus: IEventBus, props: EcsAmiDeployProps): LogGroup {
  const { eventTopic, chatTopic, topicEvents = TopicEvents.ALL } = props;
  const kinds = topicEvents === TopicEvents.ALL ? undefined : BEGINNING_AND_END;
  const bus = { scope, eventBus, clusters: clustersIn(props) };
  const history = createHistory(scope, props);
  addRules(bus, 'HistoryRule', 'Keeps the history of rolls', [toLog(history)], {
    nameOf: (index) => historyRuleName(scope, index),
  });
  if (eventTopic !== undefined) {
    letPublish(scope, eventTopic, { service: 'events.amazonaws.com', prop: 'eventTopic' });
    // A part of the event arrives as the JSON that it is: a line of text stays in its quotes. In a template
    // it would, too, and quotes within it would break it.
    const target = new SnsTopic(eventTopic, { message: RuleTargetInput.fromEventPath('$.detail.text') });
    addRules(bus, 'EventTopicRule', 'Tells a topic of rolls, a line each', [target], { kinds });
  }
  if (chatTopic !== undefined) {
    letPublish(scope, chatTopic, { service: 'events.amazonaws.com', prop: 'chatTopic' });
    const target = new SnsTopic(chatTopic, { message: RuleTargetInput.fromEventPath('$.detail.chat') });
    addRules(bus, 'ChatTopicRule', 'Tells a topic of rolls as chats want it', [target], { kinds });
  }
  return history;
}

/** As docs/events.md has them. */
const BEGINNING_AND_END = ['begun', 'blocked', 'completed', 'aborted', 'rolled-back', 'timed-out'];

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

/**
 * Other stacks tell the same bus: each hears of its own clusters alone. Other accounts may, too, if the bus's
 * policy lets them, under any source, but not under this account.
 *
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-cross-account.html
 */
function addRules(
  { scope, eventBus, clusters }: Bus,
  id: string,
  description: string,
  targets: IRuleTarget[],
  {
    kinds,
    nameOf,
  }: {
    /** All, if undefined. */
    readonly kinds?: readonly string[] | undefined;
    readonly nameOf?: (index: number) => string;
  },
): void {
  for (const [index, cluster] of parted(clusters).entries())
    new Rule(scope, index === 0 ? id : `${id}${index + 1}`, {
      ruleName: nameOf?.(index),
      eventBus,
      description: `${description} (ecs-ami-deploy)`,
      eventPattern: {
        account: [Stack.of(scope).account],
        source: [EVENT_SOURCE],
        detail: { cluster, ...(kinds && { kind: kinds }) },
      },
      targets,
    });
}

/** A name has 255 characters at most, as may one that only CloudFormation knows. */
const LONGEST_NAME = 255;

/** EventBridge takes 2,048 in a pattern; the rest of it and the quotes around the names need some. */
const MOST_CHARACTERS = 1800;

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
