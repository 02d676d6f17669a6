import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { Expectations } from '../invariants/invariants.ts';
import { groupOf, isDrain, keepInvoking, once, oneGroup, tagGroup } from './happenings.ts';
import { only, writes } from './outcomes.ts';
import { stage } from './stage.ts';

/** A spread placement group takes seven running instances a zone, and old ones keep their places. */

interface Furnish {
  readonly isServed?: boolean;
  readonly isProvided?: boolean;
}

const staged = (
  maxSurge: string,
  { isServed = false, isProvided = false }: Furnish = {},
  expectations?: Expectations,
) =>
  stage({
    shortcut: true,
    environment: { MAX_SURGE: maxSurge },
    ...(expectations && { expectations }),
    furnish: (world) => {
      world.addPlacementGroup({ name: 'apart' });
      const targetGroupArns = isServed ? [world.addTargetGroup({ name: 'web' }).arn] : [];
      const placementGroupInTemplate = { GroupName: 'apart' };
      oneGroup(world, { instances: 5, zones: ['a'], maxSize: 9, targetGroupArns, placementGroupInTemplate });
      if (isProvided)
        world.addCapacityProvider({
          name: 'provider',
          cluster: 'demo',
          group: 'demo-ecs',
          managedScaling: 'DISABLED',
        });
    },
  });

test('a group that it has no room for is told before anything changes', async () => {
  const { invoke, account, invariants } = staged('100%');
  expect(only(await invoke())).toMatchObject({
    state: 'blocked',
    reason: expect.stringMatching(
      /spread placement group apart takes 2 more .* but up to 5 must be launched/,
    ),
  });
  expect(writes(account.calls.log)).toEqual([]);
  invariants.assertHeld();
});

test.each(['2', '0'])('it is rolled with a surge of %s', async (maxSurge) => {
  const { invoke, invariants } = staged(maxSurge);
  expect(only(await invoke())).toMatchObject({ state: 'completed' });
  invariants.assertFinished();
});

describe('an owner who makes it larger in mid-roll leaves no room for all of the next batch', () => {
  /** As soon as a launch of the second batch fails, somebody asks for it. */
  async function enlarged(furnish: Furnish, asked?: 'abort' | 'rollback') {
    const endings = ({ abort: ['aborted'], rollback: ['rolled-back'] } as const)[asked ?? 'abort'];
    const staging = staged('2', furnish, asked && { endings });
    const { world } = staging;
    once(world, isDrain, () => world.owner.setSizes('demo-ecs', { desiredCapacity: 6 }));
    const fails = () => groupOf(staging).activities.some(({ StatusCode }) => StatusCode === 'Failed');
    if (asked === undefined) return { staging, said: await keepInvoking(staging, 60) };
    once(
      world,
      ({ kind }) => kind === 'called' && fails(),
      () => tagGroup(groupOf(staging), { [GROUP_TAGS.course]: asked }),
    );
    return { staging, said: await keepInvoking(staging, 120) };
  }

  test.each([
    ['', 'completed', undefined, {}],
    ['', 'rolled-back', 'rollback', {}],
    ['', 'aborted', 'abort', {}],
    [' behind a load balancer', 'completed', undefined, { isServed: true }],
    [' behind a load balancer', 'rolled-back', 'rollback', { isServed: true }],
    [' behind a load balancer', 'aborted', 'abort', { isServed: true }],
    [' of a capacity provider', 'completed', undefined, { isProvided: true }],
    [' of a capacity provider', 'rolled-back', 'rollback', { isProvided: true }],
    [' of a capacity provider', 'aborted', 'abort', { isProvided: true }],
  ] as const)('a group%s is %s', async (_, state, asked, furnish) => {
    const { staging, said } = await enlarged(furnish, asked);
    expect(staging.log.join('\n')).toMatch(/Placement Group 'apart' has 7 instances/);
    expect([said, staging.log.slice(-40)]).toMatchObject([[{ state }], {}]);
    expect(groupOf(staging)).toMatchObject({ desiredCapacity: 6, maxSize: 9 });
    staging.invariants.assertFinished();
  });
});

test.each(['completed', 'rolled-back'] as const)(
  'a group that its owner has fill all there is goes on once he makes it smaller by one: %s',
  async (ending) => {
    const staging = staged('2', {}, { endings: [ending] });
    const { world } = staging;
    const request = ending === 'completed' ? 'continue' : 'rollback';
    once(world, isDrain, () => world.owner.setSizes('demo-ecs', { desiredCapacity: 7 }));
    const [said] = await keepInvoking(staging, 30);
    expect(said).toMatchObject({ state: 'blocked', code: 'replacements-not-ready' });
    const [asked] = await keepInvoking(staging, 30, { action: request });
    expect(asked).toMatchObject({ state: 'blocked', code: 'replacements-not-ready' });
    expect(asked?.reason.includes('or back by')).toBe(ending === 'completed');
    world.owner.setSizes('demo-ecs', { desiredCapacity: 6 });
    expect(await keepInvoking(staging, 60)).toMatchObject([{ state: ending }]);
    expect(groupOf(staging)).toMatchObject({ desiredCapacity: 6, maxSize: 9 });
    staging.invariants.assertFinished();
  },
);

test('what a bad image fills it with goes back: each that its load balancer finds unhealthy leaves slowly', async () => {
  const staging = stage({
    environment: { MAX_SURGE: '1' },
    expectations: { endings: ['rolled-back'] },
    furnish: (world) => {
      world.addPlacementGroup({ name: 'apart' });
      const { arn } = world.addTargetGroup({ name: 'web' });
      oneGroup(world, {
        instances: 3,
        zones: ['a'],
        maxSize: 9,
        targetGroupArns: [arn],
        healthCheckType: 'ELB',
        placementGroup: 'apart',
      });
      world.owner.addLifecycleHook('demo-ecs', { transition: 'terminating', seconds: 600 });
      world.faults.spoilImage('ami-00000000000000002');
    },
  });
  const said = await keepInvoking(staging, 120);
  const messages = groupOf(staging).activities.map(({ StatusMessage }) => StatusMessage);
  expect(messages.join()).toMatch(/Placement Group 'apart' has 7 instances/);
  expect(said).toMatchObject([
    { state: 'rolled-back', reason: expect.stringContaining('ELB system health check failure') },
  ]);
  staging.invariants.assertFinished();
});
