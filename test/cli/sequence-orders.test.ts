import { describe, expect, it } from 'vitest';
import { followsFrom } from '../../cli/sequence/changes.ts';
import { type GivenOrder, makeOrder } from '../../cli/sequence/orders.ts';
import type { SequenceOrder } from '../../lambda/core/sequence/model.ts';
import { takeSequenceOrders } from '../../lambda/core/sequence/sequence-orders.ts';
import { orderIn, orderItem } from '../../lambda/sequence/memory-items.ts';
import { Fleet, LINE, releaseOf, sequenceOf, stageOf } from '../core/sequence/fleet.ts';

const [STAGING, PRODUCTION] = ['111111111111', '222222222222'] as const;
const [OLD, NEW] = [releaseOf(1), releaseOf(2)];

class AskedFleet extends Fleet {
  make(given: GivenOrder): SequenceOrder {
    const signature = { id: `order-${this.orders.length}`, by: 'ann', at: this.now };
    return makeOrder(given, signature, this.sequence, this.seen());
  }

  give(given: GivenOrder): SequenceOrder {
    const order = this.make(given);
    this.orders.push(order);
    return order;
  }

  followsFrom(given: GivenOrder): string[] {
    return followsFrom(this.make(given), this.sequence, this.seen(), this.now);
  }
}

/** The release is rolling in staging after half an hour, soaks after two, asks for production after four. */
function fleetAfter(hours: number): AskedFleet {
  const fleet = new AskedFleet(
    sequenceOf([
      stageOf('staging', STAGING, { soakHours: 2 }),
      stageOf('production', PRODUCTION, { soakHours: 2, beforeStage: 'approval' }),
    ]),
  );
  fleet.add(STAGING, 'web');
  for (const stack of ['a', 'b']) fleet.add(PRODUCTION, stack);
  fleet.publish(NEW);
  fleet.run(hours);
  return fleet;
}

