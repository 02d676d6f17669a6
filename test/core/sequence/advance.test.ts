import { describe, expect, test } from 'vitest';
import { memberKey } from '../../../lambda/core/sequence/model.ts';
import { viewsNow } from '../../../lambda/core/sequence/views.ts';
import { processorTime } from '../../processor-time.ts';
import { Fleet, LINE, releaseOf, sequenceOf, stageOf } from './fleet.ts';

const [STAGING, PRODUCTION] = ['111111111111', '222222222222'] as const;

function twoStages(staging = {}, production = {}) {
  const fleet = new Fleet(
    sequenceOf([stageOf('staging', STAGING, staging), stageOf('production', PRODUCTION, production)]),
  );
  fleet.add(STAGING, 'web');
  fleet.add(PRODUCTION, 'web');
  fleet.add(PRODUCTION, 'batch');
  // What all run when the sequence begins goes through it first.
  fleet.run(60);
  fleet.events.length = 0;
  return fleet;
}

const runs = (fleet: Fleet) => fleet.members.map((each) => each.runs.get(LINE));

describe('a release goes from stage to stage', () => {
  test('through its soak, then on', () => {
    const fleet = twoStages();
    fleet.publish(releaseOf(2));
    fleet.run(20);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(1), releaseOf(1)]);
    expect(fleet.viewOf('staging')).toMatchObject({ phase: 'soaking', release: releaseOf(2) });
    expect(fleet.viewOf('production')).toMatchObject({ phase: 'qualified', release: releaseOf(1) });
    fleet.run(60);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(2), releaseOf(2)]);
    expect(fleet.kinds()).toEqual([
      'StageBegan staging',
      'StageCompleted staging',
      'ReleaseQualified staging',
      'StageBegan production',
      'StageCompleted production',
      'ReleaseQualified production',
    ]);
  });

  test('a bad one is halted in the first stage: nobody else begins', () => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING), stageOf('production', PRODUCTION)]));
    fleet.add(STAGING, 'web', { fails: new Set([releaseOf(2)]) });
    fleet.add(PRODUCTION, 'web');
    fleet.publish(releaseOf(2));
    fleet.run(300);
    expect(runs(fleet)).toEqual([releaseOf(1), releaseOf(1)]);
    expect(fleet.viewOf('staging')).toMatchObject({ phase: 'halted' });
    expect(fleet.viewOf('staging').waitsFor).toContain('tasks crash');
    // The next one begins at the first stage.
    fleet.publish(releaseOf(3));
    fleet.run(4);
    expect(runs(fleet)).toEqual([releaseOf(3), releaseOf(1)]);
    fleet.run(60);
    expect(runs(fleet)).toEqual([releaseOf(3), releaseOf(3)]);
  });

  test('a newer one in mid-soak waits until the stage is through with what it has', () => {
    const fleet = twoStages();
    fleet.publish(releaseOf(2));
    fleet.run(60);
    fleet.publish(releaseOf(3));
    fleet.run(10);
    fleet.publish(releaseOf(4));
    fleet.run(10);
    expect(runs(fleet)[0]).toBe(releaseOf(3));
    fleet.run(120);
    expect(runs(fleet)).toEqual([releaseOf(4), releaseOf(4), releaseOf(4)]);
  });

  test('nobody is waited for who cannot roll, once its time is over', () => {
    const fleet = twoStages({ completeWithinHours: 10 });
    const paused = fleet.add(STAGING, 'paused', { hindered: 'is paused' });
    fleet.publish(releaseOf(2));
    fleet.run(8);
    expect(fleet.viewOf('staging').waitsFor).toContain('paused is paused');
    fleet.run(90);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(2), releaseOf(2), releaseOf(1)]);
    paused.hindered = undefined;
    fleet.run(3);
    expect(paused.runs.get(LINE)).toBe(releaseOf(2));
  });

  test('an alarm during the soak halts it; one after it does not', () => {
    const fleet = twoStages();
    const [first] = fleet.members;
    if (first === undefined) throw new Error('no member');
    fleet.publish(releaseOf(2));
    fleet.run(10);
    first.alarmSince = fleet.now;
    fleet.run(60);
    expect(fleet.kinds()).toContain('ReleaseHalted staging');
    expect(fleet.viewOf('production').release).toBe(releaseOf(1));

    const other = twoStages();
    other.publish(releaseOf(2));
    other.run(60);
    const [calm] = other.members;
    if (calm === undefined) throw new Error('no member');
    calm.alarmSince = other.now;
    other.run(60);
    expect(other.events.map(({ kind }) => kind)).not.toContain('ReleaseHalted');
  });

  test('what one architecture was halted for holds for its sibling, until somebody resumes it', () => {
    const arm = 'amazon-linux-2023/arm64';
    const fleet = twoStages();
    const own = fleet.add(STAGING, 'arm', {
      runs: new Map([[arm, releaseOf(1, 'arm64')]]),
      newest: new Map([[arm, releaseOf(2, 'arm64')]]),
      hindered: 'outside its window',
    });
    fleet.order({ kind: 'halt', release: releaseOf(2) });
    fleet.publish(releaseOf(2), LINE);
    fleet.run(2);
    // Not known yet when it was ordered: refused, and said.
    fleet.order({ kind: 'halt', release: releaseOf(2) });
    fleet.run(2);
    own.hindered = undefined;
    fleet.run(5);
    expect(own.runs.get(arm)).toBe(releaseOf(1, 'arm64'));
    expect(fleet.viewOf('staging', arm)).toMatchObject({ phase: 'halted' });
    fleet.order({ kind: 'resume', release: releaseOf(2, 'arm64') });
    fleet.run(5);
    expect(own.runs.get(arm)).toBe(releaseOf(2, 'arm64'));
  });
});

