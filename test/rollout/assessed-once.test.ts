import { beforeEach, expect, test, vi } from 'vitest';
import { decideGroup } from '../../lambda/core/decide.ts';
import { classify } from '../../lambda/core/group/classify.ts';
import { outdatedSources } from '../../lambda/core/group/drift.ts';
import { groupsOf } from './outcomes.ts';
import { type Stage, stage } from './stage.ts';

vi.mock('../../lambda/core/decide.ts', { spy: true });
vi.mock('../../lambda/core/group/classify.ts', { spy: true });
vi.mock('../../lambda/core/group/drift.ts', { spy: true });

beforeEach(() => vi.clearAllMocks());

const FAMILY = 'amazon-linux-2023';

/** Two groups that are to be rolled, and services that tell of them. */
function staged(): Stage {
  return stage({
    shortcut: true,
    furnish: (world) => {
      world.addCluster('demo');
      const image = world.release(FAMILY, { ageDays: 40 });
      for (const name of ['one', 'other'])
        world.addGroup({ name, cluster: 'demo', image, instances: 2, launchSpec: 'launch-template' });
      world.addService('demo', { name: 'web', desiredCount: 4 });
      world.release(FAMILY, { ageDays: 3 });
    },
  });
}

/** How often the instances of a group, and its launch spec, were compared with what they should be. */
const comparisons = () => [classify, outdatedSources].map((each) => vi.mocked(each).mock.calls.length);

test('each group is assessed once a look, whatever is read, decided and told of it', async () => {
  const groups = groupsOf(await staged().invoke({ action: 'status' }));
  expect(groups.map(({ state }) => state)).toEqual(['planned', 'planned']);
  expect(comparisons()).toEqual([2, 2]);
});

test('and in a plan once more for each step that is foreseen', async () => {
  const groups = groupsOf(await staged().invoke({ action: 'plan' }));
  expect(groups.map(({ steps = [] }) => steps.length > 5)).toEqual([true, true]);
  const decisions = vi.mocked(decideGroup).mock.calls.length;
  expect(decisions).toBeGreaterThan(20);
  expect(comparisons()).toEqual([decisions, decisions]);
});
