import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberKey, type Stage } from '../../../lambda/core/sequence/model.ts';
import { stateIn, stateItem } from '../../../lambda/sequence/memory-items.ts';
import { Fleet, type FleetMember, LINE, releaseOf, sequenceOf, stageOf } from './fleet.ts';

const ACCOUNTS = ['111111111111', '222222222222', '333333333333'] as const;

/** In a whole run; a sample of them in a hurry. */
const FLEETS = process.env.SAMPLE ? 100 : 400;

const anyStage = fc.record({
  maxConcurrent: fc.integer({ min: 1, max: 3 }),
  tolerate: fc.integer({ min: 0, max: 2 }),
  completeWithinHours: fc.integer({ min: 4, max: 30 }),
  soakHours: fc.integer({ min: 0, max: 20 }),
  first: fc.constantFrom<readonly string[] | undefined>(undefined, ['s1', 's3']),
  beforeStage: fc.constantFrom(undefined, 'approval' as const),
});

const anyMember = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  region: fc.constantFrom('eu-west-1', 'us-east-1'),
  rollHours: fc.integer({ min: 1, max: 9 }),
  fails: fc.constantFrom<readonly number[]>([], [], [], [2], [3], [2, 3]),
  acceptsRevert: fc.boolean(),
});

const anyEvent = fc.record({
  what: fc.constantFrom(
    ...([
      'none',
      'none',
      'none',
      'publish',
      'withdraw',
      'late',
      'vain',
      'flapping',
      'gone',
      'announced',
      'wordy',
      'order',
      'order',
    ] as const),
  ),
  order: fc.constantFrom(
    ...(['halt', 'resume', 'expedite', 'skip-soak', 'approve', 'revert', 'leave-out', 'take-in'] as const),
  ),
  who: fc.nat(7),
  day: fc.integer({ min: 1, max: 9 }),
  stage: fc.nat(2),
  isNow: fc.boolean(),
  passes: fc.constantFrom(0, 1, 1, 1, 2),
});

const anyFleet = fc.record({
  stages: fc.array(anyStage, { minLength: 1, maxLength: 3 }),
  members: fc.array(anyMember, { minLength: 1, maxLength: 8 }),
  events: fc.array(anyEvent, { minLength: 10, maxLength: 60 }),
});

type AnyFleet = typeof anyFleet extends fc.Arbitrary<infer T> ? T : never;
type AnyEvent = AnyFleet['events'][number];

function furnish({ stages, members }: AnyFleet): Fleet {
  const named = stages.map(({ first, beforeStage, ...each }, index): Stage => {
    const more = { ...each, ...(first && { first }), ...(beforeStage && { beforeStage }) };
    return stageOf(`stage-${index}`, ACCOUNTS[index] ?? '', { ...more, whenEmpty: 'pass' });
  });
  const fleet = new Fleet(sequenceOf(named));
  for (const [index, { fails, ...each }] of members.entries())
    fleet.add(each.account, `s${index}`, { ...each, fails: new Set(fails.map((day) => releaseOf(day))) });
  return fleet;
}

const END_OF_DAYS = new Date('9999-12-31T00:00:00Z');

function happen(fleet: Fleet, event: AnyEvent, flapping: Set<FleetMember>): void {
  const { what, order, who, day, stage, isNow } = event;
  const member = fleet.members[who % fleet.members.length];
  if (member === undefined) return;
  if (what === 'publish') fleet.publish(releaseOf(day));
  if (what === 'withdraw') fleet.publish(releaseOf(Math.max(1, day - 1)));
  if (what === 'late') member.newest.set(LINE, releaseOf(day));
  if (what === 'vain') member.rollsNothing = !member.rollsNothing;
  if (what === 'flapping') flapping.add(member);
  if (what === 'gone') member.isSilent = !member.isSilent;
  if (what === 'announced') Object.assign(member, { rollsNothing: true, beginsAt: END_OF_DAYS });
  if (what === 'wordy')
    member.failed.set(LINE, { release: releaseOf(day), at: fleet.now, why: '漢'.repeat(1000) });
  if (what === 'order') {
    const named = { kind: order, release: releaseOf(day), stage: `stage-${stage}`, member: member.name };
    fleet.order({ ...named, ...(order === 'halt' && isNow && { isNow }) });
  }
}

function checkSlots(fleet: Fleet, leftOut: ReadonlySet<FleetMember>): void {
  for (const { members, maxConcurrent, tolerate } of fleet.sequence.stages) {
    const own = fleet.members.filter((each) => members.some(({ account }) => account === each.name.account));
    const rolling = own.filter((each) => each.rolling.size > 0 && !leftOut.has(each));
    expect(rolling.length).toBeLessThanOrEqual(Math.min(maxConcurrent, tolerate + 1));
  }
}

test('whatever is ordered and whoever misleads it, it goes on once they rest, or says what it waits for', () => {
  fc.assert(
    fc.property(anyFleet, (any) => {
      const fleet = furnish(any);
      const flapping = new Set<FleetMember>();
      const everLeftOut = new Set<FleetMember>();
      for (const event of any.events) {
        for (const each of flapping) {
          const allowed = fleet.allowances.get(memberKey(each.name))?.lines.get(LINE)?.release;
          each.hindered = (allowed ?? '') > (each.runs.get(LINE) ?? '') ? 'does not fit' : undefined;
        }
        fleet.speak();
        happen(fleet, event, flapping);
        const member = fleet.members[event.who % fleet.members.length];
        if (member && event.what === 'order' && event.order === 'leave-out') everLeftOut.add(member);
        for (let pass = 0; pass < event.passes; pass++) fleet.pass();
        checkSlots(fleet, everLeftOut);
        const item = stateItem(fleet.state, 1);
        expect(stateIn(item)).toEqual(fleet.state);
        expect(Buffer.byteLength(item.body)).toBeLessThan(310_000);
        fleet.wait(1);
      }
      for (const member of fleet.members) {
        const rested = { isSilent: false, rollsNothing: false, hindered: undefined, beginsAt: undefined };
        Object.assign(member, rested);
        fleet.order({ kind: 'take-in', member: member.name });
      }
      const last = releaseOf(10);
      fleet.publish(last);
      for (let hour = 0; hour < 500; hour++) {
        fleet.speak();
        fleet.pass();
        for (const { phase, stage, release } of fleet.last?.views ?? [])
          if (phase === 'asking') fleet.order({ kind: 'approve', stage, release });
        fleet.wait(1);
      }
      const [first] = fleet.sequence.stages;
      for (const { phase, waitsFor } of fleet.last?.views ?? [])
        expect(phase === 'qualified' || waitsFor !== '').toBe(true);
      if (first === undefined) return;
      const ofStages = fleet.members.filter(({ name }) =>
        fleet.sequence.stages.some(({ members }) => members.some(({ account }) => account === name.account)),
      );
      expect(ofStages.map(({ runs }) => runs.get(LINE))).toEqual(ofStages.map(() => last));
    }),
    { numRuns: FLEETS },
  );
});