describe('slots', () => {
  test('no more at once than tolerated to fail, and one less for each that has failed', () => {
    const fleet = new Fleet(sequenceOf([stageOf('all', STAGING, { maxConcurrent: 5, tolerate: 2 })]));
    for (let index = 0; index < 9; index++)
      fleet.add(STAGING, `s${index}`, { rollHours: 5, fails: new Set(index < 2 ? [releaseOf(2)] : []) });
    fleet.publish(releaseOf(2));
    let most = 0;
    let mostAfterwards = 0;
    fleet.run(60, () => {
      const rolling = fleet.members.filter((each) => each.rolling.size > 0).length;
      most = Math.max(most, rolling);
      if (fleet.members.filter((each) => each.failed.size > 0).length === 2)
        mostAfterwards = Math.max(mostAfterwards, rolling);
    });
    expect([most, mostAfterwards]).toEqual([3, 1]);
    expect(runs(fleet).filter((each) => each === releaseOf(2))).toHaveLength(7);
  });

  test('those named first go first', () => {
    const fleet = new Fleet(sequenceOf([stageOf('all', STAGING, { first: ['canary-*'] })]));
    fleet.add(STAGING, 'a');
    fleet.add(STAGING, 'canary-1', { rollHours: 3 });
    fleet.publish(releaseOf(2));
    fleet.run(20);
    expect(fleet.beginnings.map(({ key }) => key.split('#')[2])).toEqual(['canary-1', 'a']);
    const [first, second] = fleet.beginnings;
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(3 * 3_600_000);
  });

  test('regions that are kept apart never roll together', () => {
    const fleet = new Fleet(sequenceOf([stageOf('all', STAGING, { apart: 'region', tolerate: 3 })]));
    for (const region of ['eu-west-1', 'eu-central-1'])
      for (const stack of ['a', 'b']) fleet.add(STAGING, stack, { region, rollHours: 4 });
    fleet.publish(releaseOf(2));
    const seen = new Set<number>();
    fleet.run(40, () => {
      const rolling = fleet.members.filter((each) => each.rolling.size > 0);
      seen.add(new Set(rolling.map(({ name }) => name.region)).size);
    });
    expect([...seen].sort()).toEqual([0, 1]);
    expect(new Set(runs(fleet))).toEqual(new Set([releaseOf(2)]));
  });

  test('one that is taken back counts until its member has read so', () => {
    const fleet = new Fleet(sequenceOf([stageOf('all', STAGING, { maxConcurrent: 1 })]));
    const first = fleet.add(STAGING, 'a');
    const second = fleet.add(STAGING, 'b');
    fleet.publish(releaseOf(2));
    fleet.speak();
    fleet.pass();
    const key = memberKey(first.name);
    expect(fleet.allowances.get(key)?.lines.get(LINE)?.release).toBe(releaseOf(2));
    first.isSilent = true;
    fleet.wait(7);
    fleet.run(5);
    // It may have begun before it fell silent.
    expect(second.rolling.size + second.failed.size).toBe(0);
    expect(second.runs.get(LINE)).toBe(releaseOf(1));
    first.isSilent = false;
    fleet.run(5);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(2)]);
  });
});

