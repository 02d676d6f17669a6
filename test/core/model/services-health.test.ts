import { expect, test } from 'vitest';
import type { Service } from '../../../lambda/core/model/cluster.ts';
import { servicesHealth } from '../../../lambda/core/model/services-health.ts';

const service = (name: string, runningCount: number, rest: Partial<Service> = {}): Service => ({
  name,
  daemon: false,
  desiredCount: 3,
  runningCount,
  pendingCount: 0,
  deploying: false,
  minimumHealthyPercent: 50,
  maximumPercent: 200,
  ...rest,
});

test('those short of tasks are named, with what they need; daemons are not counted', () => {
  const daemon = service('agent', 0, { daemon: true });
  expect(servicesHealth([service('web', 3), service('api', 1), service('jobs', 5), daemon])).toEqual({
    total: 3,
    short: [{ name: 'api', running: 1, desired: 3, least: 2 }],
    shortLeftOut: 0,
  });
});

test('of many twenty are named', () => {
  const many = Array.from({ length: 25 }, (_, index) => service(`s${index}`, 0));
  expect(servicesHealth(many)).toMatchObject({ total: 25, shortLeftOut: 5 });
  expect(servicesHealth(many).short).toHaveLength(20);
});
