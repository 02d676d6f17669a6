import { expect, test } from 'vitest';
import type { ContainerInstance } from '../../../lambda/core/model/cluster.ts';
import { activeIn, isOfAgent, isOnManaged } from '../../../lambda/core/placement/place.ts';
import { observe, old, service } from '../builders.ts';

const [ACTIVE] = observe([old('i-1')]).containerInstances;
const registered = (rest: Partial<ContainerInstance>): ContainerInstance => {
  if (ACTIVE === undefined) throw new Error('there is one');
  return { ...ACTIVE, ...rest };
};

test.each<[boolean, string, Partial<ContainerInstance>]>([
  [true, 'takes tasks', {}],
  [true, 'whose agent will reconnect', { agentConnected: false }],
  [false, 'that drains', { status: 'DRAINING' }],
  [false, 'that is only coming', { status: 'REGISTERING' }],
  [false, 'that ECS manages', { managed: true }],
])('it is %s that tasks may go to a container instance %s', (isPlace, _, rest) => {
  const containerInstances = [registered(rest)];
  expect(activeIn({ containerInstances })).toEqual(isPlace ? containerInstances : []);
});

test('of two registrations of an instance, only the live one is a place', () => {
  const live = registered({ arn: 'live' });
  expect(
    activeIn({ containerInstances: [registered({ arn: 'gone', agentConnected: false }), live] }),
  ).toEqual([live]);
});

test('a service is on managed instances if all its capacity providers are theirs', () => {
  const resources = {};
  const of = (capacityProvider?: string) => ({
    traits: { attributes: new Map(), resources, ...(capacityProvider && { capacityProvider }) },
  });
  const containerInstances = [
    registered({ managed: true, ...of('ecs-1') }),
    registered({ managed: true, ...of('ecs-2') }),
    registered({ managed: true, ...of() }),
    registered({ managed: true }),
    registered(of('ours')),
  ];
  const isManaged = (...capacityProviders: string[]) =>
    isOnManaged(
      service('api', { placement: { expressions: [], distinctInstance: false, capacityProviders } }),
      { containerInstances },
    );
  expect([isManaged('ecs-1'), isManaged('ecs-1', 'ecs-2')]).toEqual([true, true]);
  expect([isManaged('ours'), isManaged('ecs-1', 'ours'), isManaged()]).toEqual([false, false, false]);
  expect(isOnManaged(service('api'), { containerInstances })).toBe(false);
});

test('an agent names its capabilities in two ways', () => {
  const names = [
    'com.amazonaws.ecs.capability.task-iam-role',
    'ecs.capability.task-eni',
    'ecs.ami-id',
    'stack',
  ];
  expect(names.filter(isOfAgent)).toEqual(names.slice(0, 2));
});
