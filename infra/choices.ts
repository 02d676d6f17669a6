import { type Duration, TimeZone, Tokenization } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { METRICS } from '../lambda/metric-names.ts';

/**
 * What a prop may be where there are few possibilities. Classes rather than enums, as the CDK has them
 * where a value may also be computed: `Surge.percent(50)`.
 */
abstract class Choice<Of extends string> {
  /** With the name of its class in its type, one choice doesn't pass for another. */
  private readonly text: string & { readonly of?: Of };

  constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** Which image a group gets. */
export class ImageSource extends Choice<'ImageSource'> {
  /** The recommended image of the ECS-optimized family that the group runs. */
  static readonly RECOMMENDED = new ImageSource('auto');

  /**
   * The image that a parameter of Systems Manager holds, by its name or ARN. A version or a label may follow.
   */
  static ssmParameter(nameOrArn: string): ImageSource {
    return new ImageSource(`ssm:${nameOrArn}`);
  }

  /** The newest image by creation date whose name fits a pattern, such as `web-*`. */
  static newest(namePattern: string): ImageSource {
    return new ImageSource(`name:${namePattern}`);
  }

  /** This image. */
  static imageId(imageId: string): ImageSource {
    return new ImageSource(imageId);
  }

  /** As the function's environment writes it: `auto`, `ssm:<parameter>`, `name:<pattern>` or `ami-<id>`. */
  static expression(expression: string): ImageSource {
    return new ImageSource(expression);
  }

  private constructor(text: string) {
    super(text);
  }
}

/** Whose images `ImageSource.newest` looks for. */
export class ImageOwner extends Choice<'ImageOwner'> {
  /** Amazon's. */
  static readonly AMAZON = new ImageOwner('amazon');
  /** The account's own. */
  static readonly SELF = new ImageOwner('self');
  /** The AWS Marketplace's. */
  static readonly AWS_MARKETPLACE = new ImageOwner('aws-marketplace');

  /** Those of another account, by its id of 12 digits. */
  static account(accountId: string): ImageOwner {
    return new ImageOwner(accountId);
  }

  private constructor(text: string) {
    super(text);
  }
}

/** Why an instance is replaced. */
export class DriftCause extends Choice<'DriftCause'> {
  /** It runs an older image. */
  static readonly IMAGE = new DriftCause('image');
  /** It was launched from something other than what its group launches from now. */
  static readonly LAUNCH_SPEC = new DriftCause('launch-spec');
  /** It is older than `maxInstanceAge`. */
  static readonly AGE = new DriftCause('age');

  private constructor(text: string) {
    super(text);
  }
}

/** How many more instances than usual a group may have at once. */
export class Surge extends Choice<'Surge'> {
  /** A number of instances. With 0 old instances go before new ones come. */
  static instances(count: number): Surge {
    return new Surge(Tokenization.stringifyNumber(count));
  }

  /** A percentage of the group's instances from 0 to 100, rounded up. */
  static percent(percent: number): Surge {
    return new Surge(`${Tokenization.stringifyNumber(percent)}%`);
  }

  private constructor(text: string) {
    super(text);
  }
}

/** How many old instances of a group drain at once. */
export class DrainConcurrency extends Choice<'DrainConcurrency'> {
  /** As many as their services can spare and the group's new instances have room for. */
  static readonly AUTO = new DrainConcurrency('auto');

  /** A number of instances from 1 to 10. */
  static instances(count: number): DrainConcurrency {
    return new DrainConcurrency(Tokenization.stringifyNumber(count));
  }

  private constructor(text: string) {
    super(text);
  }
}

/** What happens to outdated instances in Standby. */
export class StandbyInstances extends Choice<'StandbyInstances'> {
  /** They are left alone. */
  static readonly SKIP = new StandbyInstances('skip');
  /** They drain and end, and nothing is launched for them. */
  static readonly REPLACE = new StandbyInstances('replace');

  private constructor(text: string) {
    super(text);
  }
}

/** Whether a group's terminate hooks run for old instances. */
export class TerminateHooks extends Choice<'TerminateHooks'> {
  /** They don't: old instances are detached. */
  static readonly SKIP = new TerminateHooks('skip');
  /** They do: the group is made larger, and ends its old instances itself. */
  static readonly RUN = new TerminateHooks('run');

  private constructor(text: string) {
    super(text);
  }
}

/** What happens where other groups are on `$Latest` or `$Default` of the same launch template. */
export class SharedTemplates extends Choice<'SharedTemplates'> {
  /** The roll is blocked. */
  static readonly BLOCK = new SharedTemplates('block');
  /** The template is updated, so that they may get the new image too. */
  static readonly UPDATE = new SharedTemplates('update');

  private constructor(text: string) {
    super(text);
  }
}

/** What happens when an instance doesn't lose its tasks in time. */
export class OnDrainTimeout extends Choice<'OnDrainTimeout'> {
  /** Its drain is undone, and the roll goes on with the others. */
  static readonly HOLD = new OnDrainTimeout('hold');
  /** The tasks that are left are stopped, but no protected one. */
  static readonly FORCE = new OnDrainTimeout('force');

