import { Tokenization } from 'aws-cdk-lib';

/**
 * What a prop may be where there are few possibilities. Classes rather than enums, as the CDK has them
 * where a value may also be computed: `Surge.percent(50)`.
 */

/** Which image a group gets. */
export class ImageSource {
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

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** Whose images `ImageSource.newest` looks for. */
export class ImageOwner {
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

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** Why an instance is replaced. */
export class DriftCause {
  /** It runs an older image. */
  static readonly IMAGE = new DriftCause('image');
  /** It was launched from something other than what its group launches from now. */
  static readonly LAUNCH_SPEC = new DriftCause('launch-spec');
  /** It is older than `maxInstanceAge`. */
  static readonly AGE = new DriftCause('age');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** How many more instances than usual a group may have at once. */
export class Surge {
  /** A number of instances. With 0 old instances go before new ones come. */
  static instances(count: number): Surge {
    return new Surge(Tokenization.stringifyNumber(count));
  }

  /** A percentage of the group's instances from 0 to 100, rounded up. */
  static percent(percent: number): Surge {
    return new Surge(`${Tokenization.stringifyNumber(percent)}%`);
  }

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** How many old instances of a group drain at once. */
export class DrainConcurrency {
  /** As many as their services can spare and the group's new instances have room for. */
  static readonly AUTO = new DrainConcurrency('auto');

  /** A number of instances from 1 to 10. */
  static instances(count: number): DrainConcurrency {
    return new DrainConcurrency(Tokenization.stringifyNumber(count));
  }

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** What happens to outdated instances in Standby. */
export class StandbyInstances {
  /** They are left alone. */
  static readonly SKIP = new StandbyInstances('skip');
  /** They drain and end, and nothing is launched for them. */
  static readonly REPLACE = new StandbyInstances('replace');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** Whether a group's terminate hooks run for old instances. */
export class TerminateHooks {
  /** They don't: old instances are detached. */
  static readonly SKIP = new TerminateHooks('skip');
  /** They do: the group is made larger, and ends its old instances itself. */
  static readonly RUN = new TerminateHooks('run');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** What happens where other groups are on `$Latest` or `$Default` of the same launch template. */
export class SharedTemplates {
  /** The roll is blocked. */
  static readonly BLOCK = new SharedTemplates('block');
  /** The template is updated, so that they may get the new image too. */
  static readonly UPDATE = new SharedTemplates('update');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** What happens when an instance doesn't lose its tasks in time. */
export class OnDrainTimeout {
  /** Its drain is undone, and the roll goes on with the others. */
  static readonly HOLD = new OnDrainTimeout('hold');
  /** The tasks that are left are stopped, but no protected one. */
  static readonly FORCE = new OnDrainTimeout('force');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}

/** What happens to tasks of no service on an instance that drains. */
export class StandaloneTasks {
  /** They are waited for. */
  static readonly WAIT = new StandaloneTasks('wait');
  /** They are stopped, and nothing starts them again elsewhere. */
  static readonly STOP = new StandaloneTasks('stop');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}
