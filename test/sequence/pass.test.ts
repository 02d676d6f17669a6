import { describe, expect, test } from 'vitest';
import { PARTITIONS } from '../../lambda/contract.ts';
import { memberKey } from '../../lambda/core/sequence/model.ts';
import { orderItem, STATE_KEY_IN_TABLE } from '../../lambda/sequence/memory-items.ts';
import { LINE, releaseOf, sequenceOf, stageOf } from '../core/sequence/fleet.ts';
import { AwsError } from '../simulated-aws/account/aws-error.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { killAfter, killBefore } from '../simulated-aws/weather/faults.ts';
import { FleetInTable } from './table.ts';

const [STAGING, PRODUCTION] = ['111111111111', '222222222222'] as const;

function twoStages(): FleetInTable {
  const fleet = new FleetInTable(
    sequenceOf([
      stageOf('staging', STAGING, { soakHours: 2 }),
      stageOf('production', PRODUCTION, { soakHours: 2, maxConcurrent: 1 }),
    ]),
  );
  fleet.add(STAGING, 'web');
  for (const stack of ['a', 'b']) fleet.add(PRODUCTION, stack);
  return fleet;
}

const runsOf = (fleet: FleetInTable) => fleet.members.map(({ runs }) => runs.get(LINE));

describe('passes over a table', () => {
  test('bring a release through the stages, and write nothing where nothing changes', async () => {
    const fleet = twoStages();
    fleet.publish(releaseOf(2));
    await fleet.runInTable(20);
    expect(runsOf(fleet)).toEqual(Array(3).fill(releaseOf(2)));
    expect(fleet.kinds()).toEqual([
      'StageBegan staging',
      'StageCompleted staging',
      'ReleaseQualified staging',
      'StageBegan production',
      'StageCompleted production',
      'ReleaseQualified production',
    ]);
    const before = fleet.account.calls.counts['dynamodb.PutItem'];
    expect(await fleet.passInTable()).toMatchObject({ isNew: false, events: [] });
    expect(fleet.account.calls.counts['dynamodb.PutItem']).toBe(before);
  });

  test('go on after a kill before and after each of their calls', async () => {
    for (const kill of [killBefore, killAfter])
      for (let call = 1; call <= 8; call++) {
        const fleet = twoStages();
        fleet.publish(releaseOf(2));
        await fleet.runInTable(8, async () => {
          await fleet.passInTable([kill(call)]).catch(() => undefined);
        });
        expect(runsOf(fleet), `${kill.name}(${call})`).toEqual(Array(3).fill(releaseOf(2)));
        const begun = (stage: string) => fleet.beginnings.filter(({ key }) => key.startsWith(stage));
        const [first, second] = [begun(STAGING), begun(PRODUCTION)];
        expect([first.length, second.length]).toEqual([1, 2]);
        const soaked = (first[0]?.at.getTime() ?? 0) + 3 * 3_600_000;
        for (const { at } of second) expect(at.getTime()).toBeGreaterThanOrEqual(soaked);
      }
  });

  test('read so much of what an account says, and go on with all that others say', async () => {
    const fleet = twoStages();
    fleet.publish(releaseOf(2));
    const [pk, body] = [PARTITIONS.status(PRODUCTION), 'x'.repeat(400_000)];
    for (let index = 10; index < 40; index++)
      await fleet.clock.drive(fleet.table().write({ pk, sk: `x-${index}`, version: 0, body }));
    await fleet.runInTable(6);
    expect(runsOf(fleet)).toContain(releaseOf(2));
    const before = fleet.account.calls.counts['dynamodb.Query'] ?? 0;
    const { unreadable } = await fleet.passInTable();
    expect(unreadable[0]).toBe(`${pk}: what comes after 4 MB`);
    expect((fleet.account.calls.counts['dynamodb.Query'] ?? 0) - before).toBe(8);
  });

  test('that fail have ended: nothing of them goes on beside the next one', async () => {
    const stage = stageOf('staging', STAGING, { maxConcurrent: 30, tolerate: 30 });
    const fleet = new FleetInTable(sequenceOf([stage]));
    for (let index = 0; index < 30; index++) fleet.add(STAGING, `s${index}`);
    fleet.publish(releaseOf(2));
    await fleet.speakInTable();
    const puts = () => fleet.account.calls.counts['dynamodb.PutItem'] ?? 0;
    const said = puts();
    let written = 0;
    const deny: Interceptor = {
      before({ operation }) {
        // The second is an allowance; those beside it take longer.
        if (operation === 'PutItem' && ++written === 2)
          throw new AwsError('AccessDeniedException', 'no', 400);
      },
    };
    await expect(fleet.passInTable([deny])).rejects.toThrow('no');
    const then = puts();
    await fleet.clock.drive(fleet.clock.sleep(60));
    expect([puts(), then < said + 30]).toEqual([then, true]);
  });

  test('two at once allow nothing twice: the later one writes nothing, and tells of nothing', async () => {
    const fleet = twoStages();
    fleet.publish(releaseOf(2));
    await fleet.speakInTable();
    const first = fleet.passInTable();
    fleet.now = new Date(fleet.now.getTime() + 1);
    const both = await Promise.all([first, fleet.passInTable()]);
    expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    const { allowances } = await fleet.stateInTable();
    expect([...allowances.keys()]).toEqual([`${STAGING}#eu-west-1#web`]);
  });

  test('take an order once, and say whose means nothing', async () => {
    const fleet = twoStages();
    fleet.publish(releaseOf(2));
    await fleet.runInTable(1);
    const given = { by: 'ann', at: fleet.now, line: LINE };
    await fleet.table().write(orderItem({ ...given, id: '1', kind: 'halt', release: releaseOf(2) }));
    await fleet.table().write(orderItem({ ...given, id: '2', kind: 'resume', release: 'no-such' }));
    const { refused } = await fleet.passInTable();
    expect(refused.map(({ order, why }) => [order.id, why])).toEqual([['2', 'no line has what it names']]);
    expect((await fleet.stateInTable()).state.lines.get(LINE)?.halts).toHaveLength(1);
    expect((await fleet.passInTable()).refused).toEqual([]);
  });

  test('leave out what a stranger has spoilt, and say so; without their own memory they decide nothing', async () => {
    const fleet = twoStages();
    await fleet.speakInTable();
    const spoilt = { pk: PARTITIONS.status(STAGING), sk: 'eu-west-1#other', version: 1, body: '{' };
    await fleet.table().write(spoilt);
    const { unreadable, views } = await fleet.passInTable();
    expect(unreadable).toEqual([expect.stringContaining(`${spoilt.pk} ${spoilt.sk}`)]);
    const keys = views[0]?.members.map(({ status }) => memberKey(status.member));
    expect(keys).toEqual([`${STAGING}#eu-west-1#web`]);
    await fleet.table().write({ ...spoilt, pk: PARTITIONS.sequence, sk: STATE_KEY_IN_TABLE });
    await expect(fleet.passInTable()).rejects.toThrow('sequence memory');
  });
});
