import { BUSY } from './error-names.ts';
import { explain, hasCode, notYet, orStale, StaleObservation, withoutStop } from './errors.ts';
import { type AwsFault, faultOf, OwnError } from './faults.ts';

/*
 * Errors of changes alone, apart from the others: a cold start with nothing to roll doesn't load them.
 */

/** AWS refuses the same change again and again, so it isn't that something has changed since we looked. */
export class RefusedAgain extends OwnError {
  override readonly name = 'RefusedAgain';

  constructor(what: string, cause: StaleObservation) {
    super(`AWS refuses again and again to ${what}: ${withoutStop(cause.message)}`, { cause });
  }
}

/** EC2 refused to terminate instances that somebody has protected since we looked. */
export class TerminationProtected extends StaleObservation {
  readonly instanceIds: readonly string[];

  constructor(instanceIds: readonly string[]) {
    super(`${instanceIds.join(', ')} can't be terminated: DisableApiTermination or DisableApiStop is set`);
    this.instanceIds = instanceIds;
  }
}

/** This account can't create launch configurations: those made since 2024-10-01 can't. */
export class LaunchConfigurationsUnavailable extends OwnError {
  override readonly name = 'LaunchConfigurationsUnavailable';

  constructor(group: string, cause: unknown) {
    super(
      `this account can't create launch configurations, so group ${group} can't get a new image; ` +
        'let the group use a launch template instead ' +
        '(https://docs.aws.amazon.com/autoscaling/ec2/userguide/migrate-to-launch-templates.html)',
      { cause },
    );
  }
}

/** AWS refuses a group's new launch spec: somebody has to fix it. */
export class LaunchSpecRefused extends OwnError {
  override readonly name = 'LaunchSpecRefused';
  override readonly fault: AwsFault;

  constructor(cause: Error) {
    const fault = faultOf(cause);
    const toDo = 'fix its launch configuration or launch template, or choose another image with IMAGE';
    const why =
      fault.kind === 'denied' ? explain(cause) : `${cause.name}: ${withoutStop(cause.message)}; ${toDo}`;
    super(`AWS refuses the group's new launch spec: ${why}`, { cause });
    this.fault = fault;
  }
}

/** Why trying again is useless for now; undefined if the error is of another kind. */
export function refusalCode(error: unknown): 'launch-spec-refused' | 'call-refused' | undefined {
  if (error instanceof RefusedAgain) return 'call-refused';
  const ofLaunchSpec = error instanceof LaunchSpecRefused || error instanceof LaunchConfigurationsUnavailable;
  return ofLaunchSpec ? 'launch-spec-refused' : undefined;
}

/**
 * Runs a change of what a group launches from. Auto Scaling has a single code for everything that EC2 finds
 * wrong with it.
 *
 * @throws StaleObservation if the group is busy, gone or held by an instance refresh, or a brand-new version
 *   isn't there yet
 * @throws LaunchSpecRefused
 */
export async function orLaunchSpecRefused(change: Promise<unknown>): Promise<void> {
  try {
    await orStale(change, ...BUSY);
  } catch (error) {
    if (!hasCode(error, 'ValidationError')) throw error;
    if (NOT_YET.test(error.message)) throw notYet(error);
    // The next look finds the refresh.
    if (/AutoScalingGroup name not found|active instance refresh/i.test(error.message)) {
      throw new StaleObservation(error.message, { cause: error });
    }
    throw new LaunchSpecRefused(error);
  }
}

/** We only ever name versions that EC2 has listed. */
const NOT_YET = /could not find the specified version/i;
