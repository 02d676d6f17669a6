import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { askedIn, TOPIC } from '../rollout/people.ts';
import type { Stage } from '../rollout/stage.ts';
import { type Instance, isAlive } from '../simulated-aws/world/ec2/model.ts';

/** Each batch of a roll and its trial are asked about. */
export const ASKS = { BEFORE_BATCH: TOPIC, ON_TRIAL_PASSED: TOPIC } as const;

/** An order may fail in the weather, so they answer again. */
const THINKING_SECONDS: readonly number[] = [20, 120, 600];

/** In so many seconds all instances of a batch are marked, by whoever has seen the leave for it. */
const MARKING_SECONDS = 60;

interface Approvers {
  /** What was chosen without. */
  readonly lacking: readonly string[];
  /** Resolves when no answer of theirs is under way. */
  atRest(): Promise<void>;
}

type Tagged = Readonly<Record<string, string>>;

/**
 * Somebody approves whatever they are asked, and sees to it that no instance is chosen for a batch that they
 * have not approved, whatever others write on the tags.
 */
export function attendApprovers({ world, clock, order }: Stage): Approvers {
  const since = clock.now();
  const approvedAt = new Map<string, number>();
  const noted = new Map<string, string>();
  const given = new Map<string, { readonly note: string; readonly overAt: number }>();
  const chosen = new Set<string>();
  const usedAt = new Map<string, number>();
  const moved = new Set<string>();
  const usedFor = new Map<string, Set<string>>();
  const interrupted = new Set<Instance>();
  const lacking: string[] = [];
  const underWay = new Set<Promise<unknown>>();

  async function approve(message: string, seconds: number): Promise<void> {
    await clock.sleep(seconds);
    const asked = askedIn(message);
    approvedAt.set(asked.question, clock.now());
    const answer = order({ action: 'approve', ...asked });
    underWay.add(answer);
    await answer.finally(() => underWay.delete(answer));
  }

  /**
   * The group, or its roll, may have launched too many; and what no longer runs, or is interrupted, goes in
   * any case.
   */
  const isAskedAbout = (instance: Instance | undefined) =>
    instance === undefined ||
    (instance.launchedAtMs <= since && isAlive(instance) && !interrupted.has(instance));

  /** A second invocation that sees other members asks anew, while the first chooses by the leave it saw. */
  function noteOf(group: string): string {
    const last = given.get(group);
    const isLate = last !== undefined && clock.now() - last.overAt <= MARKING_SECONDS * 1000;
    return isLate ? last.note : (noted.get(group) ?? '');
  }

  function note(group: string, value: string): void {
    const before = noted.get(group) ?? '';
    noted.set(group, value);
    if (saysOf(value) === 'go') given.delete(group);
    else if (saysOf(before) === 'go') given.set(group, { note: before, overAt: clock.now() });
  }

  function choose(instanceId: string, tags: Tagged): void {
    const group = world.state.groups.get(tags[INSTANCE_TAGS.group] ?? '');
    const isAgain = chosen.has(instanceId);
    chosen.add(instanceId);
    if (isAgain || !isAskedAbout(world.state.instances.get(instanceId))) return;
    // What goes back is asked about no more, and whoever may tag a group may have it go back.
    const isForward = group?.tags.get(GROUP_TAGS.course)?.value.startsWith('forward ');
    if (group === undefined || !isForward || group.warmPool !== undefined) return;
    const seen = noteOf(group.name);
    const [, stage, key = '', says, firstAsked = ''] = seen.split(' ');
    // The same is asked once more where somebody has removed the marks of a batch.
    const asking = `${key} ${firstAsked}`;
    const firstUse = usedAt.get(asking) ?? clock.now();
    usedAt.set(asking, firstUse);
    const before = usedFor.get(asking) ?? new Set();
    usedFor.set(asking, before.add(instanceId));
    // The marks of a batch may have been removed, or its instances have ended, before we had any leave.
    const isUsed = clock.now() - firstUse > MARKING_SECONDS * 1000 && [...before].some((id) => moved.has(id));
    const isGiven = (approvedAt.get(key) ?? 0) > Date.parse(firstAsked);
    if (stage !== 'before-batch' || says !== 'go' || !isGiven || isUsed)
      lacking.push(`${instanceId} of ${group.name} was chosen as its hook's note was "${seen}"`);
  }

  world.state.topics.get(TOPIC)?.subscribers.push(({ message }) => {
    for (const seconds of THINKING_SECONDS) void approve(message, seconds);
  });
  world.subscribe((event) => {
    if (event.kind === 'spot-warning') interrupted.add(event.instance);
    if (event.kind === 'called') for (const each of movedBy(event, world)) moved.add(each);
  });
  world.subscribe((event) => {
    if (event.kind !== 'called' || !/^Create(OrUpdate)?Tags$/.test(event.operation)) return;
    const { Tags = [], Resources = [] } = event.input as {
      readonly Tags?: readonly {
        readonly Key: string;
        readonly Value: string;
        readonly ResourceId?: string;
      }[];
      readonly Resources?: readonly string[];
    };
    // Only the function calls: what others write on tags isn't among them.
    for (const { Key, Value, ResourceId } of Tags)
      if (Key === GROUP_TAGS.hook && ResourceId !== undefined) note(ResourceId, Value);
    const tags = Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));
    if (INSTANCE_TAGS.terminate in tags) for (const each of Resources) choose(each, tags);
  });
  return {
    lacking,
    async atRest() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

const saysOf = (note: string) => note.split(' ')[3];

/** The instances that a call has leave their group or their cluster. */
function movedBy(
  { operation, input }: { readonly operation: string; readonly input: object },
  world: Stage['world'],
) {
  const {
    InstanceIds,
    InstanceId,
    containerInstances = [],
  } = input as {
    readonly InstanceIds?: readonly string[];
    readonly InstanceId?: string;
    readonly containerInstances?: readonly string[];
  };
  if (operation === 'DetachInstances') return InstanceIds ?? [];
  if (operation === 'TerminateInstanceInAutoScalingGroup')
    return InstanceId === undefined ? [] : [InstanceId];
  if (operation !== 'UpdateContainerInstancesState') return [];
  return [...world.state.instances.values()]
    .filter(({ containerInstance }) => containerInstances.includes(containerInstance?.arn ?? ''))
    .map(({ id }) => id);
}