describe('orders', () => {
  test('people are asked once before a stage, and nothing begins before they say so', () => {
    const fleet = twoStages({}, { beforeStage: 'approval' });
    fleet.publish(releaseOf(2));
    fleet.run(100);
    expect(fleet.kinds().filter((each) => each === 'ApprovalAwaited production')).toHaveLength(1);
    expect(fleet.viewOf('production')).toMatchObject({ phase: 'asking', release: releaseOf(2) });
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(1), releaseOf(1)]);
    fleet.order({ kind: 'approve', stage: 'production', release: releaseOf(3) });
    fleet.run(5);
    expect(runs(fleet)[1]).toBe(releaseOf(1));
    fleet.order({ kind: 'approve', stage: 'production', release: releaseOf(2) });
    fleet.run(5);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(2), releaseOf(2)]);
  });

  test('a security release is expedited: no soak, still in order', () => {
    const fleet = twoStages();
    fleet.publish(releaseOf(2));
    fleet.run(3);
    fleet.publish(releaseOf(3));
    fleet.run(1);
    fleet.order({ kind: 'expedite', release: releaseOf(3) });
    fleet.run(8);
    expect(runs(fleet)).toEqual([releaseOf(3), releaseOf(3), releaseOf(3)]);
    const ofThird = fleet.beginnings.filter(({ release }) => release === releaseOf(3));
    expect(ofThird[0]?.key).toContain(STAGING);
  });

  test('a soak is cut short', () => {
    const fleet = twoStages();
    fleet.run(60);
    fleet.publish(releaseOf(2));
    fleet.run(4);
    fleet.order({ kind: 'skip-soak', stage: 'staging' });
    fleet.run(5);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(2), releaseOf(2)]);
  });

  test('halted, it goes no further; halted at once, what is under way stops at its next batch', () => {
    const fleet = twoStages({}, { maxConcurrent: 1 });
    fleet.publish(releaseOf(2));
    fleet.run(3);
    fleet.order({ kind: 'halt', release: releaseOf(2) });
    fleet.run(60);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(1), releaseOf(1)]);
    const told = fleet.events.filter(({ kind }) => kind === 'ReleaseHalted');
    expect(told).toEqual([{ kind: 'ReleaseHalted', line: LINE, release: releaseOf(2), why: 'ann says so' }]);
    const halted = new Fleet(sequenceOf([stageOf('all', STAGING)]));
    const only = halted.add(STAGING, 'a', { rollHours: 100 });
    halted.publish(releaseOf(2));
    halted.run(2);
    expect(only.rolling.size).toBe(1);
    halted.order({ kind: 'halt' });
    halted.run(1);
    const key = memberKey(only.name);
    expect(halted.allowances.get(key)?.lines.get(LINE)).toEqual({ release: releaseOf(2) });
    halted.order({ kind: 'halt', release: releaseOf(2), isNow: true });
    halted.pass();
    expect(halted.allowances.get(key)?.lines.get(LINE)).toEqual({ release: releaseOf(2), stops: true });
    halted.publish(releaseOf(3));
    halted.run(200);
    expect(halted.viewOf('all')).toMatchObject({ release: releaseOf(3), phase: 'rolling' });
    expect(halted.viewOf('all').waitsFor).toContain(`rolls onto ${releaseOf(2)}`);
    expect(runs(halted)).toEqual([releaseOf(1)]);
    halted.order({ kind: 'resume', release: releaseOf(2) });
    halted.run(110);
    expect(runs(halted)).toEqual([releaseOf(3)]);
  });

  test('resumed, it goes on with all others: who failed at it tries it no more, and takes no slot', () => {
    const fleet = new Fleet(sequenceOf([stageOf('all', STAGING, { maxConcurrent: 1 })]));
    fleet.add(STAGING, 'a', { fails: new Set([releaseOf(2)]) });
    fleet.add(STAGING, 'b');
    fleet.publish(releaseOf(2));
    fleet.run(5);
    expect(fleet.viewOf('all')).toMatchObject({ phase: 'halted' });
    fleet.order({ kind: 'resume', release: releaseOf(2) });
    fleet.run(5);
    expect(runs(fleet)).toEqual([releaseOf(1), releaseOf(2)]);
    expect(fleet.viewOf('all').waitsFor).toBe(`${STAGING}#eu-west-1#a doesn't try it again: tasks crash`);
  });

  test('an image that is withdrawn is halted, unless somebody resumes it; one that a Region lacks yet is waited for', () => {
    const fleet = twoStages({}, { maxConcurrent: 2 });
    const [staging, ...production] = fleet.members;
    if (staging === undefined) throw new Error('no members');
    fleet.publish(releaseOf(2), LINE, [staging]);
    fleet.run(10);
    expect(fleet.viewOf('staging')).toMatchObject({ phase: 'soaking' });
    staging.newest.set(LINE, releaseOf(1));
    fleet.run(1);
    expect(fleet.viewOf('staging')).toMatchObject({ phase: 'halted', release: releaseOf(2) });
    expect(fleet.viewOf('staging').waitsFor).toContain('nobody finds its image any more');
    fleet.order({ kind: 'resume', release: releaseOf(2) });
    fleet.run(60);
    expect(fleet.viewOf('production')).toMatchObject({ phase: 'rolling', release: releaseOf(2) });
    expect(fleet.viewOf('production').waitsFor).toContain('has no such image yet');
    expect(production.map(({ runs: each }) => each.get(LINE))).toEqual([releaseOf(1), releaseOf(1)]);
  });

  test('a stage goes back to what it ran before, where settings accept it', () => {
    const fleet = twoStages({}, { maxConcurrent: 2, tolerate: 1 });
    const [, accepting, other] = fleet.members;
    if (accepting === undefined || other === undefined) throw new Error('no members');
    accepting.acceptsRevert = true;
    fleet.publish(releaseOf(2));
    fleet.run(100);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(2), releaseOf(2)]);
    fleet.order({ kind: 'revert', stage: 'production', release: releaseOf(1) });
    fleet.run(100);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(1), releaseOf(2)]);
    fleet.publish(releaseOf(3));
    fleet.run(200);
    expect(runs(fleet)).toEqual([releaseOf(3), releaseOf(3), releaseOf(3)]);
  });

  test('who is left out is waited for by nobody, and allowed nothing', () => {
    const fleet = twoStages();
    const gone = fleet.add(STAGING, 'gone', { hindered: 'is paused' });
    fleet.publish(releaseOf(2));
    fleet.run(3);
    fleet.order({ kind: 'leave-out', member: gone.name });
    fleet.run(60);
    expect(runs(fleet).slice(0, 3)).toEqual([releaseOf(2), releaseOf(2), releaseOf(2)]);
  });

  test('one that means nothing is refused with its reason, once', () => {
    const fleet = twoStages();
    fleet.order({ kind: 'skip-soak', stage: 'prod' });
    expect(fleet.pass().refused.map(({ why }) => why)).toEqual(['there is no stage prod']);
    expect(fleet.pass().refused).toEqual([]);
  });
});

