import type { Assessment } from '../model/assessment.ts';
import type { FailedLaunch, Group } from '../model/group.ts';
import { takesTasks } from '../model/registrations.ts';
import { isOver, later } from '../model/time.ts';

/**
 * What EC2's messages say of an image, or of what comes with it: its devices and snapshots, its architecture
 * and how it boots. `Client.InternalError`, "a client error", may be a key that may not be used, too: that of
 * the launch spec itself would have failed before.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-ami.html,
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html
 */
const OF_THE_IMAGE: readonly RegExp[] = [
  /\bami(?:s|id)?\b|InvalidAMI|\bimages?\b/i,
  /\bdevice|BlockDevice|virtualName|snapshot|Client\.InternalError/i,
  /architecture|virtualization|boot[ -]?mode|\bUEFI\b|\bENA\b/,
];

/**
 * What else a launch is refused for may have any name: "The key pair ami does not exist." A snapshot that is
 * gone is none of an image's: "The snapshot that you are trying to delete is in use by one or more AMIs."
 *
 * https://docs.aws.amazon.com/ec2/latest/devguide/errors-overview.html
 */
const OF_OTHERS =
  /key ?pair|security group|template name|placement group|instance ?profile|InvalidSnapshot\.NotFound|snapshot \S+ does not exist/i;
const NAMES = /(?<!\w)(['"]).*?\1|\barn:(?!\S*:image\/)\S+/g;

/**
 * A key that may not be used is the image's if that has encrypted snapshots: "an unencrypted snapshot is
 * restored to an unencrypted volume", unless the launch spec, or the account by default, has a key for it.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/AMIEncryption.html
 */
const OF_A_KEY = /\bkms|KMSKey|customer managed key/i;

/**
 * Why an instance that was launched never came into service, if no image is to blame: somebody ended it, or
 * EC2 did by a fault or for want of something, which a stopped one of a warm pool may be refused, too.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_StateReason.html,
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/troubleshooting-launch.html,
 * https://docs.aws.amazon.com/ec2/latest/devguide/errors-overview.html
 */
const ENDED_BY_OTHERS =
  /\bClient\.(?:UserInitiated|InvalidSnapshot)|\bServer\.|LimitExceeded|Insufficient\w*Capacity|UnfulfillableCapacity|sufficient .*capacity|Spot capacity|vCPU limit|Your quota allows/;

/**
 * Whether a launch fails because of the image, or may: what EC2 refuses to launch is the image's fault only
 * if it says so; an instance that it did launch may have failed by its image in ways that no message tells.
 */
export function mayBeOfImage({ message, launched = false }: FailedLaunch, { launch }: Launching): boolean {
  const words = OF_OTHERS.test(message) ? '' : message.replace(NAMES, '');
  if (OF_A_KEY.test(words))
    return 'obstacle' in launch || launch.sources.some(({ target }) => target.encrypted);
  return OF_THE_IMAGE.some((each) => each.test(words)) || (launched && !ENDED_BY_OTHERS.test(message));
}

type Launching = Pick<Group, 'launch'>;

/** Whether launches of the group fail, and none by what may be its image. */
export function areOfNoImage(failed: readonly FailedLaunch[], group: Launching): boolean {
  return failed.length > 0 && !failed.some((each) => mayBeOfImage(each, group));
}

/**
 * A roll's failed launches, without those that may be of the image, and that a later one disproves which came
 * into service: Auto Scaling tries again what fails, so a fault that lasts shows in a later launch, too.
 */
export function failuresOf(group: LaunchedBy): readonly FailedLaunch[] {
  const { details, members, instances } = group;
  const isInService = (id: string) =>
    members.some(({ instanceId, lifecycleState: state }) => instanceId === id && state === 'InService');
  const serving = instances.filter(({ instanceId }) => isInService(instanceId));
  return (details?.failedLaunches ?? []).filter(
    (each) => !mayBeOfImage(each, group) || serving.every(({ launchedAt }) => launchedAt <= each.at),
  );
}

type LaunchedBy = Pick<Group, 'details' | 'members' | 'instances' | 'launch'>;

/**
 * Until when launches failed for other reasons than the image: a member launched later isn't to blame for
 * being late.
 */
export function hinderedUntil(group: LaunchedBy): Date {
  const failed = failuresOf(group);
  return (areOfNoImage(failed, group) ? failed : []).map(({ at }) => at).reduce(later, new Date(0));
}

/**
 * Whether a member that is getting ready was launched so long after its batch was chosen that launches may
 * have failed. If the group has ended the whole batch, the time counts from the roll's beginning.
 */
export function hasLateComer({
  group: { instances, members, roll },
  observation,
  settings: { readyTimeoutSeconds },
}: Assessment): boolean {
  const marks = instances.flatMap(({ mark }) => mark?.detachStartedAt ?? []);
  const chosen = marks.length > 0 ? marks.reduce(later) : roll?.startedAt;
  if (chosen === undefined) return false;
  const ids = new Set(members.map(({ instanceId }) => instanceId));
  const late = instances.filter(
    ({ instanceId, launchedAt }) => ids.has(instanceId) && isOver(chosen, readyTimeoutSeconds, launchedAt),
  );
  const isYoung = (launchedAt: Date) => !isOver(launchedAt, readyTimeoutSeconds, observation.now);
  return late.some(
    ({ instanceId, launchedAt }) =>
      !takesTasks(observation, instanceId) || (marks.length > 0 && isYoung(launchedAt)),
  );
}
