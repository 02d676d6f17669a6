import { expect, test, vi } from 'vitest';
import type { GroupResult } from '../../lambda/core/result.ts';
import { publish } from '../../lambda/metrics/publish.ts';
import { dimensionsIn, emfOf, valuesIn } from './emf.ts';

const RESULT: GroupResult = {
  cluster: 'web',
  group: 'web-ecs',
  state: 'blocked',
  imageId: null,
  instances: { drifted: 0, detached: 0, replaced: 0, total: 0 },
  outdated: [],
  code: 'no-room',
  reason: 'has no room',
};

test('a group has one line, with its name as a field and the function as the only dimension', async () => {
  const [line, ...others] = await emfOf(() =>
    publish('ecs-ami-deploy', 'function', RESULT, { imageAge: 51.5, trial: 120 }),
  );
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    _aws: {
      CloudWatchMetrics: [
        {
          Namespace: 'ecs-ami-deploy',
          Dimensions: [['service']],
          Metrics: [
            { Name: 'ImageAgeDays', Unit: 'Count' },
            { Name: 'TrialSeconds', Unit: 'Seconds' },
          ],
        },
      ],
    },
    service: 'ecs-ami-deploy',
    cluster: 'web',
    group: 'web-ecs',
    state: 'blocked',
    ImageAgeDays: 51.5,
    TrialSeconds: 120,
  });
});

test('with metrics by group, each metric is there for the group, too', async () => {
  const warn = vi.spyOn(process.stderr, 'write');
  const lines = await emfOf(() => publish('ecs-ami-deploy', 'group', RESULT, { imageAge: 1 }));
  expect(lines.map(dimensionsIn)).toEqual([[['service'], ['service', 'cluster', 'group']]]);
  expect(warn).not.toHaveBeenCalled();
});

test('a blocked group counts by its code, too', async () => {
  const lines = await emfOf(() => publish('ecs-ami-deploy', 'function', RESULT, { blockedGroups: 1 }));
  expect(lines.map(dimensionsIn)).toEqual([[['service'], ['service', 'code']]]);
  expect(lines.map(valuesIn)).toEqual([{ BlockedGroups: 1 }]);
  expect(lines[0]).toMatchObject({ code: 'no-room', cluster: 'web', group: 'web-ecs' });
});

test('characters that CloudWatch refuses in a dimension are replaced', async () => {
  const [line] = await emfOf(() =>
    publish('ecs-ami-deploy', 'group', { ...RESULT, group: 'wéb\n1' }, { imageAge: 1 }),
  );
  expect(line).toMatchObject({ group: 'w?b?1' });
});

test('nothing to tell is no line', async () => {
  expect(await emfOf(() => publish('ecs-ami-deploy', 'function', RESULT, {}))).toEqual([]);
});