describe('a member that lies or is a stranger', () => {
  test('doesn’t choose its stage: a status from elsewhere is reported and ignored', () => {
    const fleet = twoStages();
    fleet.add('999999999999', 'web');
    fleet.run(2);
    expect(fleet.last?.strangers).toEqual([{ account: '999999999999', region: 'eu-west-1', stack: 'web' }]);
    expect([...fleet.allowances.keys()].some((key) => key.startsWith('9'))).toBe(false);
  });

  test('a quorum of accounts is more than one of them says', () => {
    const members = [{ account: STAGING }, { account: '333333333333' }];
    const fleet = twoStages({ members, quorum: 2, completeWithinHours: 5 });
    fleet.publish(releaseOf(2));
    fleet.run(100);
    expect(runs(fleet)).toEqual([releaseOf(2), releaseOf(1), releaseOf(1)]);
    expect(fleet.viewOf('staging').waitsFor).toContain('1 of 2 accounts');
    expect(fleet.viewOf('staging').isStarved).toBe(true);
  });

  test('an empty stage holds, unless it says pass', () => {
    for (const [whenEmpty, reached] of [
      ['hold', releaseOf(1)],
      ['pass', releaseOf(2)],
    ] as const) {
      const fleet = new Fleet(
        sequenceOf([
          stageOf('staging', STAGING),
          stageOf('empty', '333333333333', { whenEmpty, soakHours: 0 }),
          stageOf('production', PRODUCTION),
        ]),
      );
      fleet.add(STAGING, 'web');
      fleet.add(PRODUCTION, 'web');
      fleet.publish(releaseOf(2));
      fleet.run(60);
      expect(runs(fleet)[1]).toBe(reached);
    }
  });
});

