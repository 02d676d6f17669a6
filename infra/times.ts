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
