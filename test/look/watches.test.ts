import { DescribeTasksCommand, ECSClient, ListTasksCommand } from '@aws-sdk/client-ecs';
import { beforeEach, describe, expect, test } from 'vitest';
import { assessCluster } from '../../lambda/core/group/assess.ts';
import { newMemory } from '../../lambda/look/memory.ts';
import { withWatches } from '../../lambda/look/watches.ts';
import { mocked } from '../aws/mocked.ts';
import { sealedAws } from '../aws/sealed-aws.ts';
import {
  ago,
  detached,
  fresh,
  NOW,
  observe,
  old,
  type Scene,
  SETTINGS,
  type Sketch,
} from '../core/builders.ts';

const ecs = mocked(ECSClient);

/** Looks so many seconds after the first look, and answers since when services have been whole. */
function looking(sketches: readonly Sketch[], scene: Scene = {}) {
  const memory = newMemory(sealedAws(), NOW);
  const observation = observe([...sketches, fresh('i-9')], scene);
  return async (seconds = 0) => {
    const before = ecs.calls().length;
    const now = new Date(NOW.getTime() + seconds * 1000);
    const assessed = assessCluster({ ...observation, now }, SETTINGS);
    const { groups } = await withWatches(sealedAws(), assessed, memory);
    return { servedSince: groups[0]?.group.watch.servedSince, calls: ecs.calls().length - before };
  };
}

beforeEach(() => {
  ecs.on(ListTasksCommand, { desiredStatus: 'RUNNING' }).resolves({ taskArns: ['1', '2'] });
  ecs.on(ListTasksCommand, { desiredStatus: 'STOPPED' }).resolves({ taskArns: ['3', '4'] });
  const task = { group: 'service:api', desiredStatus: 'RUNNING', lastStatus: 'RUNNING' };
  const stopped = { group: 'service:api', desiredStatus: 'STOPPED', lastStatus: 'STOPPED' };
  ecs.on(DescribeTasksCommand).resolves({
    tasks: [
      { ...task, startedAt: ago(300) },
      { ...task, startedAt: ago(200) },
      { ...stopped, stoppingAt: ago(100), stoppedAt: ago(70) },
      { ...stopped, stoppedAt: ago(400) },
      { ...stopped, group: 'family:job', stoppingAt: ago(1) },
    ],
  });
});

const drained = detached('i-1', { ecs: 'DRAINING', turn: 300 });

describe('the first look of an invocation', () => {
  test('dates since when services have been whole by their tasks, and later ones go on from there', async () => {
    const look = looking([drained]);
    expect(await look()).toEqual({ servedSince: ago(100), calls: 3 });
    expect(await look(10)).toEqual({ servedSince: ago(100), calls: 0 });
  });

  test.each<[string, readonly Sketch[], Scene]>([
    ['nothing leaves', [old('i-1')], {}],
    ['there are many hundreds', [{ ...drained, running: 1001 }], {}],
    ['tasks have yet to move', [{ ...drained, tasks: ['service:api'] }], {}],
    ['the group can not be rolled', [drained], { launch: { obstacle: { code: 'group-left-out' } } }],
  ])('asks for no tasks while %s', async (_, sketches, scene) => {
    expect((await looking(sketches, scene)()).calls).toBe(0);
  });
});
