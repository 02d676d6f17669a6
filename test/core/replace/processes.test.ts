import { describe, expect, test } from 'vitest';
import { hasRoll } from '../../../lambda/core/group/assess.ts';
import type { TemporaryChanges } from '../../../lambda/core/model/roll.ts';
import type { Settings } from '../../../lambda/core/model/settings.ts';
import { processesInTheWay, warnOfUnreplaced } from '../../../lambda/core/replace/processes.ts';
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

const OURS = ['AZRebalance', 'InstanceRefresh'];
const holding = (...suspended: string[]): { readonly changes: TemporaryChanges } => ({
  changes: { suspended, addedSizes: { desiredCapacity: 0, maxSize: 0 } },
});
const larger = (...suspended: string[]): { readonly changes: TemporaryChanges } => ({
  changes: { suspended, addedSizes: { desiredCapacity: 1, maxSize: 0 } },
});

const ABORT = { kind: 'abort', since: ago(60), because: { code: 'asked' } } as const;

/** What would get in the way of what a scene's roll does. */
function inTheWay(sketches: readonly Sketch[], scene: Scene = {}, settings: Partial<Settings> = {}) {
  const assessment = assessed(observe(sketches, scene), settings);
  return hasRoll(assessment) ? processesInTheWay(assessment) : [];
}

describe('while there is something to replace', () => {
  const RECORD = 'tag group web-ecs: AZRebalance and InstanceRefresh suspended by us';
  const SUSPEND = 'suspend AZRebalance and InstanceRefresh of group web-ecs';
  const running: Scene = { suspendedProcesses: [] };

  test('what would get in the way is recorded, then suspended', () => {
    expect(told(observe([old('i-1')], running))).toEqual([RECORD, SUSPEND]);
  });

  test.each([
    ['a member', [old('i-1')]],
    ['an instance that is detached', [detached('i-1'), fresh('i-2')]],
    ['one that is being detached', [old('i-1', { member: 'Detaching', marked: 5 })]],
  ])('even if it is %s', (_, sketches) => {
    expect(told(observe(sketches, running))).toEqual([RECORD, SUSPEND]);
  });

  test('or an instance of the warm pool', () => {
    const warm = [old('i-8', { member: 'Warmed:Stopped', ecs: null })];
    expect(told(observe([fresh('i-1')], { ...running, warm }))).toEqual([RECORD, SUSPEND]);
  });

  test('what the owner has suspended is left alone', () => {
    expect(told(observe([old('i-1')], { suspendedProcesses: ['AZRebalance', 'Launch'] }))).toEqual([
      'tag group web-ecs: InstanceRefresh suspended by us',
      'suspend InstanceRefresh of group web-ecs',
    ]);
  });

  test('what the owner resumes in the middle is suspended from then on, and is ours to resume', () => {
    const scene = { suspendedProcesses: ['InstanceRefresh'], roll: holding('InstanceRefresh') };
    expect(told(observe([old('i-1')], scene))).toEqual([
      'tag group web-ecs: InstanceRefresh and AZRebalance suspended by us',
      'suspend AZRebalance of group web-ecs',
    ]);
  });

  test('what a killed run recorded but did not suspend is suspended, once the record is checked again', () => {
    expect(told(observe([old('i-1')], { suspendedProcesses: [], roll: holding(...OURS) }))).toEqual([
      'tag group web-ecs: AZRebalance and InstanceRefresh suspended by us',
      SUSPEND,
    ]);
  });

  test('nothing is suspended before the roll is recorded, or when there is nothing to replace', () => {
    expect(told(observe([old('i-1')], { ...running, roll: null }))).toEqual([
      'tag group web-ecs: roll onto ami-7a2',
    ]);
    expect(told(observe([fresh('i-1')], running))).toEqual(['remove the tags from group web-ecs']);
  });
});

