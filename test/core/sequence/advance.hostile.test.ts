import { describe, expect, test } from 'vitest';
import { memberKey } from '../../../lambda/core/sequence/model.ts';
import { lateIn } from '../../../lambda/core/sequence/tell.ts';
import { stateIn, stateItem } from '../../../lambda/sequence/memory-items.ts';
import { Fleet, type FleetMember, LINE, releaseOf, sequenceOf, stageOf } from './fleet.ts';

const [STAGING, PRODUCTION] = ['111111111111', '222222222222'] as const;
const ARM = 'amazon-linux-2023/arm64';
/** DynamoDB takes 400 KB, in which orders and stacks left out have to be, too. */
const ROOM = 310_000;

const allowedTo = (fleet: Fleet, { name }: FleetMember) =>
  fleet.allowances.get(memberKey(name))?.lines.get(LINE)?.release;

const runsOnly = (line: string, runs: string, newest: string) => ({
  runs: new Map([[line, runs]]),
  newest: new Map([[line, newest]]),
});

/** What the next pass would read. */
function remembered(fleet: Fleet): number {
  const item = stateItem(fleet.state, 1);
  stateIn(item);
  return Buffer.byteLength(item.body);
}

describe('what is remembered of a member that lies can be read again', () => {
  test('however long its words are', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
    const liar = fleet.add(STAGING, 'web');
    fleet.publish(releaseOf(2));
    fleet.run(1);
    liar.failed.set(LINE, { release: releaseOf(2), at: fleet.now, why: 'x'.repeat(1000) });
    fleet.run(1);
    expect(fleet.state.lines.get(LINE)?.halts).toHaveLength(1);
    expect(remembered(fleet)).toBeLessThan(ROOM);
  });

  test('however many lines it tells of: those of more accounts, and those known, have room first', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING), stageOf('production', PRODUCTION)]));
    fleet.add(STAGING, 'web');
    const late = fleet.add(PRODUCTION, 'web');
    const liars = Array.from({ length: 4 }, (_, index) => fleet.add(STAGING, `liar-${index}`));
    for (let hour = 0; hour < 20; hour++) {
      for (const [index, liar] of liars.entries()) {
        const told = Array.from({ length: 50 }, (_, line) => `a-${hour}-${index}-${line}`);
        liar.runs = new Map(told.map((line) => [line, `${line}-${'x'.repeat(100)}`]));
        liar.newest = new Map(liar.runs);
      }
      fleet.run(0.5);
    }
    expect(remembered(fleet)).toBeLessThan(ROOM);
    expect(fleet.last?.crowdedOut.length).toBeGreaterThan(0);
    fleet.publish(releaseOf(2));
    fleet.run(60);
    expect(late.runs.get(LINE)).toBe(releaseOf(2));
    expect(remembered(fleet)).toBeLessThan(ROOM);
  });

  test('however early it tells of them: those of an account that tells of few have room before', () => {
    const fleet = new Fleet(
      sequenceOf([stageOf('staging', STAGING, { members: [{ account: STAGING }, { account: PRODUCTION }] })]),
    );
    const late = fleet.add(STAGING, 'web');
    for (let index = 0; index < 4; index++) {
      const told = Array.from({ length: 50 }, (_, line) => `a-${index}-${line}`);
      const runs = new Map(told.map((line) => [line, 'r-1']));
      fleet.add(PRODUCTION, `liar-${index}`, { runs, newest: runs });
    }
    fleet.publish(releaseOf(2), LINE, [late]);
    fleet.run(4);
    expect(late.runs.get(LINE)).toBe(releaseOf(2));
  });

  test('however many releases it fails at', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
    const liar = fleet.add(STAGING, 'liar');
    for (let day = 100; day < 400; day++) {
      liar.newest.set(LINE, releaseOf(day));
      fleet.run(0.5);
      liar.failed.set(LINE, { release: releaseOf(day), at: fleet.now, why: 'x'.repeat(1000) });
      fleet.run(0.5);
    }
    expect(fleet.kinds().filter((kind) => kind === 'ReleaseHalted staging').length).toBeGreaterThan(200);
    expect(remembered(fleet)).toBeLessThan(ROOM);
  });

  test('in whichever script it writes, and in all of its lines at once', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING), stageOf('production', PRODUCTION)]));
    fleet.add(STAGING, 'web');
    const late = fleet.add(PRODUCTION, 'web');
    const lines = Array.from({ length: 20 }, (_, index) => `a-${index}`);
    const liar = fleet.add(STAGING, 'liar', { runs: new Map(lines.map((line) => [line, 'r-1'])) });
    for (let day = 10; day < 40; day++) {
      liar.newest = new Map(lines.map((line) => [line, `r-${day}`]));
      fleet.run(0.5);
      for (const line of lines)
        liar.failed.set(line, { release: `r-${day}`, at: fleet.now, why: '漢'.repeat(1000) });
      fleet.run(0.5);
      expect(remembered(fleet)).toBeLessThan(ROOM);
    }
    expect(fleet.last?.crowdedOut.length).toBeGreaterThan(0);
    fleet.publish(releaseOf(2));
    fleet.run(60);
    expect(late.runs.get(LINE)).toBe(releaseOf(2));
  });

  test('however many of its stacks have had a slot in vain, in however many lines', () => {
    const fleet = new Fleet(
      sequenceOf([
        stageOf('staging', STAGING, { maxConcurrent: 10, tolerate: 9 }),
        stageOf('production', PRODUCTION),
      ]),
    );
    fleet.add(STAGING, 'web');
    const late = fleet.add(PRODUCTION, 'web');
    const lines = Array.from({ length: 12 }, (_, index) => `a-${index}`);
    for (let index = 0; index < 100; index++)
      fleet.add(STAGING, `${'liar'.repeat(30)}-${index}`, {
        runs: new Map(lines.map((line) => [line, 'r-1'])),
        newest: new Map(lines.map((line) => [line, 'r-2'])),
        rollsNothing: true,
      });
    fleet.publish(releaseOf(2));
    const liars = fleet.members.filter(({ rollsNothing }) => rollsNothing);
    for (let pass = 0; pass < 70; pass++) {
      fleet.run(0.5);
      for (const liar of liars) {
        const has = [...(fleet.allowances.get(memberKey(liar.name))?.lines.values() ?? [])];
        liar.hindered = has.length > 0 ? '漢'.repeat(100) : undefined;
      }
    }
    expect(remembered(fleet)).toBeLessThan(ROOM);
    expect(late.runs.get(LINE)).toBe(releaseOf(2));
  });
});

