import { createAws } from '../../lambda/aws/clients.ts';
import { explain } from '../../lambda/aws/errors.ts';
import { CLUSTER_ITSELF } from '../../lambda/core/result.ts';
import { type Read, type ReadOptions, read } from '../read.ts';
import { type GroupStatus, type ImageFacts, withImages, withoutImages } from '../releases.ts';
import { type Exit, seconds, type Terminal } from '../session.ts';
import { colored, colorsOf, exitFor, json, table, timeText } from '../text.ts';

export interface StatusOptions extends ReadOptions {
  /** Seconds between two looks. */
  readonly watch?: number;
}

/** Which image each group runs, how old it is, and what is outdated. */
export async function status(
  clusters: readonly string[],
  options: StatusOptions,
  terminal: Terminal,
): Promise<Exit> {
  for (;;) {
    const found = await read({ action: 'status', clusters, force: false }, options, terminal);
    const groups = await described(found, terminal);
    const text = options.json ? json({ ...found, groups }) : statusText(groups, terminal);
    if (options.watch === undefined) {
      terminal.out(text);
      return exitFor(groups);
    }
    if (options.json) terminal.out(text);
    else terminal.redraw(`${text}\n\n${watchLine(options.watch, terminal)}`);
    await seconds(options.watch);
  }
}

export async function described({ groups }: Read, terminal: Terminal): Promise<GroupStatus[]> {
  try {
    return await terminal.waiting('reading images', () => withImages(createAws(), groups, new Date()));
  } catch (error) {
    terminal.note(`Names and ages of images are missing, as they can't be read from here: ${explain(error)}`);
    return withoutImages(groups);
  }
}

function watchLine(every: number, terminal: Terminal): string {
  const now = new Date().toISOString().slice(11, 19);
  return colorsOf(terminal).dim(`${now}Z, again every ${every} s; Ctrl-C ends the watch, and nothing else`);
}

/** The table of groups, and below it what a row has no room for. */
export function statusText(groups: readonly GroupStatus[], terminal: Pick<Terminal, 'color'>): string {
  const head = ['CLUSTER', 'GROUP', 'STATE', 'OUTDATED', 'IMAGE', 'NAME', 'AGE', 'BEHIND'];
  const rows = groups
    .filter(({ group }) => group !== CLUSTER_ITSELF)
    .flatMap((each) => rowsOf(each, terminal));
  const parts = rows.length > 0 ? [table(terminal, head, rows)] : [];
  return [...parts, ...groups.map((each) => detailsOf(each, terminal))].join('\n\n');
}

/** A row for each image that members run: in the midst of a roll there are two. */
function rowsOf(status: GroupStatus, terminal: Pick<Terminal, 'color'>): string[][] {
  const { cluster, group, state, instances, running } = status;
  const [first, ...others] = running;
  const whole = [cluster, group, colored(terminal, state), `${instances.drifted} of ${instances.total}`];
  return [[...whole, ...imageCells(first)], ...others.map((image) => ['', '', '', '', ...imageCells(image)])];
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
export function detailsOf(status: GroupStatus, terminal: Pick<Terminal, 'color'>): string {
  const { bold, yellow } = colorsOf(terminal);
  const { cluster, group, reason, because, warnings = [], outdated } = status;
  const name = group === CLUSTER_ITSELF ? cluster : `${cluster}/${group}`;
  const rows = outdated.map(({ instanceId, imageId, launchedAt, reasons }) => [
    `  ${instanceId}`,
    imageId,
    timeText(launchedAt),
    reasons.join(', '),
  ]);
  return [
    `${bold(name)}: ${reason}`,
    ...(because === undefined ? [] : [`  because ${because}`]),
    ...warnings.map((warning) => `  ${yellow('warning:')} ${warning}`),
    ...(rows.length > 0 ? [table(terminal, ['  INSTANCE', 'RUNS', 'LAUNCHED', 'OUTDATED BY'], rows)] : []),
  ].join('\n');
}
