import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import { type AddedSizes, NOTHING_ADDED, type SizeChange } from '../../../lambda/core/model/roll.ts';
import { setSizes, settleSizes } from '../../../lambda/core/sizes/our-sizes.ts';
import {
  ago,
  assessed,
  decided,
  detached,
  fresh,
  groupOf,
  observe,
  old,
  type Scene,
  type Sketch,
  TARGET_GROUP,
  told,
} from '../builders.ts';

/** What a killed run has left: an intent on the group's tags, made or not. */
function left(change: SizeChange, ours: number, sketches: readonly Sketch[], scene: Scene) {
  const addedSizes = { desiredCapacity: ours, maxSize: 0, change };
  return told(
    observe(sketches, {
      trafficSources: [TARGET_GROUP],
      suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
      roll: { changes: { suspended: [], addedSizes } },
      ...scene,
    }),
  );
}

/** What is decided about a change that is recorded, or about what is ours, and about nothing else. */
function settledWith(addedSizes: AddedSizes, sketches: readonly Sketch[], scene: Scene) {
  const assessment = assessed(
    observe(sketches, { ...scene, roll: { changes: { suspended: [], addedSizes } } }),
  );
  return hasRoll(assessment) ? settleSizes(assessment) : undefined;
}
const settled = (change: SizeChange, sketches: readonly Sketch[], scene: Scene) =>
  settledWith({ desiredCapacity: 0, maxSize: 0, change }, sketches, scene);

const of = (desiredCapacity: number, maxSize: number) => ({ desiredCapacity, maxSize });
const marked = (id: string) => old(id, { marked: 60 });
const OURS = (count: number) => `tag group web-ecs: ${count} of its instances are ours`;
const NOT_OURS = 'tag group web-ecs: no change of ours is left';

describe('a change that makes the group larger', () => {
  const change: SizeChange = { from: of(2, 6), to: of(4, 6), marked: 2 };
  const members = [marked('i-1'), marked('i-2')];

  test('that was written but not made is made', () => {
    expect(left(change, 0, members, of(2, 6))).toEqual(['set group web-ecs to 4 instances', OURS(2)]);
  });

  test('that was made but not noted is noted', () => {
    expect(left(change, 0, members, of(4, 6))).toEqual([OURS(2)]);
    const watch = { draining: [], goodbyes: [], unsettledChange: { change, since: ago(0) } };
    expect(left(change, 0, members, { ...of(4, 6), watch })).toEqual([OURS(2)]);
  });

  test('adds to what was ours before', () => {
    expect(left(change, 3, members, of(4, 6))).toEqual([OURS(5)]);
  });

  test.each([
    ['scaled the group out', of(3, 6)],
    ['scaled it in', of(1, 6)],
    ['raised its maximum', of(2, 7)],
    ['lowered its maximum', of(2, 3)],
  ])('is given up if somebody has %s instead, and what they set stays', (_, sizes) => {
    expect(left(change, 0, members, sizes)).toEqual([NOT_OURS]);
  });

  test('is noted if somebody has scaled the group beyond it, as it must have been made', () => {
    expect(left(change, 0, members, of(5, 6))).toEqual([OURS(2)]);
    expect(left(change, 0, members, of(4, 7))).toEqual([OURS(2)]);
  });

  test('shows in the members it launched if somebody has scaled the group in since', () => {
    const news = ['i-3', 'i-4'].map((id) => fresh(id, { age: 30 }));
    expect(left(change, 0, [...members, ...news], of(3, 6))).toEqual([OURS(2)]);
    const first = ['i-3', 'i-4'].map((id) => fresh(id, { age: 60 }));
    expect(left(change, 0, [...members, ...first], of(3, 6))).toEqual([OURS(2)]);
    const later = [old('i-1', { marked: 60 }), old('i-2', { marked: 20 }), ...news];
    expect(left(change, 0, [...later, old('i-5')], of(3, 6))).toEqual([OURS(2)]);
    const before = ['i-3', 'i-4'].map((id) => fresh(id, { age: 90 }));
    expect(left(change, 0, [...members, ...before], of(3, 6))).toEqual([NOT_OURS]);
  });

  test('changes the maximum size along with it', () => {
    const both: SizeChange = { from: of(2, 3), to: of(4, 4), marked: 2 };
    expect(left(both, 0, members, of(4, 4))).toEqual([
      'tag group web-ecs: 2 of its instances are ours; 1 of its maximum size is ours',
    ]);
  });

  test('shows in the maximum size if a scheduled action has set the desired capacity since', () => {
    const both: SizeChange = { from: of(2, 3), to: of(4, 4), marked: 2 };
    expect(left(both, 0, members, of(2, 4))).toEqual([
      'tag group web-ecs: 2 of its instances are ours; 1 of its maximum size is ours',
    ]);
    expect(left(both, 0, members, of(2, 5))).toEqual([NOT_OURS]);
  });

  test('is settled before anything else goes on', () => {
    const ended = detached('i-9', { turn: 50, ecs: null });
    expect(left(change, 0, [...members, ended], of(4, 6))).toEqual([OURS(2)]);
  });

  test('keeps alarms from scaling until it is settled', () => {
    const scene = { ...of(2, 6), suspendedProcesses: ['AZRebalance', 'InstanceRefresh'] };
    expect(left(change, 0, members, scene)).toEqual([
      'tag group web-ecs: AlarmNotification suspended by us; its size goes from 2 of 6 to 4 of 6',
      'suspend AlarmNotification of group web-ecs',
    ]);
  });
});

