import { Annotations, Duration, Token, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { CONTINUE_EVENT } from '../lambda/contract.ts';
import type { EcsAmiDeployProps } from './props.ts';

/**
 * Not a rate: that "starts when you create the scheduled event rule", so a deployment might begin a roll.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
const DEFAULT_SCHEDULE = Schedule.expression('cron(0 3 * * ? *)');
/** So that a look falls into each window, early enough for the roll, and a member speaks often. */
const EVERY_TEN_MINUTES = Schedule.expression('cron(0/10 * * * ? *)');
/**
 * The longest a roll waits between two invocations. An invocation with no roll under way makes one or two
 * calls.
 */
const CONTINUE_EVERY = Duration.minutes(5);
/** No trigger is worth delivering for more than a minute: the next one says the same. */
const DELIVERY_AGE = Duration.minutes(1);
/**
 * Adds everything that invokes the function: the schedule, the one that keeps a roll going, and
 * notifications.
 */
export function addTriggers(
  scope: Construct,
  target: IFunction,
  {
    windows,
    changeCalendars,
    sequenceTableArn,
    schedule = (windows ?? changeCalendars ?? sequenceTableArn) === undefined
      ? DEFAULT_SCHEDULE
      : EVERY_TEN_MINUTES,
    topics = [],
  }: Pick<EcsAmiDeployProps, 'changeCalendars' | 'schedule' | 'sequenceTableArn' | 'topics' | 'windows'>,
): void {
  warnOfRate(scope, schedule);
  new Rule(scope, 'Schedule', {
    description: 'Looks for a new image and rolls the clusters that need it',
    schedule,
    targets: [new FunctionTarget(target, { maxEventAge: DELIVERY_AGE })],
  });
  // A member that looked less often would be taken for silent, and begin late.
  if (sequenceTableArn !== undefined && schedule.expressionString !== EVERY_TEN_MINUTES.expressionString)
    new Rule(scope, 'Membership', {
      description: 'Speaks to the sequence, and rolls what it allows',
      schedule: EVERY_TEN_MINUTES,
      targets: [new FunctionTarget(target, { maxEventAge: DELIVERY_AGE })],
    });
  new Rule(scope, 'Continue', {
    description: 'Continues a roll that has begun',
    schedule: Schedule.rate(CONTINUE_EVERY),
    targets: [
      new FunctionTarget(target, {
        maxEventAge: DELIVERY_AGE,
        event: RuleTargetInput.fromObject(CONTINUE_EVENT),
      }),
    ],
  });
  for (const [index, { topicArn }] of topics.entries()) subscribe(scope, target, topicArn, index);
}

function warnOfRate(scope: Construct, { expressionString }: Schedule): void {
  if (!/^rate\(/.test(expressionString)) return;
  Annotations.of(scope).addWarningV2(
    'ecs-ami-deploy:rateStarts',
    `The schedule ${expressionString} starts when EventBridge creates the rule, so deploying may begin a roll: cron(...) waits for its hour.`,
  );
}

/** Written by hand because the CDK's own subscription leaves out the Region of a topic imported by ARN. */
function subscribe(scope: Construct, target: IFunction, topicArn: string, index: number): void {
  const known = !Token.isUnresolved(topicArn);
  const notifications = new Construct(scope, `Topic-${known ? topicArn : index}`);
  target.addPermission('Permission', {
    scope: notifications,
    principal: new ServicePrincipal('sns.amazonaws.com'),
    sourceArn: topicArn,
  });
  const subscription = new CfnSubscription(notifications, 'Subscription', {
    topicArn,
    protocol: 'lambda',
    endpoint: target.functionArn,
    ...(known ? { region: topicArn.split(':')[3] } : {}),
  });
  Validations.of(subscription).acknowledge({
    id: 'CloudFormation-Validate::W3694',
    reason: "The endpoint is the ARN of a function's alias, which works too.",
  });
}