describe('an order means something, or is refused with what it may be', () => {
  it.each<[string, number, GivenOrder, string]>([
    [
      'an unknown release',
      1,
      { kind: 'halt', release: 'x' },
      `the release was "x"; it may be ${OLD} or ${NEW}`,
    ],
    ['an unknown line', 1, { kind: 'halt', line: 'arm' }, `the line was "arm"; it may be ${LINE}`],
    ['nothing under way', 20, { kind: 'halt' }, 'no release is under way; name the one to halt'],
    ['nothing halted', 1, { kind: 'resume', release: NEW }, `the halted release was "${NEW}"; there is none`],
    [
      'an unknown stage',
      1,
      { kind: 'skip-soak', stage: 'prod' },
      'the stage was "prod"; it may be staging or',
    ],
    ['no soak', 1, { kind: 'skip-soak', stage: 'staging' }, 'no release soaks in staging'],
    ['no question', 1, { kind: 'approve', stage: 'production' }, 'production asks about no release'],
    [
      'another question',
      5,
      { kind: 'approve', stage: 'production', release: OLD },
      `the release asked about was "${OLD}"; it may be ${NEW}`,
    ],
    [
      'a newer release to go back to',
      5,
      { kind: 'revert', stage: 'staging', release: NEW },
      `the release before that of staging was "${NEW}"; it may be ${OLD}`,
    ],
    [
      'a stranger',
      1,
      { kind: 'leave-out', stack: 'c' },
      `the stack was "c"; it may be ${STAGING}#eu-west-1#web`,
    ],
    ['a name that no stack has', 1, { kind: 'leave-out', stack: `${STAGING}#Mars#web` }, 'the stack was'],
    [
      'an account of no stage',
      1,
      { kind: 'leave-out', stack: '9'.repeat(12).concat('#eu-west-1#x') },
      'the stack',
    ],
    ['nobody left out', 1, { kind: 'take-in', stack: 'a' }, 'the stack was "a"; there is none'],
  ])('%s', (_, hours, given, why) => {
    expect(() => fleetAfter(hours).make(given)).toThrow(why);
  });

  it('what it could have known before the first pass', () => {
    const fleet = fleetAfter(0);
    expect(() => fleet.make({ kind: 'halt' })).toThrow('the sequence knows no release yet');
  });

  it('a second one of the same', () => {
    const fleet = fleetAfter(1);
    fleet.give({ kind: 'expedite', release: NEW });
    expect(() => fleet.make({ kind: 'expedite', release: NEW })).toThrow('is expedited already');
    fleet.give({ kind: 'halt', release: NEW });
    expect(() => fleet.make({ kind: 'halt', release: NEW })).toThrow('is halted already');
    expect(() => fleet.make({ kind: 'expedite', release: NEW })).toThrow('is halted; resume it first');
    expect(fleet.make({ kind: 'halt', release: NEW, isNow: true })).toMatchObject({ isNow: true });
    expect(fleet.make({ kind: 'resume', release: NEW })).toMatchObject({ kind: 'resume' });
  });

  it.each<[number, GivenOrder]>([
    [1, { kind: 'halt' }],
    [1, { kind: 'halt', release: NEW, isNow: true, line: LINE }],
    [1, { kind: 'expedite', release: NEW }],
    [2, { kind: 'skip-soak', stage: 'staging' }],
    [5, { kind: 'approve', stage: 'production' }],
    [5, { kind: 'revert', stage: 'staging', release: OLD }],
    [5, { kind: 'leave-out', stack: 'a' }],
    [5, { kind: 'leave-out', stack: `${PRODUCTION}#us-east-1#to-come` }],
  ])('after %d hours the next pass takes %j, as its item has it', (hours, given) => {
    const fleet = fleetAfter(hours);
    const order = fleet.make(given);
    expect(orderIn(orderItem(order))).toEqual(order);
    const names = fleet.sequence.stages.map(({ name }) => name);
    expect(takeSequenceOrders(fleet.state, [order], names, fleet.now).refused).toEqual([]);
  });

  it('a stack by its name alone, where no other has it', () => {
    const fleet = fleetAfter(1);
    fleet.add(STAGING, 'a');
    fleet.run(1);
    expect(() => fleet.make({ kind: 'leave-out', stack: 'a' })).toThrow('there are several; name');
    fleet.give({ kind: 'leave-out', stack: 'b' });
    expect(fleet.make({ kind: 'take-in', stack: 'b' })).toMatchObject({
      member: { account: PRODUCTION, region: 'eu-west-1', stack: 'b' },
    });
    expect(() => fleet.make({ kind: 'leave-out', stack: `${PRODUCTION}#eu-west-1#b` })).toThrow(
      'the stack was',
    );
  });
});

describe('what follows from an order', () => {
  it('is what the next pass would do by it', () => {
    expect(fleetAfter(1).followsFrom({ kind: 'halt', isNow: true })).toEqual([
      `staging, ${LINE}: halted ${NEW}, waits for a newer release, or a resume: ann says so`,
      `${STAGING}#eu-west-1#web: stops its roll onto ${NEW} at the next batch`,
    ]);
    expect(fleetAfter(5).followsFrom({ kind: 'approve', stage: 'production' })).toEqual([
      expect.stringContaining(`production, ${LINE}: rolling ${NEW}`),
      `${PRODUCTION}#eu-west-1#a: may roll onto ${NEW}`,
    ]);
  });

  it('may be nothing at once', () => {
    expect(fleetAfter(1).followsFrom({ kind: 'leave-out', stack: 'a' })).toEqual([]);
  });

  it('is that a stack begins no further roll', () => {
    const fleet = fleetAfter(0.5);
    expect(fleet.followsFrom({ kind: 'halt' })[1]).toBe(
      `${STAGING}#eu-west-1#web: begins no further roll of ${LINE}`,
    );
  });

  it('is the way back, for those that accept it', () => {
    const fleet = fleetAfter(5);
    for (const member of fleet.members) member.acceptsRevert = true;
    fleet.run(0.5);
    const order = { kind: 'revert', stage: 'staging', release: OLD } as const;
    expect(fleet.followsFrom(order)).toContain(`${STAGING}#eu-west-1#web: may go back to ${OLD}`);
  });
});
