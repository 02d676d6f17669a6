import { describe, expect, test } from 'vitest';
import {
  areLongDeployments,
  failedDeployments,
  isStalled,
  isUnderWay,
  longDeployments,
} from '../../../lambda/core/group/deployments.ts';
import type { Deployment, Service } from '../../../lambda/core/model/cluster.ts';
import type { Fault } from '../../../lambda/core/reasons/faults.ts';
import { ago, groupOf, NOW, observe, service } from '../builders.ts';

const deployment = (begunSecondsAgo: number, rest: Partial<Deployment> = {}): Deployment => ({
  id: 'ecs-svc/1',
  begunAt: ago(begunSecondsAgo),
  bakeSeconds: 0,
  runningCount: 1,
  failedTasks: 0,
  succeeded: false,
  ...rest,
});
const deployed = (name: string, begunSecondsAgo: number, rest: Partial<Deployment> = {}) =>
  service(name, { deploying: true, deployment: deployment(begunSecondsAgo, rest) });

test('a deployment that shifts traffic stalls only where a time is set for it, and that is over', () => {
  const stalls = (begun: number, mostSeconds?: number) => {
    const shift = { pausesAt: [], ...(mostSeconds !== undefined && { mostSeconds }) };
    return isStalled(deployed('api', begun, { shift }), NOW);
  };
  expect([stalls(99_999), stalls(600, 600), stalls(601, 600)]).toEqual([false, false, true]);
});

test('a deployment is under way until it stalls, as long as the service is deployed', () => {
  expect(isUnderWay(deployed('api', 7200), NOW)).toBe(true);
  expect(isUnderWay(deployed('api', 7201), NOW)).toBe(false);
  expect(isUnderWay(service('api'), NOW)).toBe(false);
  expect(isUnderWay(service('api', { deploying: true }), NOW)).toBe(true);
});

const faultsOf = (of: typeof failedDeployments, services: readonly Service[]) => {
  const observation = observe([], { services });
  return of(groupOf(observation), observation);
};

test('a deployment has failed that is the latest though its service is not being deployed', () => {
  const failed = service('api', { deployment: deployment(60) });
  expect(faultsOf(failedDeployments, [failed, deployed('web', 60), service('jobs')])).toEqual([
    { kind: 'deployment-failed', service: 'api' },
  ]);
});

describe('a deployment that goes on for hours', () => {
  const shift = { pausesAt: [] };
  const long = deployed('api', 7201, { shift });
  const others = [deployed('web', 7200, { shift }), deployed('jobs', 7201), service('batch')];

  test('is told of as long as it makes progress', () => {
    expect(faultsOf(longDeployments, [long, ...others])).toEqual([
      { kind: 'service-deploying', service: 'api', shift: { since: ago(7201), pausesAt: [] } },
    ]);
  });

  test('is all that is left if nothing else is, nor a deployment that began lately', () => {
    const observation = observe([], { services: [long, ...others] });
    const areLong = (...faults: readonly Fault[]) =>
      areLongDeployments(faults, groupOf(observation), observation);
    const deploying = (service: string): Fault => ({ kind: 'service-deploying', service });
    expect([areLong(), areLong(deploying('api'))]).toEqual([true, true]);
    expect(areLong(deploying('api'), deploying('web'))).toBe(false);
    expect(areLong({ kind: 'service-pending', service: 'api', pending: 1 })).toBe(false);
  });
});
