import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance } from '../../../lambda/core/sequence/advance.ts';
import { memberKey, type Stage } from '../../../lambda/core/sequence/model.ts';
import { Fleet, type FleetMember, LINE, releaseOf, sequenceOf, stageOf } from './fleet.ts';

const ACCOUNTS = ['111111111111', '222222222222', '333333333333'] as const;
const HOUR = 3_600_000;

/** In a whole run; a sample of them in a hurry. */
const FLEETS = process.env.SAMPLE ? 300 : 3_000;

const anyStage = fc.record({
  maxConcurrent: fc.integer({ min: 1, max: 4 }),
  tolerate: fc.integer({ min: 0, max: 2 }),
  completeWithinHours: fc.integer({ min: 4, max: 30 }),
  soakHours: fc.integer({ min: 0, max: 30 }),
  apart: fc.constantFrom(undefined, 'region' as const),
});

const anyMember = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  region: fc.constantFrom('eu-west-1', 'us-east-1'),
  rollHours: fc.integer({ min: 1, max: 9 }),
  fails: fc.constantFrom<readonly number[]>([], [], [], [2], [3], [2, 3]),
});

/** What happens in an hour, besides what always does. */
const anyTrouble = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ kind: 'none' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'publish' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('killed' as const), writes: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'twice' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'asleep' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('silent' as const), who: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hindered' as const), who: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('alarm' as const), who: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'halt' as const }) },
);

type Trouble = typeof anyTrouble extends fc.Arbitrary<infer T> ? T : never;

const anyFleet = fc.record({
  stages: fc.array(anyStage, { minLength: 1, maxLength: 3 }),
  members: fc.array(anyMember, { minLength: 1, maxLength: 8 }),
  troubles: fc.array(anyTrouble, { minLength: 10, maxLength: 60 }),
});

type AnyFleet = typeof anyFleet extends fc.Arbitrary<infer T> ? T : never;

function furnish({ stages, members }: AnyFleet): Fleet {
  const named = stages.map(
    ({ apart, ...each }, index): Stage =>
      stageOf(`stage-${index}`, ACCOUNTS[index] ?? '', {
        ...each,
        ...(apart && { apart }),
        whenEmpty: 'pass',
      }),
  );
  const fleet = new Fleet(sequenceOf(named));
  for (const [index, { account, region, rollHours, fails }] of members.entries())
    fleet.add(account, `s${index}`, {
      region,
      rollHours,
      fails: new Set(fails.map((day) => releaseOf(day))),
    });
  return fleet;
}

function suffer(fleet: Fleet, trouble: Trouble, published: { day: number }): void {
  const member = 'who' in trouble ? fleet.members[trouble.who % fleet.members.length] : undefined;
  switch (trouble.kind) {
    case 'publish':
      published.day = Math.min(published.day + 1, 9);
      fleet.publish(releaseOf(published.day));
      break;
    case 'killed':
      fleet.pass(trouble.writes);
      return;
    case 'twice':
      fleet.passTwice();
      return;
    case 'silent':
      if (member) member.isSilent = !member.isSilent;
      break;
    case 'hindered':
      if (member) member.hindered = member.hindered === undefined ? 'is paused' : undefined;
      break;
    case 'alarm':
      if (member) member.alarmSince = member.alarmSince === undefined ? fleet.now : undefined;
      break;
    case 'halt':
      fleet.order({ kind: 'halt' });
      break;
    case 'asleep':
      return;
    case 'none':
  }
  fleet.pass();
}

const stageOfMember = (fleet: Fleet, { name }: FleetMember) =>
  fleet.sequence.stages.find(({ members }) => members.some(({ account }) => account === name.account));

/** No more roll at once, or may have begun to, than a stage lets. */
function checkSlots(fleet: Fleet): void {
  for (const stage of fleet.sequence.stages) {
    const rolling = fleet.members.filter(
      (each) => each.rolling.size > 0 && stageOfMember(fleet, each) === stage,
    );
    expect(rolling.length).toBeLessThanOrEqual(Math.min(stage.maxConcurrent, stage.tolerate + 1));
    if (stage.apart === 'region')
      expect(new Set(rolling.map(({ name }) => name.region)).size).toBeLessThanOrEqual(1);
  }
}

