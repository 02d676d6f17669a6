import { expect, test } from 'vitest';
import type { Action } from '../../lambda/core/actions/decision.ts';
import { followUps } from '../../lambda/core/follow-up.ts';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import type { GroupDecision } from '../../lambda/core/group-decision.ts';
import { NO_CHANGES, NOTHING_ADDED } from '../../lambda/core/model/roll.ts';
import {
  alarmSince,
  decideAll,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  SETTINGS,
  together,
} from './builders.ts';

const kindsOf = ({ decision }: GroupDecision): readonly Action['kind'][] =>
  'actions' in decision ? decision.actions.map(({ kind }) => kind) : [];

/** What is done in one look, decision by decision, if `isDone` says of each that it was carried out. */
function inOneLook(scene: Scene, isDone = (_: GroupDecision) => true) {
  const observation = observe([old('i-1'), old('i-2')], scene);
  const cluster = assessCluster(observation, SETTINGS);
  const [first] = decideAll(observation, SETTINGS, ROLL);
  if (first === undefined) throw new Error('nothing was decided');
  const kinds: (readonly Action['kind'][])[] = [];
  let last: GroupDecision | undefined = first;
  while (last !== undefined) {
    kinds.push(kindsOf(last));
    [last] = followUps(cluster, [last], isDone(last) ? [last] : [], ROLL);
  }
  return kinds;
}

const UNBEGUN = { roll: null, suspendedProcesses: [] };
const TEMPLATE = { kind: 'launch-template', templateId: 'lt-1', reference: 'number', version: 1 } as const;

test('a roll is recorded, processes are suspended and a version is made in one look; the group gets it in another', () => {
  expect(inOneLook({ ...UNBEGUN, launch: launching(TEMPLATE) })).toEqual([
    ['record-roll'],
    ['record-changes', 'suspend-processes'],
    ['create-launch-template-version'],
  ]);
});

test('a group gets a launch configuration, which takes effect at once, in another look', () => {
  expect(inOneLook({ ...UNBEGUN, launch: launching(PLACE, OLD) })).toEqual([
    ['copy-launch-configuration', 'record-roll'],
    ['record-changes', 'suspend-processes'],
  ]);
});

test('nothing follows what was not carried out', () => {
  expect(inOneLook(UNBEGUN, () => false)).toHaveLength(1);
});

test('nothing is detached in the look that prepares it', () => {
  expect(inOneLook({ suspendedProcesses: [] })).toEqual([['record-changes', 'suspend-processes']]);
});

test('nothing follows what is no preparation', () => {
  expect(inOneLook({ ...UNBEGUN, misnamed: true })).toEqual([['record-cluster']]);
});

test('nothing follows what only records that notes are void', () => {
  const over = { ...NOTHING_ADDED, desiredCapacity: 99 };
  const changes = { ...NO_CHANGES, addedSizes: over };
  expect(inOneLook({ suspendedProcesses: [], roll: { changes } })).toEqual([['record-changes']]);
});

test('a wait does not follow', () => {
  const settings = { ...SETTINGS, alarmNames: ['errors'] };
  const observation = observe([old('i-1'), old('i-2')], {
    suspendedProcesses: [],
    alarms: [alarmSince(60)],
  });
  const last = decideAll(observation, settings, ROLL);
  expect(last.map(kindsOf)).toEqual([['record-changes', 'suspend-processes']]);
  expect(followUps(assessCluster(observation, settings), last, last, ROLL)).toEqual([]);
});

test('only groups whose own preparation was carried out go on', () => {
  const observation = together(observe([old('i-1')], UNBEGUN), observe([old('i-2')], UNBEGUN));
  const last = decideAll(observation, SETTINGS, ROLL);
  const following = followUps(assessCluster(observation, SETTINGS), last, last.slice(1), ROLL);
  expect(last.map(kindsOf)).toEqual([['record-roll'], ['record-roll']]);
  expect(following.map(({ assessment }) => assessment.group.name)).toEqual(['web-ecs']);
});
