import type { Forecast } from '../../lambda/core/model/forecast.ts';
import { type PastRoll, type PastTimes, pastRolls, pastTimes } from '../../lambda/history/past-rolls.ts';
import type { GroupStatus } from '../../lambda/status/images.ts';
import { countOf, durationText, rangeText, runningText, standingText } from '../../lambda/status/words.ts';
import { findFunction } from '../deployed.ts';
import { colored, colorsOf, hanging, table } from '../layout.ts';
import { type LookResult, type ReadOptions, read } from '../read.ts';
import type { Exit, Page, Terminal } from '../session.ts';
import { exitFor, json, leftWhilePaused, timeText } from '../text.ts';
import { historyOf } from './history.ts';
import {
  autoText,
  described,
  headOf,
  leftOutOf,
  nameOf,
  outdatedOf,
  unsaid,
  waitsText,
  warningText,
} from './status.ts';

export interface PlanOptions extends ReadOptions {
  /** As if every member were outdated. */
  readonly force?: boolean;
  /** Also onto what the stack's sequence doesn't allow. */
  readonly outsideSequence?: boolean;
}

/** What a roll would do. It changes nothing. */
export async function plan(
  options: PlanOptions,
  terminal: Terminal,
  clusters: readonly string[],
): Promise<Exit> {
  const { found, groups } = await lookAhead(clusters, options, terminal);
  const page = { color: terminal.color, columns: terminal.columns, wide: options.wide ?? false };
  terminal.out(options.json ? json({ ...found, groups }) : planText(groups, page));
  return exitFor(groups);
}

/** What a roll would do, and what the last ones took. */
export async function lookAhead(
  clusters: readonly string[],
  options: PlanOptions,
  terminal: Terminal,
): Promise<{ readonly found: LookResult; readonly groups: readonly PlannedGroup[] }> {
  const { force = false, outsideSequence } = options;
  const found = await read({ action: 'plan', clusters, force, outsideSequence }, options, terminal);
  const groups = await described(found, terminal);
  if (!groups.some(isRolled)) return { found, groups };
  const rolls = await terminal.waiting('reading the history', () => rollsThereHaveBeen(options));
  return { found, groups: groups.map((each) => ({ ...each, past: pastTimes(rolls, each) })) };
}

const PAST_MILLISECONDS = 180 * 86_400_000;

/** A plan does without them where they can't be read. */
async function rollsThereHaveBeen(options: PlanOptions): Promise<readonly PastRoll[]> {
  try {
    const deployed = await findFunction(options);
    return pastRolls((deployed && (await historyOf(deployed, PAST_MILLISECONDS)))?.lines ?? []);
  } catch {
    return [];
  }
}

/** A group, and what its last rolls took. */
export interface PlannedGroup extends GroupStatus {
  readonly past?: PastTimes | undefined;
}

