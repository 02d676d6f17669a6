import { setTimeout as sleep } from 'node:timers/promises';
import type { Colors, Formatter } from 'picocolors/types.js';
import { sequenceText, standOf } from '../../cli/commands/sequence-status.ts';
import type { SequenceEvent } from '../../lambda/core/sequence/model.ts';
import { sequenceBusEvent } from '../../lambda/core/sequence/tell.ts';
import { parseSequence } from '../../lambda/settings/parse-sequence.ts';
import { type Stack, Stacks } from '../sequence/stacks.ts';
import { type Canvas, shorten } from './canvas.ts';
import type { RollOptions } from './options.ts';
import { timeOf } from './progress.ts';

const [STAGING, PRODUCTION] = ['111122223333', '444455556666'] as const;

/** As in docs/stages.md, but that nobody would watch a soak of a day. */
const SEQUENCE = {
  stages: [
    { name: 'staging', members: [{ account: STAGING }], soakHours: 0.5 },
    { name: 'production', members: [{ account: PRODUCTION }], soakHours: 0.5 },
  ],
};
/** Twice as long as it takes. */
const MOST_HOURS = 5;

export interface Audience {
  /** Hears what happens, a line each. */
  tell(line: string): void;
  readonly canvas: Pick<Canvas, 'columns' | 'colors'>;
}

/**
 * Three stacks in two stages: a bad image is halted in the first, a good one goes through both. All of it
 * happens in virtual time, by the code of both functions, and is told as fast as `speed` says.
 *
 * @returns what didn't go as it should, a sentence each
 */
export async function showStages(
  { speed }: Pick<RollOptions, 'speed'>,
  { tell, canvas: { columns, colors } }: Audience,
  signal: AbortSignal,
): Promise<string[]> {
  const stacks = new Stacks(parseSequence(JSON.stringify(SEQUENCE)));
  const members = membersOf(stacks);
  const names = new Map([...members].map(([name, { key }]) => [key, name]));
  const began = Date.now();
  let told = 0;

  async function say(hours: number, who: string, what: string, paint: Formatter = String): Promise<void> {
    await sleep(Math.max(0, began + (hours * 3_600_000) / speed - Date.now()), undefined, { signal });
    const before = `${timeOf(hours * 3600).padStart(7)}  ${who.padEnd(14)}  `;
    tell(paint(`${before}${shorten(what, columns - before.length)}`));
  }

  async function sayWhatHappened(): Promise<void> {
    for (const { hours, where, text } of stacks.told.slice(told)) {
      const [, does] = /^(?:act|finish): (.*)$/s.exec(text) ?? [];
      const name = names.get(where);
      if (does !== undefined && name !== undefined) await say(hours, name, does);
    }
    told = stacks.told.length;
    for (const event of stacks.last?.isNew ? stacks.last.events : []) {
      const { text } = sequenceBusEvent(event, new Date(stacks.clock.now()));
      await say(stacks.hours, 'sequence', text.replace(`, ${event.line}`, ''), paintOf(event, colors));
    }
  }

  async function showStatus(): Promise<void> {
    const { seen, unreadable } = await stacks.inTable();
    const now = new Date(stacks.clock.now());
    const found = standOf({ function: 'Stages', sequence: stacks.sequence, seen, unreadable, now });
    const text = sequenceText(found, { color: colors.isColorSupported, columns });
    tell(`\n${colors.bold('$ ecs-ami-deploy sequence status')}\n${text}\n`);
  }

  async function showUntil(stage: string, phase: string): Promise<void> {
    while (stacks.viewOf(stage)?.phase !== phase && stacks.hours < MOST_HOURS)
      await stacks.run(0.01, sayWhatHappened);
    await showStatus();
  }

  const bad = stacks.publish(undefined, { isBad: true });
  await say(stacks.hours, 'a bad image', `${bad}: no ECS agent comes up on it`, colors.bold);
  await showUntil('staging', 'halted');
  const good = stacks.publish();
  await say(stacks.hours, 'a good image', good, colors.bold);
  await showUntil('staging', 'soaking');
  await showUntil('production', 'qualified');
  return failuresOf(stacks, [...members.values()], bad, good);
}

/** By the names that they are shown by. */
function membersOf(stacks: Stacks): ReadonlyMap<string, Stack> {
  const environment = { CANARY: '1' };
  // In staging a member goes back: what has failed ends at once.
  const expectations = { isDue: () => true, endsMembers: true, inPlace: true };
  return new Map([
    ['staging/web', stacks.add({ account: STAGING, stack: 'web', environment, expectations })],
    ['production/api', stacks.add({ account: PRODUCTION, stack: 'api', environment })],
    ['production/web', stacks.add({ account: PRODUCTION, stack: 'web', environment })],
  ]);
}

function paintOf({ kind }: SequenceEvent, { red, green, cyan }: Colors): Formatter {
  return kind === 'ReleaseHalted' ? red : kind === 'ReleaseQualified' ? green : cyan;
}

function failuresOf(stacks: Stacks, members: readonly Stack[], bad: string, good: string): string[] {
  const [first] = members;
  const expected = [`${first?.key} ${bad}`, ...members.map(({ key }) => `${key} ${good}`)].join(', ');
  const begun = stacks.begun.map(({ key, release }) => `${key} ${release}`).join(', ');
  const behind = members.filter((each) => each.runs().join() !== good).map(({ key }) => key);
  return [
    ...(begun === expected ? [] : [`rolls were to begin as ${expected}, and began as ${begun}`]),
    ...(behind.length === 0 ? [] : [`${behind.join(' and ')} didn't get ${good}`]),
    ...brokenIn(stacks),
  ];
}

function brokenIn(stacks: Stacks): string[] {
  try {
    stacks.assertSound();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