describe('a member that has a slot in vain lets others go first', () => {
  const two = (more: Partial<FleetMember> = {}) => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING, { first: ['a'], maxConcurrent: 1 })]));
    const [first, second] = [fleet.add(STAGING, 'a', more), fleet.add(STAGING, 'b')];
    fleet.publish(releaseOf(2));
    return { fleet, first, second };
  };

  test('what hinders it shows only once it is allowed to begin', () => {
    const { fleet, first, second } = two();
    fleet.run(20, () => {
      first.hindered = allowedTo(fleet, first) === releaseOf(2) ? 'its image does not fit' : undefined;
    });
    expect(second.runs.get(LINE)).toBe(releaseOf(2));
    expect(fleet.viewOf('staging').waitsFor).toContain('#a had its turn: its image does not fit');
    // It is tried again, and rolls once it can.
    first.hindered = undefined;
    fleet.run(4);
    expect(first.runs.get(LINE)).toBe(releaseOf(2));
  });

  test('it says that it can, and does not begin for hours', () => {
    const { fleet, second } = two({ rollsNothing: true });
    fleet.run(5);
    expect(second.runs.get(LINE)).toBe(releaseOf(1));
    fleet.run(6);
    expect(second.runs.get(LINE)).toBe(releaseOf(2));
    expect(fleet.viewOf('staging').waitsFor).toContain('#a had its turn: has not begun for 6 hours');
  });

  test('but a roll that it has announced for later may wait until then', () => {
    const { fleet, first, second } = two({ rollsNothing: true });
    first.beginsAt = new Date(fleet.now.getTime() + 20 * 3_600_000);
    fleet.run(20);
    expect(allowedTo(fleet, first)).toBe(releaseOf(2));
    expect(fleet.viewOf('staging').waitsFor).toContain('#a has announced that it begins at 2026-02-01T20:00');
    first.rollsNothing = false;
    fleet.run(6);
    expect(fleet.beginnings.map(({ key }) => key)).toEqual(
      [first, second].map(({ name }) => memberKey(name)),
    );
  });
});

test('a roll announced for the end of days keeps nobody longer than the stage takes', () => {
  const fleet = new Fleet(
    sequenceOf([stageOf('staging', STAGING, { maxConcurrent: 1, completeWithinHours: 24 })]),
  );
  fleet.add(STAGING, 'a', { rollsNothing: true, beginsAt: new Date('9999-01-01T00:00:00Z') });
  const other = fleet.add(STAGING, 'b');
  fleet.publish(releaseOf(2));
  fleet.run(24);
  expect(other.runs.get(LINE)).toBe(releaseOf(1));
  fleet.run(12);
  expect(other.runs.get(LINE)).toBe(releaseOf(2));
});