/** How much; warnings; what changes, with its steps and what it takes; what doesn't change, and why. */
export function planText(groups: readonly PlannedGroup[], page: Page): string {
  const [rolled, others] = [groups.filter(isRolled), groups.filter((each) => !isRolled(each))];
  return [
    wrappedLines(summary(groups), page),
    ...groups.map((each) => warningsOf(each, page)),
    ...rolled.map((each) => changeText(each, page)),
    unchangedText(others, page),
    endsText(groups, page),
    rolled.length > 0 && !page.wide ? '--wide lists instances and steps.' : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function wrappedLines(text: string, page: Page): string {
  const lines = text.split('\n').map((line) => hanging(page, '', line));
  return lines.join('\n');
}

export function isRolled({ state }: GroupStatus): boolean {
  return state === 'planned' || state === 'in-progress';
}

function warningsOf(status: GroupStatus, page: Page): string {
  const { warnings = [] } = status;
  if (warnings.length === 0) return '';
  return [colorsOf(page).bold(nameOf(status)), ...warnings.map((each) => warningText(each, page))].join('\n');
}

function changeText(status: PlannedGroup, page: Page): string {
  const { steps = [], forecast, past, announcedFor } = status;
  return [
    headOf(status, page),
    ...(announcedFor === undefined || status.outdated.length === 0
      ? []
      : [hanging(page, '  announced: ', announcedText(announcedFor), { indent: 4 })]),
    ...status.running.map((image) => hanging(page, '  ', runningText(image), { indent: 4 })),
    outdatedOf(status, page),
    stayingText(status),
    leftOutOf(status, page),
    ...(steps.length > 0 && page.wide
      ? ['  Steps:', ...steps.map((step, index) => numbered(step, index, page))]
      : []),
    ...(forecast === undefined ? [] : [hanging(page, '  ', forecastText(forecast))]),
    ...(past === undefined ? [] : [hanging(page, '  ', pastText(past))]),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function announcedText(from: string): string {
  return `begins by itself from ${timeText(from)} on; \`roll\` begins it now, \`skip\` calls it off`;
}

function stayingText(status: GroupStatus): string {
  if (status.state === 'in-progress') return `  ${standingText([status])}.`;
  const { total, drifted } = status.instances;
  const staying = total - drifted;
  if (staying === 0) return '';
  return `  ${countOf(staying, 'instance')} of ${total} ${staying === 1 ? 'stays as it is' : 'stay as they are'}.`;
}

function numbered(step: string, index: number, page: Page): string {
  return hanging(page, `${String(index + 1).padStart(4)}  `, step);
}

export function forecastText({ seconds, autoSeconds, instanceHours, waits }: Forecast): string {
  const extra = rangeText(instanceHours, 1);
  const cost = extra === '0' ? 'no extra instances' : `${extra} instance-hours beside the group's own`;
  return `Takes ${durationText(seconds)} if all goes well${autoText(autoSeconds)}, and ${cost}, as measured in simulated rolls.${waitsText(waits)}`;
}

function pastText({ rolls, seconds, instances }: PastTimes): string {
  const last = rolls === 1 ? 'Its last roll' : `Its last ${rolls} rolls`;
  const replaced = rangeText(instances, 0);
  return `${last} took ${durationText(seconds)}, for ${replaced === '1' ? '1 instance' : `${replaced} instances`}.`;
}

function unchangedText(groups: readonly GroupStatus[], page: Page): string {
  if (groups.length === 0) return '';
  const rows = groups.map((each) => [nameOf(each), colored(page, each.state), whyOf(each)]);
  return table(page, ['UNCHANGED', 'STATE', 'WHY'], rows, { wraps: 'WHY' });
}

/** Who drains what the groups end outside rolls: what they have in common is said once. */
function endsText(groups: readonly GroupStatus[], page: Page): string {
  const drainers = [...new Set(groups.flatMap(({ endsDrainedBy }) => endsDrainedBy ?? []))];
  const parts = drainers.map((drainer) => {
    const theirs = groups.filter(({ endsDrainedBy }) => endsDrainedBy === drainer).map(nameOf);
    return `by ${drainer} in ${theirs.join(', ')}`;
  });
  return parts.length === 0
    ? ''
    : hanging(page, '', `What ends outside rolls is drained ${parts.join('; ')}.`);
}

function whyOf(status: GroupStatus): string {
  const because = unsaid(status);
  return because === undefined ? status.reason : `${status.reason}; ${because}`;
}

/** How much a roll would replace. */
export function summary(groups: readonly GroupStatus[]): string {
  const rolled = groups.filter(isRolled);
  const left = ({ course, instances }: GroupStatus) =>
    (course === 'abort' ? 0 : instances.drifted) + instances.detached;
  const outdated = rolled.reduce((sum, each) => sum + left(each), 0);
  const paused = groups.reduce((sum, each) => sum + leftWhilePaused(each), 0);
  if (rolled.length === 0 && paused > 0)
    return `Nothing to roll until a pause ends: ${countOf(paused, 'instance')} then.`;
  if (rolled.length === 0) return groups.some(isStillToWindUp) ? NOT_YET : 'Nothing to roll.';
  // Nothing takes the place of what a roll that goes back has detached.
  const what = rolled.some(({ course }) => course !== undefined) ? 'To end' : 'To replace';
  const detached = rolled.reduce((sum, { instances }) => sum + instances.detached, 0);
  const all = `${what}: ${countOf(outdated, 'instance')} in ${countOf(rolled.length, 'group')}${detachedText(detached, outdated)}.`;
  const together = rolled.length > 1 ? togetherText(rolled) : undefined;
  return together === undefined ? all : `${all}\n${together}`;
}

/** They are no members any more: with the members to replace they may be more than the group has. */
function detachedText(detached: number, all: number): string {
  if (detached === 0) return '';
  return detached === all ? ', detached already' : `, ${detached} of them detached already`;
}

/** An order such as `skip` has ended its roll, which the function winds up at its next look. */
export function isStillToWindUp({ code }: Pick<GroupStatus, 'code'>): boolean {
  return code === 'roll-over';
}

const NOT_YET =
  'Nothing to roll yet: the last roll was called off and is not wound up yet. `ecs-ami-deploy roll` does that first, then begins another if there is one to begin.';

/** Clusters roll side by side, groups of one after another unless `GROUP_CONCURRENCY` says otherwise. */
function togetherText(rolled: readonly GroupStatus[]): string | undefined {
  const forecasts = rolled.flatMap(({ forecast }) => forecast ?? []);
  // With windows that are too short it takes days more.
  if (forecasts.length < rolled.length || forecasts.some(({ waits }) => waits)) return undefined;
  const clusters = new Map<string, number>();
  for (const { cluster, forecast } of rolled)
    clusters.set(cluster, (clusters.get(cluster) ?? 0) + (forecast?.seconds.most ?? 0));
  const hours = (bound: 'least' | 'most') =>
    forecasts.reduce((sum, { instanceHours }) => sum + instanceHours[bound], 0);
  const most = Math.max(...clusters.values());
  const extra = rangeText({ least: hours('least'), most: hours('most') }, 1);
  return `Together at most ${durationText({ least: most, most })} if all goes well, and ${extra} instance-hours.`;
}