describe('a detach that makes the group smaller', () => {
  const change: SizeChange = { from: of(4, 4), to: of(2, 4), marked: 2 };
  const news = [fresh('i-3'), fresh('i-4')];
  const before = [marked('i-1'), marked('i-2'), ...news];
  const after = [detached('i-1'), detached('i-2'), ...news];

  test('that was written but not made is dropped and decided again', () => {
    expect(left(change, 2, before, of(4, 4))).toEqual([OURS(2)]);
  });

  // Of two invocations one may have written it right before the other looks, which sees nothing of it yet.
  test('is dropped only once a second look finds it not made', () => {
    const seen = (seconds: number, members: readonly Sketch[], sizes: Scene) => {
      const unsettledChange = { change, since: ago(seconds) };
      return left(change, 2, members, { ...sizes, watch: { draining: [], goodbyes: [], unsettledChange } });
    };
    expect(seen(0, before, of(4, 4))).toEqual(['wait: i-1, i-2 are being detached']);
    expect(seen(5, before, of(4, 4))).toEqual([OURS(2)]);
    expect(seen(0, after, of(2, 4))).toEqual([NOT_OURS]);
    expect(seen(0, after, of(4, 4))).toEqual([OURS(2)]);
    const one: SizeChange = { from: of(4, 4), to: of(3, 4), marked: 2 };
    const watch = { draining: [], goodbyes: [], unsettledChange: { change: one, since: ago(0) } };
    const partly = [detached('i-1'), marked('i-2'), ...news];
    expect(left(one, 2, partly, { ...of(3, 4), watch })).toEqual([OURS(1)]);
  });

  test('that was made but not noted is noted', () => {
    expect(left(change, 2, after, of(2, 4))).toEqual([NOT_OURS]);
  });

  test('shows in members that are still being detached', () => {
    const detaching = ['i-1', 'i-2'].map((id) => old(id, { marked: 60, member: 'Detaching' }));
    expect(left(change, 2, [...detaching, ...news], of(2, 4))).toEqual([NOT_OURS]);
  });

  test('counts even if somebody has scaled the group since', () => {
    expect(left(change, 2, after, of(3, 4))).toEqual([NOT_OURS]);
    expect(left(change, 2, after, of(1, 4))).toEqual([NOT_OURS]);
  });

  test('does not count if somebody has scaled the group while none is detached', () => {
    expect(left(change, 2, before, of(5, 5))).toEqual([OURS(2)]);
    expect(left(change, 2, before, of(3, 4))).toEqual([OURS(2)]);
  });

  test('shows also if a surplus was detached that had no tags before', () => {
    const scene: Scene = {
      trafficSources: [TARGET_GROUP],
      suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
      roll: { changes: { suspended: [], addedSizes: of(1, 0) } },
    };
    const decision = decided(observe([...news, fresh('i-5', { age: 10 })], scene));
    const intent = 'actions' in decision && decision.actions.find(({ kind }) => kind === 'record-changes');
    expect(intent).toMatchObject({ changes: { addedSizes: { change: { marked: 1 } } } });
    const surplus: SizeChange = { from: of(3, 3), to: of(2, 3), marked: 1 };
    expect(left(surplus, 1, [...news, fresh('i-5', { member: null, marked: 5 })], of(2, 3))).toEqual([
      NOT_OURS,
    ]);
  });

  test('shows also if not all marks were seen when it was written', () => {
    const scene: Scene = {
      trafficSources: [TARGET_GROUP],
      suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
      roll: { changes: { suspended: [], addedSizes: of(2, 0) } },
    };
    const decision = decided(observe([marked('i-1'), old('i-2'), ...news], scene));
    const intent = 'actions' in decision && decision.actions.find(({ kind }) => kind === 'record-changes');
    expect(intent).toMatchObject({ changes: { addedSizes: { change: { from: of(4, 4), marked: 2 } } } });
    const one: SizeChange = { from: of(4, 4), to: of(3, 4), marked: 2 };
    expect(left(one, 2, [detached('i-1'), marked('i-2'), ...news], of(3, 4))).toEqual([OURS(1)]);
  });

  test('does not count if the members died by themselves and the group has replaced them', () => {
    const dead = ['i-1', 'i-2'].map((id) => detached(id, { alive: false, ecs: null }));
    expect(left(change, 2, [...dead, ...news, fresh('i-5'), fresh('i-6')], of(4, 4))).toEqual([OURS(2)]);
  });

  test('does not count if only some are gone, as all are detached or none', () => {
    const one = [detached('i-1', { alive: false, ecs: null }), marked('i-2'), ...news];
    expect(left(change, 2, one, of(4, 4))).toEqual([OURS(2)]);
  });
});

