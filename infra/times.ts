import { type Duration, TimeZone, Tokenization } from 'aws-cdk-lib';

/** What the schedule and notifications do. */
export class Mode {
  /** They roll groups that are outdated. */
  static readonly ROLL = new Mode('roll');
  /** They only tell what a roll would do. */
  static readonly PLAN = new Mode('plan');

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
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
export class MaintenanceWindow {
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

  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** As the function's environment writes it. */
  toString(): string {
    return this.text;
  }
}
