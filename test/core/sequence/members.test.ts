import { describe, expect, test } from 'vitest';
import { place, standingsOf } from '../../../lambda/core/sequence/members.ts';
import {
  type LineStatus,
  type MemberStatus,
  memberKey,
  NOTHING_YET,
  type Slot,
  type StageState,
} from '../../../lambda/core/sequence/model.ts';
import { Fleet, LINE, releaseOf, sequenceOf, stageOf } from './fleet.ts';

test('a stack is of the first stage that names its account, Region and name', () => {
  const sequence = sequenceOf([
    stageOf('canary', '111111111111', {
      members: [{ account: '111111111111', stacks: ['*-canary', 'x*y'] }],
    }),
    stageOf('europe', '', {
      members: [
        { account: '111111111111', regions: ['eu-west-1', 'eu-north-1'] },
        { account: '222222222222', stacks: ['web'] },
      ],
    }),
    stageOf('rest', '111111111111'),
  ]);
  const fleet = new Fleet(sequence);
  const regions = { oregon: 'us-west-2', ireland: 'eu-west-1' } as const;
  fleet.add('111111111111', 'web', { region: regions.oregon });
  fleet.add('111111111111', 'web', { region: regions.ireland });
  fleet.add('111111111111', 'web-canary', { region: regions.ireland });
  fleet.add('111111111111', 'xy', { region: regions.ireland });
  fleet.add('222222222222', 'web');
  fleet.add('222222222222', 'website');
  const statuses = fleet.members.map((each) => fleet.statusOf(each));
  const { byStage, strangers } = place(sequence, NOTHING_YET, statuses);
  expect([...byStage].map(([name, of]) => [name, of.map(({ member }) => memberKey(member))])).toEqual([
    ['canary', ['111111111111#eu-west-1#web-canary', '111111111111#eu-west-1#xy']],
    ['europe', ['111111111111#eu-west-1#web', '222222222222#eu-west-1#web']],
    ['rest', ['111111111111#us-west-2#web']],
  ]);
  expect(strangers.map(memberKey)).toEqual(['222222222222#eu-west-1#website']);
});

test('of two groups one that cannot begin hinders a release that the other has; for a newer one it does not', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', '111111111111')]));
  const member = fleet.add('111111111111', 'web');
  const said = fleet.statusOf(member);
  const runs = { oldest: releaseOf(1), newest: releaseOf(2) };
  const own = { newest: releaseOf(3), runs, hindered: 'is paused', readyFrom: releaseOf(2) };
  const status = { ...said, lines: new Map([[LINE, own]]) };
  const to = (release: string) =>
    standingsOf([status], LINE, { known: [] }, { release, since: fleet.now, slots: new Map() }, 6, fleet.now);
  expect(to(releaseOf(2))).toMatchObject([{ standing: 'hindered', why: 'is paused' }]);
  expect(to(releaseOf(3))).toMatchObject([{ standing: 'ready' }]);
});

test('members come in the order of their names, in whatever order they spoke, and those left out come apart', () => {
  const sequence = sequenceOf([stageOf('staging', '111111111111')]);
  const fleet = new Fleet(sequence);
  for (const name of ['b', 'c', 'a', 'd']) fleet.add('111111111111', name);
  const statuses = fleet.members.map((each) => fleet.statusOf(each));
  const leftOut = ['111111111111#eu-west-1#d'];
  for (const spoken of [statuses, [...statuses].reverse()]) {
    const { byStage, leftOut: out } = place(sequence, { ...NOTHING_YET, leftOut }, spoken);
    expect(byStage.get('staging')?.map(({ member }) => member.stack)).toEqual(['a', 'b', 'c']);
    expect(out.map(({ stack }) => stack)).toEqual(['d']);
  }
});