describe('a change that attaches members again', () => {
  const change: SizeChange = { from: of(2, 9), to: of(4, 9), marked: 1, attaches: true };
  const noted = (members: readonly Sketch[], sizes: Scene) => {
    const decision = settled(change, members, sizes);
    const [first] = decision !== undefined && 'actions' in decision ? decision.actions : [];
    return first?.kind === 'record-changes' ? first.changes.addedSizes.desiredCapacity : undefined;
  };
  const others = [fresh('i-8'), fresh('i-9')];

  test('shows in as many more with marks, though somebody has scaled the group in since', () => {
    const back = ['i-1', 'i-2', 'i-3'].map(marked);
    expect(noted([...back, ...others], of(3, 9))).toBe(2);
    expect(noted([...back.slice(1), ...others], of(3, 9))).toBe(0);
    expect(noted([...back.slice(1), ...others], of(2, 9))).toBe(0);
  });
});

describe('a change is told of', () => {
  const reason = (change: SizeChange, members: readonly Sketch[], sizes: Scene) =>
    settled(change, members, sizes)?.reason;

  test('with the sizes before and after it, or those that are noted', () => {
    const change: SizeChange = { from: of(2, 6), to: of(4, 6), marked: 0 };
    const members = [marked('i-1'), marked('i-2')];
    expect(reason(change, members, of(2, 6))).toEqual({ code: 'size-changes', from: of(2, 6), to: of(4, 6) });
    expect(reason(change, members, of(4, 6))).toEqual({ code: 'size-noted', ...of(4, 6) });
  });

  test('with the sizes that others have set, and what is ours of them', () => {
    const added = { ...of(2, 1), over: of(4, 8) };
    expect(settledWith(added, [fresh('i-9')], of(8, 9))?.reason).toEqual({
      code: 'size-set-by-others',
      sizes: of(8, 9),
      ours: of(2, 1),
    });
  });

  test('without waiting for a detach of which nobody carries a mark', () => {
    const change: SizeChange = { from: of(4, 4), to: of(2, 4), marked: 0 };
    const unsettledChange = { change, since: ago(0) };
    const watch = { draining: [], goodbyes: [], unsettledChange };
    expect(reason(change, [fresh('i-9')], { ...of(4, 4), watch })?.code).toBe('size-noted');
  });
});

describe('sizes are set', () => {
  const set = (from: [number, number], to: [number, number], members: number) => {
    const sketches = Array.from({ length: members }, (_, index) => fresh(`i-${index}`));
    return setSizes(groupOf(observe(sketches)), { from: of(...from), to: of(...to), marked: 0 });
  };

  test('only those that differ, and the desired capacity with a maximum that may lower it', () => {
    const kind = { kind: 'set-sizes', group: 'web-ecs' };
    expect(set([2, 6], [4, 6], 2)).toEqual({ ...kind, desiredCapacity: 4 });
    expect(set([2, 6], [2, 7], 2)).toEqual({ ...kind, maxSize: 7 });
    expect(set([2, 6], [2, 5], 2)).toEqual({ ...kind, desiredCapacity: 2, maxSize: 5 });
    expect(set([2, 6], [2, 7], 8)).toEqual({ ...kind, desiredCapacity: 2, maxSize: 7 });
    expect(set([2, 6], [2, 8], 8)).toEqual({ ...kind, maxSize: 8 });
  });
});