  private constructor(text: string) {
    super(text);
  }
}

/** What happens to tasks of no service on an instance that drains. */
export class StandaloneTasks extends Choice<'StandaloneTasks'> {
  /** They are waited for. */
  static readonly WAIT = new StandaloneTasks('wait');
  /** They are stopped, and nothing starts them again elsewhere. */
  static readonly STOP = new StandaloneTasks('stop');

  private constructor(text: string) {
    super(text);
  }
}

/** What the schedule and notifications do. */
export class Mode extends Choice<'Mode'> {
  /** They roll groups that are outdated. */
  static readonly ROLL = new Mode('roll');
  /** They only tell what a roll would do. */
  static readonly PLAN = new Mode('plan');

  private constructor(text: string) {
    super(text);
  }
}

/** How long a window stays open, and where its clock is. */
export interface MaintenanceWindowOptions {
  /** Whole minutes, from 10 minutes to 7 days. */
  readonly duration: Duration;

  /**
   * The time zone of the cron expression.
   * @default TimeZone.ETC_UTC
   */
  readonly timeZone?: TimeZone;
}

/** A time in which something new may begin. */
export class MaintenanceWindow extends Choice<'MaintenanceWindow'> {
  /**
   * A window that opens whenever a cron expression says.
   *
   * @param expression minute, hour, day, month and weekday as Unix has them, such as `0 2 * * MON-FRI`
   */
  static cron(expression: string, options: MaintenanceWindowOptions): MaintenanceWindow {
    const { duration, timeZone } = options;
    const { timezoneName } = timeZone ?? TimeZone.ETC_UTC;
    const minutes = Tokenization.stringifyNumber(duration.toMinutes({ integral: false }));
    return new MaintenanceWindow(`${expression} ${minutes}m ${timezoneName}`);
  }

  private constructor(text: string) {
    super(text);
  }
}

/** What is asked before a roll goes on. See docs/hooks.md for what it is asked, and what it may answer. */
export class RollHook extends Choice<'RollHook'> {
  /** A function, or its version or alias, that answers `go`, `hold` or `refuse`. */
  static lambdaFunction(handler: IFunction): RollHook {
    return new RollHook(handler.functionArn);
  }

  /** People: who subscribes to a standard topic is asked, and one of them orders `approve` or `refuse`. */
  static approval(topic: ITopic): RollHook {
    return new RollHook(topic.topicArn, topic);
  }

  /** By which people are asked; undefined if a function is. */
  readonly topic?: ITopic;

  private constructor(arn: string, topic?: ITopic) {
    super(arn);
    this.topic = topic;
  }
}

/** What keeps stacks of a stage from rolling at the same time. */
export class StacksApart extends Choice<'StacksApart'> {
  /** That they are in different Regions: the next Region follows once nothing rolls in the one before. */
  static readonly REGION = new StacksApart('region');

  private constructor(text: string) {
    super(text);
  }
}

/** What it takes for a release to come into a stage. */
export class BeforeStage extends Choice<'BeforeStage'> {
  /** That somebody approves it. */
  static readonly APPROVAL = new BeforeStage('approval');

  private constructor(text: string) {
    super(text);
  }
}

/** What becomes of a release where no stack of a stage runs an image of its kind. */
export class WhenEmpty extends Choice<'WhenEmpty'> {
  /** It stays before that stage. */
  static readonly HOLD = new WhenEmpty('hold');
  /** It goes on to the next one. */
  static readonly PASS = new WhenEmpty('pass');

  private constructor(text: string) {
    super(text);
  }
}

/** By what metrics are told apart. Each combination of values is a metric that CloudWatch charges for. */
export class MetricDetail extends Choice<'MetricDetail'> {
  /** By the function: each metric is about the worst of its groups, or the sum of all. */
  static readonly FUNCTION = new MetricDetail('function');
  /** By the cluster and the group, too. */
  static readonly GROUP = new MetricDetail('group');

  private constructor(text: string) {
    super(text);
  }
}

/** Which events come to topics. */
export class TopicEvents extends Choice<'TopicEvents'> {
  /** Each. */
  static readonly ALL = new TopicEvents('all');
  /** That a roll begins, is blocked or ends, and that a termination outside rolls took tasks along. */
  static readonly BEGINNING_AND_END = new TopicEvents('beginning-and-end');

  private constructor(text: string) {
    super(text);
  }
}

/** What a roll spends its time with. */
export class RollPhase {
  /** It waits for replacements: until they are launched, registered and in service. */
  static readonly LAUNCH = new RollPhase(METRICS.launching);
  /** The first batch is on trial. */
  static readonly TRIAL = new RollPhase(METRICS.trial);
  /** Old instances are drained and ended, and services settle in between. */
  static readonly DRAIN = new RollPhase(METRICS.draining);
  /** Something holds it: a window, an alarm, another group, or tasks that crash. */
  static readonly HELD = new RollPhase(METRICS.held);

  private readonly metric: string;

  private constructor(metric: string) {
    this.metric = metric;
  }

  /** The name of its metric. */
  toString(): string {
    return this.metric;
  }
}