test('a roll that does not end keeps its place, and those who are late by it are counted to the end', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING, { maxConcurrent: 1 })]));
  for (const stack of ['a', 'b', 'c']) fleet.add(STAGING, stack, { rollHours: stack === 'b' ? 9999 : 1 });
  fleet.publish(releaseOf(2));
  fleet.run(100);
  expect(fleet.viewOf('staging').phase).toBe('qualified');
  expect(lateIn(fleet.viewOf('staging')).late).toEqual(
    ['b', 'c'].map((each) => `${STAGING}#eu-west-1#${each}`),
  );
});

test('whoever rolls counts, with a slot or without one', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING, { maxConcurrent: 1 })]));
  const outside = fleet.add(STAGING, 'a');
  fleet.add(STAGING, 'b');
  outside.rolling.set(LINE, { release: releaseOf(2), until: fleet.now.getTime() + 9 * 3_600_000 });
  fleet.publish(releaseOf(2));
  fleet.run(12, () => {
    expect(fleet.members.filter(({ rolling }) => rolling.size > 0).length).toBeLessThan(2);
  });
});

test('what one member went back from is not taken for withdrawn, as it does not look meanwhile', () => {
  const fleet = new Fleet(
    sequenceOf([stageOf('staging', STAGING, { tolerate: 1 }), stageOf('production', PRODUCTION)]),
  );
  const first = fleet.add(STAGING, 'web');
  fleet.add(PRODUCTION, 'web');
  fleet.run(60);
  first.newest.set(LINE, releaseOf(2));
  fleet.run(1);
  first.newest.delete(LINE);
  fleet.run(0.5);
  expect(first.rolling.size).toBe(1);
  expect(fleet.viewOf('staging').phase).toBe('rolling');
});

test('who is left out may begin nothing that it was allowed before', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
  const member = fleet.add(STAGING, 'web');
  fleet.publish(releaseOf(2));
  fleet.run(0.5);
  expect(allowedTo(fleet, member)).toBe(releaseOf(2));
  fleet.order({ kind: 'leave-out', member: member.name });
  fleet.pass();
  expect(allowedTo(fleet, member)).toBeUndefined();
});

test('a stage goes back by order, never forward past the stages before it', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING), stageOf('production', PRODUCTION)]));
  fleet.add(STAGING, 'web');
  const member = fleet.add(PRODUCTION, 'web', { acceptsRevert: true });
  fleet.run(60);
  fleet.publish(releaseOf(2));
  fleet.run(3);
  fleet.order({ kind: 'revert', stage: 'production', release: releaseOf(2) });
  expect(fleet.pass().refused).toHaveLength(1);
  fleet.run(5);
  expect(member.runs.get(LINE)).toBe(releaseOf(1));
});

describe('a line that no member of the first stage runs', () => {
  const without = (whenEmpty: 'hold' | 'pass') => {
    const fleet = new Fleet(
      sequenceOf([stageOf('staging', STAGING, { whenEmpty }), stageOf('production', PRODUCTION)]),
    );
    fleet.add(STAGING, 'web');
    const member = fleet.add(PRODUCTION, 'web', runsOnly(ARM, releaseOf(1, 'arm64'), releaseOf(2, 'arm64')));
    fleet.run(120);
    return { fleet, member };
  };

  test('holds, says so, and sets off that the stage starves', () => {
    const { fleet, member } = without('hold');
    expect(member.runs.get(ARM)).toBe(releaseOf(1, 'arm64'));
    expect(fleet.viewOf('staging', ARM)).toMatchObject({
      phase: 'idle',
      isStarved: true,
      waitsFor: 'no member of staging runs it: see whenEmpty',
    });
    expect(fleet.viewOf('production', ARM).waitsFor).toBe('a release that is through staging');
    expect(fleet.events).toContainEqual(expect.objectContaining({ kind: 'StageStarved', line: ARM }));
  });

  test('goes on where an empty stage passes', () => {
    const { member } = without('pass');
    expect(member.runs.get(ARM)).toBe(releaseOf(2, 'arm64'));
  });
});

test('a first stage that takes one release after the other and gets none through starves', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING, { quorum: 2, completeWithinHours: 24 })]));
  fleet.add(STAGING, 'web');
  for (let day = 2; day < 7; day++) {
    fleet.publish(releaseOf(day));
    fleet.run(24);
  }
  expect(fleet.kinds().filter((kind) => kind === 'StageStarved staging')).toHaveLength(1);
  expect(fleet.viewOf('staging').isStarved).toBe(true);
});

