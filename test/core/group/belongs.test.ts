import { describe, expect, test } from 'vitest';
import { belonging, busyElsewhere, type Claim } from '../../../lambda/core/group/belongs.ts';
import type { ContainerInstance } from '../../../lambda/core/model/cluster.ts';
import type { Member } from '../../../lambda/core/model/group.ts';
import { sentenceOf } from '../../../lambda/core/reasons/reason.ts';
import { ago, arnOf, NOW } from '../builders.ts';

const member = (instanceId: string, lifecycleState = 'InService'): Member => ({
  instanceId,
  lifecycleState,
  healthy: true,
  instanceType: 'm5.large',
  availabilityZone: 'a',
  weight: 1,
});

const registration = (instanceId: string, tasks = 0, again = ''): ContainerInstance => ({
  arn: `${arnOf(instanceId)}${again}`,
  instanceId,
  status: 'ACTIVE',
  agentConnected: true,
  pendingTasksCount: 0,
  runningTasksCount: tasks,
});

interface Sketch extends Partial<Omit<Claim, 'members' | 'registered' | 'launchedAt'>> {
  readonly members?: readonly Member[];
  readonly web?: readonly string[];
  readonly jobs?: readonly string[];
  /** Members that were launched a minute ago; the others yesterday. */
  readonly young?: readonly string[];
}

const ALL = ['i-1', 'i-2', 'i-3', 'i-4'];

function claim({
  web = [],
  jobs = [],
  young = [],
  members = ALL.map((id) => member(id)),
  ...rest
}: Sketch): Claim {
  return {
    cluster: 'web',
    members,
    now: NOW,
    readyTimeoutSeconds: 900,
    registered: new Map([
      ['web', web.map((id) => registration(id))],
      ['jobs', jobs.map((id) => registration(id))],
    ]),
    launchedAt: new Map(
      members.map(({ instanceId }) => [instanceId, ago(young.includes(instanceId) ? 60 : 86_400)]),
    ),
    providedIn: [],
    namedIn: [],
    ...rest,
  };
}

describe('a group belongs to the cluster', () => {
  test.each<[string, Sketch]>([
    ['if most of its members are registered there', { web: ['i-1', 'i-2', 'i-3'] }],
    ['whatever is registered elsewhere too', { web: ALL, jobs: ['i-1'] }],
    [
      'if a capacity provider stands for it, and one member at least is registered',
      { web: ['i-1'], providedIn: ['web'] },
    ],
    ['if a capacity provider stands for it, with no members', { providedIn: ['web'], members: [] }],
    ['if the settings name it, though none is registered', { namedIn: ['web'] }],
    ['if the settings name it, with no members at all', { namedIn: ['web'], members: [] }],
    ['as long as its roll is recorded', { begunFor: 'web', jobs: ALL }],
    [
      'by those in Standby, if none serves',
      { members: [member('i-1', 'Standby'), member('i-2', 'Standby')], web: ['i-1', 'i-2'] },
    ],
    [
      'by those that serve: what ends counts for nothing',
      { members: [member('i-1'), member('i-2', 'Terminating:Wait')], web: ['i-1'] },
    ],
    ['if most are, though both stand for it', { web: ALL, providedIn: ['web', 'jobs'] }],
    [
      'by those that serve, whatever stands by',
      {
        members: [member('i-1'), member('i-2', 'Standby'), member('i-3', 'Standby')],
        web: ['i-1'],
        jobs: ['i-2', 'i-3'],
      },
    ],
  ])('%s', (_, sketch) => {
    expect(belonging(claim(sketch))).toEqual({ kind: 'ours' });
  });
});

describe('a group does not belong to the cluster', () => {
  test.each<[string, Sketch, RegExp]>([
    [
      'by one registered instance',
      { web: ['i-2'] },
      /^the group is left alone: 1 of its 4 members \(i-2\) is registered/,
    ],
    ['by half of them', { web: ['i-1', 'i-2'] }, /fix ECS_CLUSTER of these instances, or name it in GROUPS$/],
    [
      'by what is no member: a ghost',
      { web: ['i-7', 'i-8', 'i-9'] },
      /none of its 4 members is registered in cluster web/,
    ],
    ['with no members', { members: [] }, /if it belongs to that cluster, name it in GROUPS$/],
    [
      'if most are registered in another',
      { web: ['i-1'], jobs: ['i-2', 'i-3', 'i-4'], providedIn: ['web'] },
      /cluster jobs/,
    ],
    [
      'by a capacity provider alone, which whoever manages the cluster may have given it',
      { providedIn: ['web'] },
      /none of its 4 members is registered in cluster web, and a capacity provider alone, .* name it in GROUPS$/,
    ],
    ['while its roll is for another', { web: ALL, begunFor: 'jobs' }, /its roll is for cluster jobs/],
    ['by half, though one of the others is young', { web: ['i-1'], young: ['i-2'] }, /1 of its 4 members/],
  ])('%s', (_, sketch, reason) => {
    const found = belonging(claim(sketch));
    expect(found.kind).toBe('stranger');
    expect('reason' in found && sentenceOf(found.reason)).toMatch(reason);
  });

  test('because of one instance that is registered twice', () => {
    const registered = new Map([['web', [registration('i-1'), registration('i-1', 0, '-again')]]]);
    const two = [member('i-1'), member('i-2'), member('i-3')];
    expect(belonging({ ...claim({ members: two }), registered }).kind).toBe('stranger');
  });
});

test('an instance that has just been launched is waited for', () => {
  expect(belonging(claim({ web: ['i-1', 'i-2'], young: ['i-3', 'i-4'] }))).toEqual({
    kind: 'undecided',
    reason: { code: 'belonging-undecided', cluster: 'web', registered: ['i-1', 'i-2'], members: 4 },
  });
  const launched = (seconds: number) => ({
    ...claim({ web: ['i-1', 'i-2'] }),
    launchedAt: new Map([['i-3', ago(seconds)]]),
  });
  expect([899, 900].map((seconds) => belonging(launched(seconds)).kind)).toEqual(['undecided', 'stranger']);
  expect(belonging(claim({ providedIn: ['web'], young: ALL }))).toMatchObject({ kind: 'undecided' });
  expect(belonging(claim({ young: ALL }))).toMatchObject({ kind: 'stranger' });
});

test('those that are still pending are waited for, too: the one that serves may be the only one here', () => {
  const members = [member('i-1'), member('i-2', 'Pending:Proceed'), member('i-3', 'Pending:Wait')];
  expect(belonging(claim({ members, web: ['i-1'] }))).toMatchObject({ kind: 'undecided' });
  expect(belonging(claim({ members, web: ['i-1', 'i-2'] }))).toEqual({ kind: 'ours' });
});

test('two clusters contest a group when neither has most of its members', () => {
  expect(belonging(claim({ providedIn: ['web'], namedIn: ['jobs'], web: ['i-1', 'i-2'] }))).toEqual({
    kind: 'contested',
    reason: { code: 'belonging-contested', clusters: ['jobs', 'web'] },
  });
});

test('another cluster is busy on an instance as long as it has tasks there', () => {
  const registered = new Map([
    ['jobs', [registration('i-1', 1), registration('i-2')]],
    ['web', [registration('i-1', 3), registration('i-3', 2)]],
  ]);
  expect(busyElsewhere(registered, 'web')).toEqual(new Map([['i-1', 'jobs']]));
});