describe('a maximum size that is given back', () => {
  const change: SizeChange = { from: of(2, 4), to: of(2, 3), marked: 0 };
  const addedSizes = { desiredCapacity: 0, maxSize: 1, change };
  const members = [fresh('i-1'), fresh('i-2')];
  const settled = (sizes: Scene) =>
    told(
      observe(members, {
        trafficSources: [TARGET_GROUP],
        roll: { changes: { suspended: [], addedSizes } },
        ...sizes,
      }),
    );

  test('is given back if that was not done, and noted if it was', () => {
    expect(settled(of(2, 4))).toEqual(['set group web-ecs to 2 of at most 3 instances', NOT_OURS]);
    expect(settled(of(2, 3))).toEqual([NOT_OURS]);
  });

  test('is tried again if somebody has scaled the group meanwhile', () => {
    expect(settled(of(3, 4))).toEqual(['tag group web-ecs: 1 of its maximum size is ours']);
  });

  test('suspends no alarms, as the group gets no larger by it', () => {
    expect(settled({ ...of(2, 4), suspendedProcesses: [] })[0]).toBe(
      'set group web-ecs to 2 of at most 3 instances',
    );
  });
});

describe('what others change while some of the size is ours', () => {
  const addedSizes = { desiredCapacity: 2, maxSize: 1, over: { desiredCapacity: 4, maxSize: 8 } };
  const members = ['i-1', 'i-2', 'i-3', 'i-4'].map(marked);
  const seen = (desiredCapacity: number, scene: Scene = {}) =>
    observe(members, {
      trafficSources: [TARGET_GROUP],
      suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
      roll: { changes: { suspended: [], addedSizes } },
      ...of(desiredCapacity, 9),
      ...scene,
    });
  const changed = (desiredCapacity: number, scene: Scene = {}) => told(seen(desiredCapacity, scene));
  const NOTED = 'tag group web-ecs: 2 of its instances are ours; 1 of its maximum size is ours';
  const THEIRS = 'tag group web-ecs: 1 of its maximum size is ours';

  test('lets zones be evened out once more where nothing is left of what the group was made larger by for that', () => {
    const unevenBy = (desiredCapacity: number, maxSize: number) => {
      const changes = { suspended: [], unevenBy: 2, addedSizes };
      const decision = decided(seen(desiredCapacity, { maxSize, roll: { changes } }));
      const actions = decision.kind === 'act' ? decision.actions : [];
      return actions.map((each) => each.kind === 'record-changes' && each.changes.unevenBy);
    };
    expect(unevenBy(4, 9)).toEqual([undefined]);
    expect(unevenBy(4, 8)).toEqual([undefined]);
    expect(unevenBy(8, 9)).toEqual([2]);
  });

  test('is nothing of a size that is not ours', () => {
    const size = (maxSize: number) => settledWith({ ...of(2, 0), over: of(4, 8) }, members, of(6, maxSize));
    expect([size(8), size(20)]).toEqual([undefined, undefined]);
  });

  test('makes nothing ours at all if both sizes are as they were', () => {
    const decision = settledWith({ ...of(2, 1), over: of(4, 8) }, members, of(4, 8));
    expect(decision).toMatchObject({ actions: [{ changes: { addedSizes: NOTHING_ADDED } }] });
    expect(decision).not.toHaveProperty('actions.0.changes.addedSizes.over');
  });

  test('is noted by how much it differs, and ours stays ours', () => {
    expect(changed(8)).toEqual([NOTED]);
    expect(changed(5)).toEqual([NOTED]);
  });

  test('is meant as it is where somebody names it, whether larger or smaller than what we made it', () => {
    expect(changed(8, { namedSize: 8 })).toEqual([THEIRS]);
    expect(changed(5, { namedSize: 5 })).toEqual([THEIRS]);
    expect(changed(5, { namedSize: 8 })).toEqual([NOTED]);
  });

  test('is nothing of the maximum size either that is named along with it', () => {
    const all = 'tag group web-ecs: no change of ours is left';
    expect(changed(8, { namedSize: 8, maxSize: 20 })).toEqual([all]);
    expect(changed(8, { maxSize: 20 })).toEqual([NOTED]);
  });

  test('is as noted if somebody names what we made it', () => {
    expect(changed(6, { namedSize: 6 })[0]).toMatch(/size goes from 6 of 9 to 8 of 9$/);
  });

  test('leaves the rest ours if somebody has lowered the maximum size below what we made it', () => {
    expect(changed(5, { maxSize: 5 })).toEqual(['tag group web-ecs: 1 of its instances are ours']);
    expect(changed(4, { maxSize: 4 })).toEqual(['tag group web-ecs: no change of ours is left']);
    expect(changed(5, { maxSize: 5, namedSize: 5 })).toEqual([
      'tag group web-ecs: no change of ours is left',
    ]);
    expect(changed(5, { maxSize: 6 })).toEqual(['tag group web-ecs: 2 of its instances are ours']);
  });

  test('waits for a minute for somebody to be told of as the one who named it', () => {
    const noted = (seconds: number, scene: Scene = {}) => {
      const unnotedSize = { since: ago(seconds), desiredCapacity: 5 };
      return changed(5, { watch: { draining: [], goodbyes: [], unnotedSize }, ...scene });
    };
    const waits = [expect.stringMatching(/^wait: .* was set to 5, not by the roll: waits up to 60 s/)];
    expect(noted(0)).toEqual(waits);
    expect(noted(60)).toEqual(waits);
    expect(noted(61)).toEqual([NOTED]);
    expect(noted(0, { namedSize: 5 })).toEqual([THEIRS]);
  });

  test('makes nothing ours if it sets the size to what it was without our part, or less', () => {
    expect(changed(4)).toEqual([THEIRS]);
    expect(changed(3)).toEqual([THEIRS]);
  });

  test('is nothing if the size is what we set', () => {
    expect(changed(6)[0]).toMatch(/size goes from 6 of 9 to 8 of 9$/);
  });

  test('counts from what was noted last, so it is noted once', () => {
    const noted = { ...addedSizes, over: { desiredCapacity: 6, maxSize: 8 } };
    const scene = {
      trafficSources: [TARGET_GROUP],
      suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
      roll: { changes: { suspended: [], addedSizes: noted } },
      ...of(8, 9),
    };
    expect(told(observe(members, scene))[0]).toMatch(/size goes from 8 of 9 to 9 of 9$/);
  });

  test('is told apart from our own changes, as each of ours records the size it started from', () => {
    const scene = {
      trafficSources: [TARGET_GROUP],
      suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
      ...of(2, 9),
    };
    const decision = decided(observe([old('i-1'), old('i-2')], scene));
    const holds =
      'actions' in decision ? decision.actions.filter(({ kind }) => kind === 'record-changes') : [];
    expect(holds.at(-1)).toMatchObject({
      changes: { addedSizes: { desiredCapacity: 2, over: { desiredCapacity: 2 } } },
    });
  });
});