/** Each began only what every stage before its own had qualified. */
function checkOrder(fleet: Fleet, qualifiedAt: ReadonlyMap<string, number>): void {
  const { stages } = fleet.sequence;
  for (const { key, release, at } of fleet.beginnings) {
    const member = fleet.members.find(({ name }) => memberKey(name) === key);
    const own = member && stageOfMember(fleet, member);
    if (own === undefined) throw new Error(`${key} is of no stage`);
    for (const { name } of stages.slice(0, stages.indexOf(own)))
      expect(qualifiedAt.get(`${name} ${release}`) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(
        at.getTime(),
      );
  }
}

describe('whatever happens to a fleet', () => {
  test('slots hold, stages come in order, soaks are whole, and nothing halted begins', () => {
    fc.assert(
      fc.property(anyFleet, (any) => {
        const fleet = furnish(any);
        const published = { day: 1 };
        const completedAt = new Map<string, number>();
        const qualifiedAt = new Map<string, number>();
        const acknowledged = new Map<string, number>();
        let told = 0;
        for (const trouble of any.troubles) {
          const before = fleet.beginnings.length;
          fleet.speak();
          for (const { key, release, generation } of fleet.beginnings.slice(before))
            expect(acknowledged.get(`${key} ${release}`) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(
              generation,
            );
          checkSlots(fleet);
          suffer(fleet, trouble, published);
          for (const each of fleet.events.slice(told)) {
            const about = `${each.stage ?? '*'} ${each.release}`;
            if (each.kind === 'StageCompleted') completedAt.set(about, fleet.now.getTime());
            if (each.kind !== 'ReleaseQualified') continue;
            qualifiedAt.set(about, qualifiedAt.get(about) ?? fleet.now.getTime());
            const stage = fleet.sequence.stages.find(({ name }) => name === each.stage);
            const soaked = fleet.now.getTime() - (completedAt.get(about) ?? Number.NaN);
            expect(soaked).toBeGreaterThanOrEqual((stage?.soakHours ?? 0) * HOUR);
          }
          told = fleet.events.length;
          const halted = fleet.state.lines.get(LINE)?.halts.map(({ release }) => release) ?? [];
          for (const [key, { lines, generation }] of fleet.allowances) {
            const allowed = lines.get(LINE)?.release;
            for (const release of halted)
              if (allowed !== release && !acknowledged.has(`${key} ${release}`))
                acknowledged.set(`${key} ${release}`, generation);
          }
          fleet.wait(1);
        }
        checkOrder(fleet, qualifiedAt);
      }),
      { numRuns: FLEETS },
    );
  });

  test('once calm, it gets on: all that can run the newest do, or it says who must act', () => {
    fc.assert(
      fc.property(anyFleet, (any) => {
        const fleet = furnish(any);
        const published = { day: 1 };
        for (const trouble of any.troubles.slice(0, 30)) {
          fleet.speak();
          suffer(fleet, trouble, published);
          fleet.wait(1);
        }
        for (const member of fleet.members) {
          member.isSilent = false;
          member.hindered = undefined;
          member.alarmSince = undefined;
        }
        const last = releaseOf(10);
        fleet.publish(last);
        for (let hour = 0; hour < 400; hour++) {
          fleet.speak();
          fleet.pass();
          fleet.wait(1);
        }
        const firstOnes = fleet.members.filter(
          (each) => stageOfMember(fleet, each) === fleet.sequence.stages[0],
        );
        // A first stage without members tells of no release at all.
        if (firstOnes.length === 0) return;
        for (const member of fleet.members)
          if (stageOfMember(fleet, member) !== undefined) expect(member.runs.get(LINE)).toBe(last);
        for (const { phase, waitsFor } of fleet.last?.views ?? [])
          expect(phase === 'qualified' || waitsFor !== '').toBe(true);
      }),
      { numRuns: FLEETS / 10 },
    );
  });

  test('a pass over what it has just decided decides nothing new', () => {
    fc.assert(
      fc.property(anyFleet, (any) => {
        const fleet = furnish(any);
        const published = { day: 1 };
        for (const trouble of any.troubles) {
          fleet.speak();
          suffer(fleet, trouble, published);
          const seen = fleet.seen();
          const first = advance(fleet.sequence, seen, fleet.now);
          const second = advance(fleet.sequence, { ...seen, ...first }, fleet.now);
          expect(second.events).toEqual([]);
          expect(second.state).toEqual(first.state);
          expect(second.allowances).toEqual(first.allowances);
          fleet.wait(1);
        }
      }),
      { numRuns: FLEETS / 20 },
    );
  });
});