test('how stages stand before the next pass is by what is remembered: no order is taken, nothing goes on', () => {
  const fleet = twoStages();
  fleet.add('999999999999', 'stranger');
  fleet.publish(releaseOf(2));
  fleet.run(1);
  fleet.order({ kind: 'halt', release: releaseOf(2) });
  fleet.wait(200);
  const { views, strangers } = viewsNow(fleet.sequence, fleet.seen(), fleet.now);
  expect(views.map(({ stage, phase, release }) => [stage, phase, release])).toEqual([
    ['staging', 'rolling', releaseOf(2)],
    ['production', 'qualified', releaseOf(1)],
  ]);
  expect(strangers.map(memberKey)).toEqual(['999999999999#eu-west-1#stranger']);
});

test('who is waited for is named first where somebody must do something, and only some of many', () => {
  const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
  for (let index = 0; index < 20; index++) fleet.add(STAGING, `web-${index}`);
  fleet.add(STAGING, 'z', { hindered: 'is paused' });
  fleet.publish(releaseOf(2));
  fleet.run(1);
  const { waitsFor } = fleet.viewOf('staging');
  expect(waitsFor).toMatch(/^111111111111#eu-west-1#z is paused; /);
  expect(waitsFor.split('; ')).toHaveLength(11);
  expect(waitsFor).toMatch(/; 11 more$/);
});

test('a pass over thousands of stacks takes no more time for each than one over hundreds', () => {
  const looksAt = (count: number) => {
    const fleet = new Fleet(sequenceOf([stageOf('staging', STAGING)]));
    for (let index = 0; index < count; index++) fleet.add(STAGING, `web-${index}`);
    fleet.speak();
    const took = processorTime();
    fleet.pass();
    return took() / count;
  };
  looksAt(200);
  expect(looksAt(4000)).toBeLessThan(10 * looksAt(200));
});
