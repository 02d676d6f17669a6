import { expect, test } from 'vitest';
import { place, standingsOf } from '../../../lambda/core/sequence/members.ts';
import { memberKey, NOTHING_YET } from '../../../lambda/core/sequence/model.ts';
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
