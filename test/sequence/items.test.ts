import { describe, expect, test } from 'vitest';
import type { TableItem as Item } from '../../lambda/aws/sequence-table.ts';
import { PARTITIONS } from '../../lambda/contract.ts';
import type { MemberStatus, SequenceOrder } from '../../lambda/core/sequence/model.ts';
import { allowanceIn, allowanceItem, statusIn, statusItem } from '../../lambda/sequence/items.ts';
import { orderIn, orderItem, stateIn, stateItem } from '../../lambda/sequence/memory-items.ts';
import { Fleet, LINE, releaseOf, sequenceOf, stageOf } from '../core/sequence/fleet.ts';

function advanced(): Fleet {
  const fleet = new Fleet(
    sequenceOf([stageOf('staging', '111111111111'), stageOf('production', '222222222222')]),
  );
  fleet.add('111111111111', 'web', { fails: new Set([releaseOf(3)]), alarmSince: new Date(0) });
  fleet.add('222222222222', 'web');
  fleet.publish(releaseOf(2));
  fleet.run(60);
  fleet.publish(releaseOf(3));
  fleet.run(10);
  return fleet;
}

/** As the table gives it back. */
const stored = (item: Item): Item => JSON.parse(JSON.stringify(item));

describe('what is written is read again as it was', () => {
  test('the state of a sequence, what members say, and what they may', () => {
    const fleet = advanced();
    expect(fleet.state.lines.get(LINE)?.halts).toHaveLength(1);
    expect(stateIn(stored(stateItem(fleet.state, 3)))).toEqual(fleet.state);
    for (const status of fleet.statuses.values())
      expect(statusIn(stored(statusItem(status)))).toEqual(status);
    for (const { name } of fleet.members) {
      const allowance = fleet.allowances.get(`${name.account}#${name.region}#${name.stack}`);
      if (allowance === undefined) throw new Error('nothing is allowed');
      expect(allowanceIn(stored(allowanceItem(name, allowance)))).toEqual(allowance);
    }
  });

  test('each kind of order', () => {
    const given = { id: 'a', by: 'ann', at: new Date('2026-02-01T00:00:00Z') };
    const member = { account: '111111111111', region: 'eu-west-1', stack: 'web' };
    const orders: SequenceOrder[] = [
      { ...given, kind: 'halt', isNow: true },
      { ...given, kind: 'halt', release: 'r', line: LINE },
      { ...given, kind: 'resume', release: 'r' },
      { ...given, kind: 'expedite', release: 'r' },
      { ...given, kind: 'skip-soak', stage: 's' },
      { ...given, kind: 'approve', stage: 's', release: 'r' },
      { ...given, kind: 'revert', stage: 's', release: 'r' },
      { ...given, kind: 'leave-out', member },
      { ...given, kind: 'take-in', member },
    ];
    for (const order of orders) expect(orderIn(stored(orderItem(order)))).toEqual(order);
  });
});

describe('what a stranger writes', () => {
  const [status] = advanced().statuses.values();
  const good = statusItem(status as MemberStatus);

  test.each<[string, Partial<Item>]>([
    ['is no JSON', { body: 'x' }],
    ['has no lines', { body: '{}' }],
    ['is endless', { body: `${good.body}${' '.repeat(200_000)}` }],
    [
      'names more lines than there are',
      { body: good.body.replace('"lines":[', `"lines":[${manyLines(60)}`) },
    ],
    ['has a newline in a release', { body: good.body.replaceAll('al2023', 'al\\n2023') }],
    ['has a release that EC2 takes for any', { body: good.body.replaceAll('al2023', '*') }],
    ['has a release of which EC2 takes any sign', { body: good.body.replaceAll('al2023', 'al202?') }],
    ['has a key of three parts', { sk: 'eu-west-1#web#more' }],
    ['has a key of one part', { sk: 'web' }],
    ['names an account that is none', { pk: PARTITIONS.status('me') }],
  ])('is unreadable where it %s, and says so', (_, wrong) => {
    expect(() => statusIn({ ...good, ...wrong })).toThrow(`${wrong.pk ?? good.pk} ${wrong.sk ?? good.sk}`);
  });

  test('is unreadable in few words, however much is wrong with it', () => {
    const lines = Array.from({ length: 4990 }, () => ({ value: 1 }));
    const body = JSON.stringify({ ...JSON.parse(good.body), lines });
    const thrown = (): unknown => {
      try {
        return statusIn({ ...good, body });
      } catch (error) {
        return error;
      }
    };
    expect(String(thrown()).length).toBeLessThan(1000);
  });

  test('speaks for no other account than that of its partition', () => {
    const liar = { ...JSON.parse(good.body), member: { account: '999999999999', region: 'x', stack: 'y' } };
    expect(statusIn({ ...good, body: JSON.stringify(liar) }).member).toEqual(status?.member);
  });
});

function manyLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `{"key":"line-${index}","value":{}},`).join('');
}
