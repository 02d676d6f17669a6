import { expect, test } from 'vitest';
import type { Action } from '../../lambda/core/actions/decision.ts';
import { followUps } from '../../lambda/core/follow-up.ts';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import type { GroupDecision } from '../../lambda/core/group-decision.ts';
import { decideAll, launching, OLD, observe, old, PLACE, ROLL, type Scene, SETTINGS } from './builders.ts';

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