describe('a member, as its stage takes a release,', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', '111111111111')]));
  const said = fleet.statusOf(fleet.add('111111111111', 'web'));
  const { now } = fleet;
  const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const only = (day: number) => ({ oldest: releaseOf(day), newest: releaseOf(day) });
  const SINCE = secondsAgo(3600);

  /** Of one that runs the first release, and has the second, which its stage takes. */
  const standing = (
    own: Partial<LineStatus> = {},
    state: Partial<StageState> = {},
    rest: Partial<MemberStatus> = {},
  ) => {
    const lines = new Map([[LINE, { runs: only(1), newest: releaseOf(2), ...own }]]);
    const whole = { release: releaseOf(2), since: SINCE, slots: new Map(), ...state };
    const all = standingsOf([{ ...said, lines, ...rest }], LINE, { known: [] }, whole, 6, now);
    return all.map(({ status: _, ...each }) => each);
  };
  const failed = (at: Date, day = 2) => ({ failed: { release: releaseOf(day), at, why: 'tasks crash' } });

  test('is ready if it can begin', () => {
    expect(standing()).toEqual([{ standing: 'ready' }]);
  });

  test('is ready once more after a turn in vain, and says what was said of that last', () => {
    const withSlot = (slot: Partial<Slot>) =>
      standing({}, { slots: new Map([[memberKey(said.member), { since: SINCE, ...slot }]]) });
    expect(withSlot({})).toEqual([{ standing: 'ready' }]);
    expect(withSlot({ why: 'it is late' })).toEqual([{ standing: 'ready', why: 'had its turn: it is late' }]);
    expect(withSlot({ why: 'it is late', passedOver: 'it began nothing' })).toEqual([
      { standing: 'ready', why: 'had its turn: it began nothing' },
    ]);
  });

  test('is none of it if it runs nothing of the line', () => {
    expect(standing({}, {}, { lines: new Map([['other', { runs: only(1) }]]) })).toEqual([]);
    expect(standing({}, {}, { lines: new Map([[LINE, { newest: releaseOf(2) }]]) })).toEqual([]);
  });

  test('is ready, whatever it says, while there is no release', () => {
    expect(standing({ hindered: 'is paused' }, { release: undefined })).toEqual([{ standing: 'ready' }]);
    expect(standing({ hindered: 'is paused' }, { since: undefined })).toEqual([{ standing: 'ready' }]);
  });

  test('is done once all that it runs is as new, and it rolls no more', () => {
    expect(standing({ runs: only(2) })).toEqual([{ standing: 'done' }]);
    expect(standing({ runs: only(3) })).toEqual([{ standing: 'done' }]);
    expect(standing({ runs: { ...only(2), oldest: releaseOf(1) } })).toEqual([{ standing: 'ready' }]);
    expect(standing({ runs: only(2), rolling: releaseOf(2) })).toEqual([{ standing: 'rolling' }]);
  });

  test('is done with a way back once nothing that it runs is newer', () => {
    const back = { isBack: true, release: releaseOf(1) } as const;
    expect(standing({ runs: only(1) }, back)).toEqual([{ standing: 'done' }]);
    expect(standing({ runs: { oldest: releaseOf(1), newest: releaseOf(2) } }, back)).toEqual([
      { standing: 'hindered', why: 'accepts no revert, by its settings' },
    ]);
    expect(standing({ runs: only(2) }, back, { acceptsRevert: true })).toEqual([{ standing: 'ready' }]);
  });

  test('is silent once it has said nothing for too long', () => {
    expect(standing({}, {}, { spokeAt: secondsAgo(6 * 3600) })).toEqual([{ standing: 'ready' }]);
    expect(standing({}, {}, { spokeAt: secondsAgo(6 * 3600 + 1) })).toEqual([
      { standing: 'silent', why: 'has said nothing since 2026-01-31T17:59:59.000Z' },
    ]);
  });

  test('rolls, and says what it is held up by', () => {
    expect(standing({ rolling: releaseOf(2) })).toStrictEqual([{ standing: 'rolling' }]);
    expect(standing({ rolling: releaseOf(2), hindered: 'is paused' })).toEqual([
      { standing: 'rolling', why: 'is paused' },
    ]);
  });

  test('is hindered while it rolls onto another release, or has none as new', () => {
    expect(standing({ rolling: releaseOf(3) })).toEqual([
      { standing: 'hindered', why: `rolls onto ${releaseOf(3)}` },
    ]);
    const lacks = [{ standing: 'hindered', why: 'has no such image yet' }];
    expect(standing({ newest: releaseOf(1) })).toEqual(lacks);
    expect(standing({ newest: undefined })).toEqual(lacks);
  });

  test('has failed if the release failed there since it came to the stage, and nobody has forgiven that since', () => {
    const fails = [{ standing: 'failed', why: 'tasks crash' }];
    const forgiven = [{ standing: 'hindered', why: "doesn't try it again: tasks crash" }];
    expect(standing(failed(SINCE))).toEqual(fails);
    expect(standing(failed(secondsAgo(3601)))).toEqual(forgiven);
    expect(standing(failed(secondsAgo(60)), { forgivenAt: secondsAgo(61) })).toEqual(fails);
    expect(standing(failed(secondsAgo(60)), { forgivenAt: secondsAgo(60) })).toEqual(forgiven);
    expect(standing(failed(secondsAgo(60), 1))).toEqual([{ standing: 'ready' }]);
  });

  test('has failed if an alarm of its own is on while it has anything of a release that is not proven', () => {
    const fails = [{ standing: 'failed', why: 'an alarm of its own is on' }];
    const alarm = { alarmSince: secondsAgo(60) };
    const part = { oldest: releaseOf(1), newest: releaseOf(2) };
    expect(standing({ runs: part }, {}, alarm)).toEqual(fails);
    expect(standing({ runs: { oldest: releaseOf(2), newest: releaseOf(3) } }, {}, alarm)).toEqual(fails);
    expect(standing({ rolling: releaseOf(2) }, {}, alarm)).toEqual(fails);
    expect(standing({}, {}, alarm)).toEqual([{ standing: 'ready' }]);
    expect(standing({ runs: part }, {}, { alarmSince: secondsAgo(3601) })).toEqual([{ standing: 'ready' }]);
    expect(standing({ runs: part }, { qualified: releaseOf(2) }, alarm)).toEqual([{ standing: 'ready' }]);
    expect(standing({ runs: part })).toEqual([{ standing: 'ready' }]);
  });
});