describe('a halt holds', () => {
  test('for the same release in another line, which is the same image', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
    fleet.add(STAGING, 'a', { fails: new Set([releaseOf(2)]) });
    fleet.add(STAGING, 'b', { ...runsOnly('al2023-*', releaseOf(1), releaseOf(1)), hindered: 'is paused' });
    fleet.publish(releaseOf(2));
    fleet.publish(releaseOf(2), 'al2023-*');
    fleet.run(10);
    expect(fleet.state.lines.get('al2023-*')?.halts).toMatchObject([{ release: releaseOf(2) }]);
    fleet.order({ kind: 'resume', release: releaseOf(2), line: 'al2023-*' });
    fleet.run(10);
    expect(fleet.state.lines.get('al2023-*')?.halts).toEqual([]);
  });

  test('at once for another architecture, too, even where that was halted before', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
    fleet.add(STAGING, 'a');
    fleet.add(STAGING, 'b', {
      ...runsOnly(ARM, releaseOf(1, 'arm64'), releaseOf(2, 'arm64')),
      rollHours: 50,
    });
    fleet.publish(releaseOf(2));
    fleet.run(2);
    fleet.order({ kind: 'halt', release: releaseOf(2) });
    fleet.run(2);
    expect(fleet.viewOf('staging', ARM).phase).toBe('halted');
    fleet.order({ kind: 'halt', release: releaseOf(2), isNow: true });
    fleet.run(2);
    expect(fleet.state.lines.get(ARM)?.halts).toMatchObject([{ isNow: true }]);
  });

  test('and nobody is asked about what is halted', () => {
    const fleet = new Fleet(
      sequenceOf([
        stageOf('staging', STAGING),
        stageOf('production', PRODUCTION, { beforeStage: 'approval' }),
      ]),
    );
    fleet.add(STAGING, 'web');
    fleet.add(PRODUCTION, 'web');
    fleet.publish(releaseOf(2));
    fleet.run(60);
    expect(fleet.viewOf('production').phase).toBe('asking');
    fleet.order({ kind: 'halt', release: releaseOf(2) });
    fleet.run(1);
    expect(fleet.viewOf('production').phase).toBe('idle');
  });

  test('while what had qualified before goes on', () => {
    const fleet = new Fleet(
      sequenceOf([
        stageOf('staging', STAGING, { soakHours: 1 }),
        stageOf('production', PRODUCTION, { soakHours: 100 }),
      ]),
    );
    fleet.add(STAGING, 'web');
    const member = fleet.add(PRODUCTION, 'web');
    for (const day of [2, 3, 4]) {
      fleet.publish(releaseOf(day));
      fleet.run(10);
    }
    fleet.order({ kind: 'halt', release: releaseOf(4) });
    fleet.run(120);
    expect(member.runs.get(LINE)).toBe(releaseOf(3));
  });
});

describe('names that say nothing of their order', () => {
  test('are in that of what runs and what would be chosen, where both are told of at once', () => {
    const golden = 'golden-*/x86_64';
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
    const [old, between, fresh] = ['golden-9f2a51', 'golden-5f2a52', 'golden-1f2a53'] as const;
    const ahead = fleet.add(STAGING, 'a', runsOnly(golden, between, fresh));
    const behind = fleet.add(STAGING, 'b', runsOnly(golden, old, between));
    fleet.speak();
    fleet.pass();
    expect(fleet.state.lines.get(golden)?.known.map(({ name }) => name)).toEqual([old, between, fresh]);
    expect(fleet.viewOf('staging', golden)).toMatchObject({ phase: 'rolling', release: fresh });
    expect(fleet.allowances.get(memberKey(ahead.name))?.lines.get(golden)?.release).toBe(fresh);
    expect(fleet.viewOf('staging', golden).waitsFor).toContain(memberKey(behind.name));
  });

  test('are in that of the first stage, whatever others say before', () => {
    const golden = 'golden-*/x86_64';
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING), stageOf('production', PRODUCTION)]));
    const [old, fresh] = ['golden-1f2a51', 'golden-9f2a53'] as const;
    fleet.add(STAGING, 'a', runsOnly(golden, old, old));
    const liar = fleet.add(PRODUCTION, 'liar', runsOnly(golden, fresh, old));
    const other = fleet.add(PRODUCTION, 'a', runsOnly(golden, old, old));
    fleet.run(120);
    liar.runs.set(golden, old);
    fleet.publish(fresh, golden);
    fleet.run(60);
    expect(other.runs.get(golden)).toBe(fresh);
  });

  test('an image that is gone is older than any release, whenever it is told of', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
    const member = fleet.add(STAGING, 'web', { hindered: 'is paused' });
    fleet.publish(releaseOf(2));
    fleet.run(1);
    member.runs.set(LINE, 'ami-0123456789abcdef0');
    fleet.run(1);
    expect(fleet.viewOf('staging')).toMatchObject({ phase: 'rolling', release: releaseOf(2) });
    expect(fleet.viewOf('staging').waitsFor).toContain('is paused');
  });
});
