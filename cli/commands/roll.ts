import { faultOf } from '../../lambda/aws/faults.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { groupsIn } from '../answers.ts';
import { type DeployedFunction, FunctionBusy, invoke, send } from '../aws/functions.ts';
import { neededFunction } from '../deployed.ts';
import { demandRolled, rolledBy } from '../read.ts';
import { type ChangeOptions, confirm, EXIT, type Exit, seconds, type Terminal } from '../session.ts';
import { exitFor, json } from '../text.ts';
import { lastSaid, saidSince } from './logs.ts';
import { isRolled, isStillToWindUp, lookAhead, planText, summary } from './plan.ts';
import { described, nameOf, statusText } from './status.ts';

export interface RollOptions extends ChangeOptions {
  readonly force?: boolean;
  /** False: have it begin, and don't wait for its end. */
  readonly wait?: boolean;
  /** Also onto what the stack's sequence doesn't allow. */
  readonly outsideSequence?: boolean;
}

/** Between two tries to get the function's one slot. */
const BUSY_SECONDS = 15;

/** Begins rolls where there is something to roll, and waits for their end. */
export async function roll(
  options: RollOptions,
  terminal: Terminal,
  clusters: readonly string[],
): Promise<Exit> {
  const found = await neededFunction(options);
  await demandRolled(clusters, rolledBy(found));
  if (options.yes) await windUp(found, await statusOf(found, clusters, terminal), options, terminal);
  else {
    const look = async () => (await lookAhead(clusters, options, terminal)).groups;
    const before = await look();
    const groups = (await windUp(found, before, options, terminal)) ? await look() : before;
    terminal.note(planText(groups, terminal));
    if (!groups.some(isRolled)) return exitFor(groups);
    await confirm(`${summary(groups)} Roll now?`, options, terminal);
  }
  return carryOn(
    found,
    {
      action: 'roll',
      ...(options.force && { force: true }),
      ...(options.outsideSequence && { outsideSequence: true }),
    },
    clusters,
    options,
    terminal,
  );
}

/** How groups stand; none while the function is at work: it winds up what has ended by itself. */
async function statusOf(
  { name, arn }: DeployedFunction,
  clusters: readonly string[],
  terminal: Terminal,
): Promise<readonly GroupResult[]> {
  const look = { action: 'status', ...(clusters.length > 0 && { clusters }) };
  const groups = await terminal.waiting(`${name} is looking`, () => once(arn, look));
  return Array.isArray(groups) ? groups : [];
}

/**
 * Winds up what an order such as `skip` has ended: a roll that is asked for before that comes to nothing.
 *
 * @returns whether there was something
 */
async function windUp(
  found: DeployedFunction,
  groups: readonly Pick<GroupResult, 'cluster' | 'group' | 'code'>[],
  options: RollOptions,
  terminal: Terminal,
): Promise<boolean> {
  const over = groups.filter(isStillToWindUp);
  if (over.length === 0) return false;
  const names = over.map(nameOf).join(', ');
  const question = `The last roll of ${names} was called off and is not wound up yet. Do that first?`;
  await confirm(question, options, terminal);
  const among = [...new Set(over.map(({ cluster }) => cluster))];
  await untilDone(found, { action: 'continue', clusters: among }, terminal);
  return true;
}

/** Goes on with rolls that have begun, and waits for their end. */
export async function continueRolls(
  options: RollOptions,
  terminal: Terminal,
  clusters: readonly string[],
): Promise<Exit> {
  const found = await neededFunction(options);
  await demandRolled(clusters, rolledBy(found));
  await confirm('Go on with the rolls that have begun?', options, terminal);
  return carryOn(found, { action: 'continue' }, clusters, options, terminal);
}

async function carryOn(
  found: DeployedFunction,
  event: { readonly action: 'roll' | 'continue' },
  clusters: readonly string[],
  options: RollOptions,
  terminal: Terminal,
): Promise<Exit> {
  const some = clusters.length > 0 ? { clusters } : {};
  if (options.wait === false) {
    await send(found.arn, { ...event, ...some });
    const does = event.action === 'roll' ? ROLLS : 'goes on as soon as it is free with what has begun';
    terminal.note(`${found.name} ${does}. ${HOW_TO_FOLLOW}`);
    return EXIT.done;
  }
  const goesOn = `${found.name} goes on without this. ${HOW_TO_FOLLOW}`;
  const groups = await terminal.outlived(goesOn, () => untilDone(found, { ...event, ...some }, terminal));
  const shown = await described({ source: 'function', function: found.name, groups }, terminal);
  const text = shown.length === 0 ? 'No roll has begun.' : statusText(shown, terminal);
  terminal.out(options.json ? json({ function: found.name, groups: shown }) : text);
  return exitFor(groups);
}

/** It may be paused, say, or its image rejected: only a look tells. */
const ROLLS = 'rolls as soon as it is free what there is to roll; `plan` says what is not, and why';

const HOW_TO_FOLLOW =
  'See `ecs-ami-deploy status` and `logs --follow`; `pause`, `rollback` and `abort` stop it.';

/**
 * An invocation ends after 15 minutes at the latest, so this continues the rolls until none is under way. The
 * schedule does the same.
 *
 * @returns the latest result of each group
 */
function untilDone(found: DeployedFunction, first: object, terminal: Terminal): Promise<GroupResult[]> {
  return terminal.waiting(`${found.name} is rolling`, (say) =>
    saidSince(found, say, () => rolledOn(found, first, say)),
  );
}

async function rolledOn(
  found: DeployedFunction,
  first: object,
  say: (text: string) => void,
): Promise<GroupResult[]> {
  const { arn } = found;
  const results = new Map<string, GroupResult>();
  const isOpen = () => [...results.values()].some(({ state }) => state === 'in-progress');
  const goOn = { ...first, action: 'continue', force: undefined, outsideSequence: undefined };
  for (let event = first; ; ) {
    const answer = await once(arn, event);
    if (answer === undefined || answer === 'lost') {
      // Asked again, a roll that was forced would replace every instance once more.
      if (answer === 'lost' && 'force' in first) event = goOn;
      await sayBusy(found, say);
      continue;
    }
    event = goOn;
    // A roll that was open and isn't any more has ended elsewhere: how, a look shows.
    const isOver = answer.length === 0 && isOpen();
    const groups = isOver ? groupsIn(await invoke(arn, { ...goOn, action: 'status' })) : answer;
    for (const group of groups) results.set(`${group.cluster}/${group.group}`, group);
    if (!isOpen()) return [...results.values()];
  }
}

/** What it said before, such as how to approve, nobody here has heard. */
async function sayBusy(found: DeployedFunction, say: (text: string) => void): Promise<void> {
  const said = await lastSaid(found);
  say(`it is at work already${said === undefined ? '' : `: ${said}`}`);
  await seconds(BUSY_SECONDS);
}

/** Undefined if the function is busy. Where its answer got lost, it is at work, too, as it was asked. */
async function once(arn: string, event: object): Promise<GroupResult[] | 'lost' | undefined> {
  try {
    return groupsIn(await invoke(arn, event));
  } catch (error) {
    if (error instanceof FunctionBusy) return undefined;
    if (faultOf(error).kind !== 'unavailable') throw error;
    return 'lost';
  }
}
