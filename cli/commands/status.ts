import { createAws } from '../../lambda/aws/clients.ts';
import { explain } from '../../lambda/aws/errors.ts';
import type { Range, WindowWaits } from '../../lambda/core/model/forecast.ts';
import { CLUSTER_ITSELF, type OutdatedInstance } from '../../lambda/core/result.ts';
import { type GroupStatus, type ImageFacts, withImages, withoutImages } from '../../lambda/status/images.ts';
import { countOf, durationText, servicesText, standingText } from '../../lambda/status/words.ts';
import { colored, colorsOf, hanging, table, underHeadings } from '../layout.ts';
import { type LookResult, type ReadOptions, read } from '../read.ts';
import type { Exit, Page, Terminal } from '../session.ts';
import { exitFor, json, oneLine, timeText } from '../text.ts';
import { watching } from '../watch.ts';

export interface StatusOptions extends ReadOptions {
  /** Seconds between two looks. */
  readonly watch?: number;
}

/** Which image each group runs, how old it is, and what is outdated. */
export function status(
  options: StatusOptions,
  terminal: Terminal,
  clusters: readonly string[],
): Promise<Exit> {
  return watching(options, terminal, async (shown) => {
    const found = await read({ action: 'status', clusters, force: false }, options, shown);
    const groups = await described(found, shown);
    const page = { color: shown.color, columns: shown.columns, wide: options.wide ?? false };
    const text = options.json ? json({ ...found, groups }) : statusText(groups, page);
    return { text, exit: exitFor(groups) };
  });
}

export async function described({ groups }: LookResult, terminal: Terminal): Promise<GroupStatus[]> {
  try {
    return await terminal.waiting('reading images', () => withImages(createAws(), groups, new Date()));
  } catch (error) {
    terminal.note(
      `Names and ages of images are missing, as they can't be read from here: ${oneLine(explain(error))}`,
    );
    return withoutImages(groups);
  }
}

const GROUPS = { drops: 'NAME', cuts: ['IMAGE'] } as const;

/** In two lines how it stands, the table of groups by cluster, and below it what a row has no room for. */
export function statusText(found: readonly GroupStatus[], page: Page): string {
  const groups = found.map(asItEnded);
  const head = ['GROUP', 'STATE', 'INSTANCES', 'IMAGE', 'NAME', 'AGE', 'BEHIND'];
  const named = groups.filter(({ group }) => group !== CLUSTER_ITSELF);
  const rows = underHeadings(named, (each) => rowsOf(each, page));
  const parts = rows.length > 0 ? [table(page, head, rows, GROUPS)] : [];
  return [standing(groups, page), ...parts, ...groups.map((each) => detailsOf(each, page))].join('\n\n');
}

/** A roll that was skipped before it began ends as `aborted`. */
function asItEnded(status: GroupStatus): GroupStatus {
  const { state, course, because } = status;
  const isSkipped = state === 'aborted' && course === undefined && because !== undefined;
  return isSkipped ? { ...status, state: 'skipped' } : status;
}

function standing(groups: readonly GroupStatus[], { wide }: Page): string {
  const named = groups.filter(({ group }) => group !== CLUSTER_ITSELF);
  const whole = groups.filter((each) => !named.includes(each));
  const left = groups.reduce((sum, { instances }) => sum + instances.drifted + instances.detached, 0);
  const total = groups.reduce((sum, { instances }) => sum + instances.total, 0);
  const hint = left > 0 && !wide ? '; --wide lists them' : '';
  const counted = [...statesText(named, 'group'), ...statesText(whole, 'cluster')].join('; ');
  return named.length === 0
    ? counted
    : `${counted}\n${countOf(total, 'instance')}: ${standingText(groups)}${hint}`;
}

/** `2 groups: 1 planned, 1 up-to-date`; nothing if there are none. */
function statesText(groups: readonly GroupStatus[], noun: string): string[] {
  const states = new Map<string, number>();
  for (const { state } of groups) states.set(state, (states.get(state) ?? 0) + 1);
  const counts = [...states].map(([state, count]) => `${count} ${state}`);
  return counts.length === 0 ? [] : [`${countOf(groups.length, noun)}: ${counts.join(', ')}`];
}

/** A row for each image that members run: in the midst of a roll there are two. */
function rowsOf(status: GroupStatus, page: Page): string[][] {
  const { group, state, running } = status;
  const [first, ...others] = running;
  // What is left stands above, where there is room for it.
  const [far = ''] = standingText([status]).split(',');
  const whole = [group, colored(page, state), far];
  return [[...whole, ...imageCells(first)], ...others.map((image) => ['', '', '', ...imageCells(image)])];
}

function imageCells(image: GroupStatus['running'][number] | undefined): string[] {
  if (image === undefined) return ['-', '-', '-', '-'];
  const { imageId, name = '-', releasesBehind } = image;
  return [imageId, name, ageText(image), releasesBehind === undefined ? '-' : String(releasesBehind)];
}

