import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import type { Expectations } from '../invariants/invariants.ts';
import { type Instance, isAlive } from '../simulated-aws/world/ec2/model.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { groupOf, membersOf, tagGroup } from './happenings.ts';
import { afterCall, only } from './outcomes.ts';
import { type Stage, standardStage } from './stage.ts';

/** Members that drain while somebody spoils their marks, or takes them away: the roll ends all the same. */

const NEW = 'ami-00000000000000002';

const isOurs = (key: string) => Object.values<string>(INSTANCE_TAGS).includes(key);

const FORGERIES: Readonly<Record<string, (instance: Instance) => void>> = {
  'spoils the seal of': ({ tags }) => tags.set(INSTANCE_TAGS.detachStartedAt, 'forged'),
  'changes what is sealed with': ({ tags }) => tags.set(INSTANCE_TAGS.cluster, 'jobs'),
  'changes the turn of': ({ tags }) => tags.set(INSTANCE_TAGS.drainStartedAt, '2020-01-01'),
  'takes away': ({ tags }) => {
    for (const key of [...tags.keys()].filter(isOurs)) tags.delete(key);
  },
};

function staged(
  environment: Readonly<Record<string, string>>,
  endings: Expectations['endings'] = ['completed'],
): Stage {
  const made = standardStage(
    { group: { maxSize: 10 } },
    {
      environment,
      expectations: { endings },
      lambdaSeconds: 3000,
      furnish: ({ owner }) =>
        owner.addLifecycleHook('demo-ecs', { name: 'logs', transition: 'terminating', seconds: 40 }),
    },
  );
  made.clock.advance(3600);
  return made;
}

const drainingIn = ({ state }: World) =>
  [...state.instances.values()].filter(
    (instance) => isAlive(instance) && instance.containerInstance?.status === 'DRAINING',
  );

const staying = (made: Stage) => membersOf(made).filter(isAlive);

const SETTINGS: readonly Readonly<Record<string, string>>[] = [
  { MAX_SURGE: '0' },
  { MAX_SURGE: '0', DRAIN_CONCURRENCY: '2' },
  { TERMINATE_HOOKS: 'run' },
  { TERMINATE_HOOKS: 'run', MAX_SURGE: '2', DRAIN_CONCURRENCY: '2' },
];

describe.each(SETTINGS)(
  'when members drain inside their group, %j, anyone who may tag instances',
  (environment) => {
    test.each(Object.keys(FORGERIES))('%s the mark of one that drains', async (name) => {
      const made = staged(environment);
      const forge = () => {
        for (const instance of drainingIn(made.world)) FORGERIES[name]?.(instance);
      };
      const drains = [1, 2].map((nth) => afterCall('UpdateContainerInstancesState', forge, nth));
      expect(only(await made.invoke({ action: 'roll' }, drains))).toMatchObject({ state: 'completed' });
      expect(staying(made)).toMatchObject(
        Array.from({ length: 4 }, () => ({ imageId: NEW, containerInstance: { status: 'ACTIVE' } })),
      );
      expect(made.invariants.metrics().instancesReplaced).toBe(4);
    });
  },
);

describe.each(SETTINGS)('when members drain inside their group, %j, a roll', (environment) => {
  test.each([
    ['rollback', 'rolled-back'],
    ['abort', 'aborted'],
  ] as const)('that a tag tells to %s ends, even if the seal of a mark is broken', async (course, state) => {
    const made = staged(environment, [state]);
    const forge = () => {
      for (const { tags } of drainingIn(made.world)) tags.set(INSTANCE_TAGS.detachStartedAt, 'forged');
      ask(made.world, course);
    };
    const drain = afterCall('UpdateContainerInstancesState', forge);
    expect(only(await made.invoke({ action: 'roll' }, [drain]))).toMatchObject({ state });
    expect(staying(made).map(({ containerInstance }) => containerInstance?.status)).toEqual(
      Array.from({ length: 4 }, () => 'ACTIVE'),
    );
  });
});

test('that is aborted reports unmarked draining instances, because nobody else would', async () => {
  const made = staged({ MAX_SURGE: '0' }, ['aborted']);
  const forge = () => {
    for (const instance of drainingIn(made.world)) FORGERIES['takes away']?.(instance);
    ask(made.world, 'abort');
  };
  const drain = afterCall('UpdateContainerInstancesState', forge);
  expect(only(await made.invoke({ action: 'roll' }, [drain]))).toMatchObject({
    state: 'aborted',
    warnings: [
      expect.stringMatching(/^i-\d+ is DRAINING in the cluster, but no tag shows that a roll drained it/),
    ],
  });
});

const ask = (world: World, course: 'abort' | 'rollback') =>
  tagGroup(groupOf({ world }), { [GROUP_TAGS.course]: course });