describe('once all is replaced', () => {
  test('exactly what is ours is resumed, then removed from the record', () => {
    const scene = { suspendedProcesses: [...OURS, 'Launch'], roll: holding('InstanceRefresh') };
    expect(told(observe([fresh('i-1')], scene))).toEqual([
      'resume InstanceRefresh of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('what does not look suspended is resumed anyway, as AWS may be late to show it', () => {
    const scene = { suspendedProcesses: [], roll: holding(...OURS) };
    expect(told(observe([fresh('i-1')], scene))).toEqual([
      'resume AZRebalance and InstanceRefresh of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('but not before the last replacement is ready and our part of the size is given back', () => {
    const scene = { suspendedProcesses: OURS, roll: holding(...OURS) };
    const pending = fresh('i-1', { member: 'Pending' });
    expect(told(observe([pending], scene))[0]).toMatch(/^wait: .* i-1 is Pending/);
    const surplus = { ...larger(...OURS), suspendedProcesses: [...OURS, 'AlarmNotification'] };
    const { changes, suspendedProcesses } = surplus;
    expect(told(observe([fresh('i-1'), fresh('i-2')], { roll: { changes }, suspendedProcesses }))[0]).toMatch(
      /^tag i-\d to be replaced$/,
    );
  });

  test('says which are suspended, which resumed, and which were forgotten', () => {
    const reason = (sketch: Sketch, scene: Scene) => decided(observe([sketch], scene)).reason;
    expect(reason(old('i-1'), { suspendedProcesses: [] })).toEqual({
      code: 'processes-suspended',
      processes: OURS,
    });
    expect(reason(fresh('i-1'), { suspendedProcesses: OURS, roll: holding(...OURS) })).toEqual({
      code: 'processes-resumed',
      processes: OURS,
    });
    const suspendedHere = ['AZRebalance'];
    expect(reason(fresh('i-1'), { suspendedProcesses: OURS, roll: null, suspendedHere })).toEqual({
      code: 'processes-forgotten',
      processes: suspendedHere,
    });
  });

  test('a change of the desired capacity that is under way counts as larger, one of the maximum does not', () => {
    const changing = (desiredCapacity: number) => {
      const from = { desiredCapacity: 1, maxSize: 9 };
      const change = { from, to: { desiredCapacity, maxSize: 10 }, marked: 0 };
      const addedSizes = { desiredCapacity: 0, maxSize: 0, change };
      return inTheWay([fresh('i-1')], { maxSize: 9, roll: { changes: { suspended: [], addedSizes } } });
    };
    expect(changing(2)).toEqual([...OURS, 'AlarmNotification']);
    expect(changing(1)).toEqual([]);
  });

  test('what drained stays safe from being replaced while EC2 does not answer for an instance', () => {
    const resumed = (unknown: Scene['unknown']) => {
      const suspended = [...OURS, 'ReplaceUnhealthy'];
      const scene = { suspendedProcesses: suspended, roll: holding('ReplaceUnhealthy') };
      return told(observe([fresh('i-1')], { ...scene, ...(unknown && { unknown }) })).join();
    };
    expect(resumed(undefined)).toContain('resume ReplaceUnhealthy');
    expect(resumed({ zones: ['a'], instanceIds: ['i-7'] })).not.toContain('resume ReplaceUnhealthy');
  });

  test('nothing is suspended anew for a member that is not ready, or for uneven zones', () => {
    const pending = [fresh('i-1', { member: 'Pending' })];
    expect(inTheWay(pending, { roll: holding(...OURS) })).toEqual(OURS);
    expect(inTheWay(pending, { roll: holding() })).toEqual([]);
    const uneven = [fresh('i-1', { zone: 'a' }), fresh('i-2', { zone: 'a' })];
    const zones = { availabilityZones: ['a', 'b'], maxSize: 9 };
    expect(inTheWay(uneven, { ...zones, roll: holding(...OURS) })).toEqual(OURS);
    expect(inTheWay(uneven, { ...zones, roll: holding() })).toEqual([]);
  });

  test('an aborted roll keeps suspended only what gets in the way of what it has begun to replace', () => {
    const aborted: Scene = { roll: { ...holding(...OURS), course: ABORT } };
    const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
    expect(inTheWay([old('i-1'), fresh('i-2')], aborted, inPlace)).toEqual([]);
    expect(inTheWay([old('i-1', { marked: 60 }), fresh('i-2')], aborted, inPlace)).toEqual(OURS);
  });

  test('a refresh that began meanwhile is not let go on', () => {
    const roll = { ...holding(...OURS), course: ABORT };
    const instanceRefresh = { status: 'InProgress', decidesLaunches: false };
    expect(told(observe([fresh('i-1')], { suspendedProcesses: OURS, roll, instanceRefresh }))).toEqual([
      'resume AZRebalance of group web-ecs',
      'tag group web-ecs: InstanceRefresh suspended by us',
    ]);
  });

  test('the tags are not cleared before', () => {
    const scene = { suspendedProcesses: OURS, roll: holding(...OURS) };
    expect(told(observe([fresh('i-1')], scene))).not.toContain('remove the tags from group web-ecs');
  });
});

describe('alarms', () => {
  const served: Scene = { trafficSources: [TARGET_GROUP], desiredCapacity: 2, maxSize: 4 };

  test('may scale the group while we have not made it larger', () => {
    expect(told(observe([fresh('i-1'), fresh('i-2')], served))).toEqual([
      'remove the tags from group web-ecs',
    ]);
  });

  test('may not scale it while we have', () => {
    const members = [old('i-1', { marked: 10 }), fresh('i-2')];
    expect(told(observe(members, { ...served, roll: larger() }))).toEqual([
      'tag group web-ecs: AlarmNotification suspended by us; 1 of its instances are ours',
      'suspend AlarmNotification of group web-ecs',
    ]);
  });

  test('may scale it again once our part is given back', () => {
    const scene = {
      ...served,
      suspendedProcesses: [...OURS, 'AlarmNotification'],
      roll: holding('AlarmNotification'),
    };
    expect(told(observe([detached('i-1'), fresh('i-2'), fresh('i-3')], scene))).toEqual([
      'resume AlarmNotification of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
  });
});

describe('members that drain in place', () => {
  const inPlace = { maxSurge: { kind: 'count', count: 0 } } as const;
  const running: Scene = { suspendedProcesses: OURS };
  const served: Scene = { ...running, trafficSources: [TARGET_GROUP] };
  const SUSPEND = [
    'tag group web-ecs: ReplaceUnhealthy suspended by us',
    'suspend ReplaceUnhealthy of group web-ecs',
  ];
  const next = old('i-1', { marked: 20, turn: 10 });

  test('are kept from being replaced as unhealthy as soon as they have a turn, whatever checks them', () => {
    expect(told(observe([next, old('i-2')], served), inPlace)).toEqual(SUSPEND);
    expect(told(observe([next, old('i-2')], running), inPlace)).toEqual(SUSPEND);
  });

  test('may be replaced until then', () => {
    expect(told(observe([old('i-1', { marked: 20 })], served), inPlace)).toEqual([
      'tag i-1 as the next to drain',
    ]);
  });

  test('stay so while their group ends another', () => {
    const ended = fresh('i-2', { healthy: false, member: 'Terminating:Wait' });
    expect(told(observe([next, ended], served), inPlace)).toEqual(SUSPEND);
  });

  test('leave another member that fails for the group to replace', () => {
    const scene = {
      ...served,
      suspendedProcesses: [...OURS, 'ReplaceUnhealthy'],
      roll: holding('ReplaceUnhealthy'),
    };
    expect(told(observe([next, fresh('i-2', { healthy: false })], scene), inPlace)).toEqual([
      'resume ReplaceUnhealthy of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('be it one that died before it was in service', () => {
    const scene = {
      ...served,
      suspendedProcesses: [...OURS, 'ReplaceUnhealthy'],
      roll: holding('ReplaceUnhealthy'),
    };
    const dead = fresh('i-2', { member: 'Pending:Proceed', healthy: false, alive: false, ecs: null });
    expect(told(observe([next, dead], scene), inPlace)).toEqual([
      'resume ReplaceUnhealthy of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
    const aside = old('i-2', { member: 'Standby', healthy: false });
    expect(told(observe([next, aside, old('i-3')], served), inPlace)).toEqual(SUSPEND);
  });

  test('but not if a draining one fails with it, as after deregistration from its load balancer', () => {
    const draining = old('i-1', {
      marked: 20,
      turn: 10,
      ecs: 'DRAINING',
      healthy: false,
      tasks: ['service:api'],
    });
    const scene = {
      ...served,
      suspendedProcesses: [...OURS, 'ReplaceUnhealthy'],
      roll: holding('ReplaceUnhealthy'),
    };
    const all = [draining, fresh('i-2', { healthy: false })];
    expect(told(observe(all, scene), inPlace)).toEqual([
      'wait: i-1 drains: 1 task of service api left on i-1',
    ]);
  });

  test('nor do they keep it from that by failing before they drain: none would begin to', () => {
    const failing = old('i-1', { marked: 20, turn: 10, healthy: false });
    const scene = {
      ...served,
      suspendedProcesses: [...OURS, 'ReplaceUnhealthy'],
      roll: holding('ReplaceUnhealthy'),
    };
    const gone = old('i-2', { ecs: null, healthy: false, alive: false });
    expect(told(observe([failing, gone], scene), inPlace)).toEqual([
      'resume ReplaceUnhealthy of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
    expect(told(observe([failing, fresh('i-2')], served), inPlace)).toEqual(SUSPEND);
  });

  // BUG in core/processes.ts, drainsInService: it counts what is gone, and the roll waits for its group
  // for ever.
  test('but if it no longer runs, as nothing else would remove it from its group', () => {
    const gone = old('i-1', { marked: 20, turn: 10, ecs: null, healthy: false, alive: false });
    const scene = {
      ...served,
      suspendedProcesses: [...OURS, 'ReplaceUnhealthy'],
      roll: holding('ReplaceUnhealthy'),
    };
    expect(told(observe([gone, fresh('i-2')], scene), inPlace)).toEqual([
      'resume ReplaceUnhealthy of group web-ecs',
      'tag group web-ecs: no change of ours is left',
    ]);
  });

  test('are replaced as usual once their drain is given up, or their group ends them', () => {
    const drains = ['ReplaceUnhealthy'];
    const inTurn = (rest: Partial<Sketch>) =>
      inTheWay([old('i-1', { marked: 20, turn: 10, ...rest })], served, inPlace);
    expect(inTurn({})).toEqual([...OURS, ...drains]);
    expect(inTurn({ givenUp: 5 })).toEqual(OURS);
    expect(inTurn({ member: 'Terminating:Wait' })).toEqual([]);
    expect(inTurn({ givenUp: 5, healthy: false })).toEqual([...OURS, ...drains]);
  });

  test('are replaced as usual once none drains, while the other processes stay suspended', () => {
    const suspended = [...OURS, 'ReplaceUnhealthy'];
    const scene = { ...served, suspendedProcesses: suspended, roll: holding(...suspended) };
    expect(told(observe([fresh('i-1'), old('i-2')], scene), inPlace)).toEqual([
      'resume ReplaceUnhealthy of group web-ecs',
      'tag group web-ecs: AZRebalance and InstanceRefresh suspended by us',
    ]);
  });
});

describe('what this invocation has suspended', () => {
  const suspendedHere = ['AZRebalance'];

  test('is resumed as soon as no tag names it, as another invocation has ended the roll', () => {
    const scene = { roll: null, suspendedProcesses: ['AZRebalance', 'Launch'], suspendedHere };
    expect(told(observe([fresh('i-1')], scene))).toEqual(['resume AZRebalance of group web-ecs']);
  });

  test.each<[string, Scene]>([
    ['the tags tell of it', { roll: holding('AZRebalance'), suspendedProcesses: OURS, suspendedHere }],
    ['somebody has resumed it', { roll: null, suspendedProcesses: [], suspendedHere }],
    ['it was suspended before', { roll: null, suspendedProcesses: ['AZRebalance'], suspendedHere: [] }],
  ])('is left where %s', (_, scene) => {
    expect(told(observe([detached('i-1'), fresh('i-2')], scene))).not.toContain(
      'resume AZRebalance of group web-ecs',
    );
  });
});

describe('a group that keeps what died', () => {
  const warned = (scene: Scene, healthy = false) =>
    warnOfUnreplaced(groupOf(observe([fresh('i-1', { healthy }), fresh('i-2')], scene)));
  const suspendedProcesses = ['ReplaceUnhealthy'];

  test('is told of while somebody else has suspended that process', () => {
    expect(warned({ suspendedProcesses })).toEqual([{ code: 'none-replaced', instanceIds: ['i-1'] }]);
    expect(warned({ suspendedProcesses, roll: null })).toHaveLength(1);
  });

  test('is not told of one that is not in service', () => {
    const pending = fresh('i-1', { healthy: false, member: 'Pending' });
    expect(warnOfUnreplaced(groupOf(observe([pending], { suspendedProcesses })))).toEqual([]);
  });

  test.each<[string, Scene, boolean]>([
    ['nothing died', { suspendedProcesses }, true],
    ['the process runs', { suspendedProcesses: OURS }, false],
    ['the roll has suspended it', { suspendedProcesses, roll: holding('ReplaceUnhealthy') }, false],
  ])('but not where %s', (_, scene, healthy) => {
    expect(warned(scene, healthy)).toEqual([]);
  });
});