export function ageText({ ageDays }: ImageFacts): string {
  return ageDays === undefined ? '-' : `${ageDays} d`;
}

/** Why it is so, what to know about it, and its outdated instances. */
function detailsOf(status: GroupStatus, page: Page): string {
  const { warnings = [], services, forecast, endsDrainedBy, ending = [] } = status;
  return [
    headOf(status, page),
    ...(services === undefined
      ? []
      : [hanging(page, '  services, daemons aside: ', servicesText(services), { indent: 4 })]),
    ...(forecast === undefined
      ? []
      : [`  left: ${durationText(forecast.seconds)} if all goes well${autoText(forecast.autoSeconds)}`]),
    ...(forecast?.waits === undefined ? [] : [hanging(page, '  ', waitsText(forecast.waits).trim())]),
    ...(endsDrainedBy === undefined
      ? []
      : [hanging(page, '  ', `what ends outside rolls is drained by ${endsDrainedBy}`)]),
    leftOutOf(status, page),
    ...ending.map((each) => hanging(page, '  ', each)),
    ...warnings.map((warning) => warningText(warning, page)),
    outdatedOf(status, page),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Beside what it takes as it is set. */
export function autoText(seconds: Range | undefined): string {
  return seconds === undefined ? '' : ` (${durationText(seconds)} with DRAIN_CONCURRENCY=auto)`;
}

/** What a surge costs that waits for windows. */
export function waitsText(waits: WindowWaits | undefined): string {
  if (waits === undefined) return '';
  const { windowSeconds: length, windows, instanceHours } = waits;
  return (
    ` Windows of ${durationText({ least: length, most: length })} are too short for that: for ${countOf(windows, 'more window')} ` +
    `the surge waits, at some ${Math.round(instanceHours)} more instance-hours. A smaller MAX_SURGE has fewer wait, and 0 none.`
  );
}

export function warningText(warning: string, page: Page): string {
  return hanging(page, '  warning: ', warning, { indent: 4, paint: colorsOf(page).yellow });
}

/** What is to become of a group, and why. */
export function headOf(status: GroupStatus, page: Page): string {
  const { reason, course } = status;
  const because = unsaid(status);
  const { bold } = colorsOf(page);
  return [
    hanging(page, nameOf(status), `: ${reason}`, { indent: 2, paint: bold }),
    ...(because === undefined ? [] : [hanging(page, `  ${course ?? 'because'}: `, because, { indent: 4 })]),
  ].join('\n');
}

/** Why a roll has stopped, unless its reason says that already: once it is over, it does. */
export function unsaid({ reason, because }: GroupStatus): string | undefined {
  return because !== undefined && reason.includes(because.replace(/^skipped: /, '')) ? undefined : because;
}

export function nameOf({ cluster, group }: Pick<GroupStatus, 'cluster' | 'group'>): string {
  return oneLine(group === CLUSTER_ITSELF ? cluster : `${cluster}/${group}`);
}

/**
 * Why members stay that run what others are replaced for, or nothing if none does. An answer counts them, and
 * says of none which it is.
 */
export function leftOutOf({ state, outdated, running }: GroupStatus, page: Page): string {
  if (state !== 'planned') return '';
  const old = outdated.filter(({ reasons }) => reasons.includes('image')).map(({ imageId }) => imageId);
  const counts = running
    .filter(({ imageId }) => old.includes(imageId))
    .map(({ imageId, instances }) => instances - outdated.filter((each) => each.imageId === imageId).length);
  // Outdated ones of a warm pool are no members.
  const count = counts.reduce((sum, left) => sum + Math.max(0, left), 0);
  if (count === 0) return '';
  const [run, their] =
    count === 1 ? ['runs an old image stays', 'its tag'] : ['run an old image stay', 'their tags'];
  const text = `${countOf(count, 'instance')} that ${run}: left out by ${their}, in Standby, or ending already`;
  return hanging(page, '  ', text, { indent: 4 });
}

/** A row for each instance that is outdated or still to drain, where they are listed; or nothing. */
export function outdatedOf({ outdated, inRoll = [] }: GroupStatus, page: Page): string {
  const members = new Set(outdated.map(({ instanceId }) => instanceId));
  const detached = inRoll.filter(({ role, instanceId }) => role === 'old' && !members.has(instanceId));
  if (outdated.length + detached.length === 0 || !page.wide) return '';
  const rows = [
    ...outdated.map((each) => [...cellsOf(each), each.reasons.join(', ')]),
    ...detached.map((each) => [...cellsOf(each), each.drainStartedAt === undefined ? 'detached' : 'drains']),
  ];
  return table(page, ['  INSTANCE', 'RUNS', 'LAUNCHED', detached.length > 0 ? 'WHY' : 'OUTDATED BY'], rows, {
    cuts: ['RUNS'],
  });
}

function cellsOf(each: Pick<OutdatedInstance, 'instanceId' | 'imageId' | 'launchedAt'>): string[] {
  return [`  ${each.instanceId}`, each.imageId, timeText(each.launchedAt)];
}
