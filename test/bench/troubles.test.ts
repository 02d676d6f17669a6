import { expect, it } from 'vitest';
import { CLUSTERS } from './clusters.ts';
import { CONTESTANTS } from './contestants.ts';
import { copeAll, TROUBLES } from './troubles.ts';

const [cluster] = CLUSTERS;

it('in every trouble services of ours keep their minimum, and a bad image leaves nothing behind', async () => {
  if (cluster === undefined) throw new Error('nothing is rolled');
  const ways = CONTESTANTS.filter(({ name }) => name === 'ours' || name === 'ancestor');
  const coped = await copeAll(cluster, ways, [1]);
  expect(coped).toHaveLength(2 * TROUBLES.length);
  const of = (who: string) => coped.filter(({ contestant }) => contestant === who);
  for (const each of of('ours')) expect(each).toMatchObject({ belowMinimumSeconds: 0, connectionsCut: 0 });
  expect(of('ours').map(({ onNewImage, onOldImage }) => [onNewImage, onOldImage])).toEqual([
    [0, 4],
    [0, 4],
    [4, 1],
    [0, 4],
    [4, 0],
  ]);
  expect(of('ancestor').some(({ belowMinimumSeconds }) => belowMinimumSeconds > 600)).toBe(true);
});