describe('a record of what is ours that counts fewer departures than there were', () => {
  const since = ago(600);
  const noted = (count: number | undefined, scene: Scene) => {
    const departures = count === undefined ? {} : { departures: { since, count } };
    const addedSizes = { ...of(2, 0), over: of(3, 9), ...departures };
    const decision = decided(
      observe([marked('i-2'), old('i-3'), fresh('i-8'), fresh('i-9')], {
        suspendedProcesses: ['AZRebalance', 'InstanceRefresh', 'AlarmNotification'],
        roll: { changes: { suspended: [], addedSizes } },
        ...of(4, 9),
        ...scene,
      }),
      { terminateHooks: 'run' },
    );
    const [first] = 'actions' in decision ? decision.actions : [];
    return first?.kind === 'record-changes' ? first.changes.addedSizes : undefined;
  };

  test('is an earlier one, put back: what has left since does not leave twice', () => {
    const left = { ...of(1, 0), over: of(3, 9), departures: { since, count: 1 } };
    expect(noted(0, { departed: 1 })).toEqual(left);
  });

  test('still says what is ours if somebody else has made the group smaller', () => {
    const stays = { ...of(2, 0), over: of(2, 9), departures: { since, count: 1 } };
    expect(noted(1, { departed: 1 })).toEqual(stays);
    expect(noted(1, {})).toEqual(stays);
  });

  test('is believed if it counts none, because the previous version wrote it that way', () => {
    expect(noted(undefined, { departed: 1 })).toEqual({ ...of(2, 0), over: of(2, 9) });
  });

  test('counts no departure that has taken nothing of the size', () => {
    expect(noted(0, { departed: 1, ...of(5, 9) })).toBeUndefined();
  });
});
