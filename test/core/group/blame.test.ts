import { describe, expect, test } from 'vitest';
import { exonerationOf, isOfLoadBalancer, isOfUnprovenDeployment } from '../../../lambda/core/group/blame.ts';
import { unsteadyServices } from '../../../lambda/core/group/ill-services.ts';
import { crashOfUnmovable } from '../../../lambda/core/group/unmovable.ts';
import type { Deployment } from '../../../lambda/core/model/cluster.ts';
import { ago, assessed, crashOn, detached, fresh, observe, type Scene, service, told } from '../builders.ts';

const GONE = 'CannotPullContainerError: pull image manifest has been retried 1 time(s): manifest unknown';
const LIMITED =
  'CannotPullContainerError: toomanyrequests: You have reached your pull rate limit. You may increase the limit';
const UNREACHED =
  'CannotPullContainerError: Error response from daemon: Get "https://registry.example/v2/": dial tcp: i/o timeout';

const UNMATCHED = 'CannotPullContainerError: Error response from daemon: web: no matching manifest for';

const ILL = 'Task failed ELB health checks in (target-group shop)';

describe('from what ECS says, a crash', () => {
  test.each([
    GONE,
    LIMITED,
    'Fetching secret data from SSM Parameter Store in eu-central-1: ThrottlingException: Rate exceeded',
    'CannotPullContainerError: ref pull has been retried 1 time(s): failed to copy: 429 Too Many Requests',
    "The task can't retrieve the secret with ARN 'db' from AWS Secrets Manager. Check whether the secret exists in the specified Region.",
    'Fetching secret data from SSM Parameter Store in eu-central-1: invalid parameters: /web/password',
    'unable to initialize s3 client for bucket config, error: bucket not found',
    `${UNMATCHED} linux/amd64`,
    `${ILL}: Target is in an Availability Zone that is not`,
    `${ILL}: (service shop) failed to register targets in (target-group shop) with (error TooManyTargets)`,
    `${ILL}: service shop task set 1 (task 2) is not healthy in target-group (shop) due to TARGET IS NOT FOUND`,
  ])("is not the image's fault: %s", (reason) => {
    expect(exonerationOf(crashOn('i-9', { reason }))).toBeDefined();
  });

  test.each([
    UNREACHED,
    UNREACHED.replace('v2', 'v2/throttling-proxy'),
    UNREACHED.replace('v2', 'v2/secret'),
    'secret db: operation error Secrets Manager: GetSecretValue, https response error StatusCode: 0, RequestID: , canceled, context deadline exceeded',
    'fetching secret data from SSM Parameter Store in eu-central-1: operation error SSM: GetParameters, dial tcp: i/o timeout',
    'CannotStartContainerError: failed to initialize logging driver: AccessDeniedException: not authorized to perform: logs:CreateLogStream',
    ILL,
    `${UNMATCHED} windows/amd64 10.0.20348`,
    'Essential container in task exited',
  ])("may be the image's fault: %s", (reason) => {
    expect(exonerationOf(crashOn('i-9', { reason }))).toBeUndefined();
  });
});

test('may be the fault of a deployment that has never succeeded', () => {
  const deployment = (succeeded: boolean): Deployment => ({
    id: 'd-1',
    begunAt: ago(300),
    bakeSeconds: 0,
    runningCount: 0,
    failedTasks: 1,
    succeeded,
  });
  const isUnproven = (succeeded: boolean, deploymentId: string) =>
    isOfUnprovenDeployment(crashOn('i-9', { deploymentId }), [
      service('api', { deployment: deployment(succeeded) }),
    ]);
  expect([isUnproven(false, 'd-1'), isUnproven(true, 'd-1'), isUnproven(false, 'd-0')]).toEqual([
    true,
    false,
    false,
  ]);
  const isOfAnother = (deploymentId: string | undefined) =>
    isOfUnprovenDeployment(crashOn('i-9', deploymentId === undefined ? {} : { deploymentId }), [
      service('api', { completedDeployments: [{ id: 'd-1', createdAt: ago(300) }] }),
    ]);
  expect([isOfAnother('d-1'), isOfAnother('d-0'), isOfAnother(undefined)]).toEqual([false, true, false]);
  const web = service('web', { deployment: deployment(false) });
  expect(isOfUnprovenDeployment(crashOn('i-9', { deploymentId: 'd-1' }), [web])).toBe(false);
});

test('may be the fault of a deployment that is made in the roll, once nothing old is left to run it', () => {
  const completedDeployments = [{ id: 'd-1', createdAt: ago(300) }];
  const isUnproven = (newSince?: Date) =>
    isOfUnprovenDeployment(
      crashOn('i-9', { deploymentId: 'd-1' }),
      [service('api', { completedDeployments })],
      newSince,
    );
  expect([isUnproven(ago(600)), isUnproven(ago(200)), isUnproven()]).toEqual([true, false, false]);
});

test('may be told of by a load balancer, which finds that a task does not serve', () => {
  expect([isOfLoadBalancer({ reason: ILL }), isOfLoadBalancer({ reason: GONE })]).toEqual([true, false]);
});

describe('a service that starts nowhere', () => {
  const crashes = [crashOn('i-9', { reason: GONE, since: 30 })];
  const short = [service('api', { runningCount: 1 })];
  const next = [detached('i-1', { turn: 20 }), fresh('i-9')];
  const unmovable = (scene: Scene) => {
    const observation = observe(next, scene);
    return crashOfUnmovable(assessed(observation));
  };

  test('keeps others from draining, and is named', () => {
    expect(told(observe(next, { crashes, settled: 60 }))).toEqual([
      expect.stringMatching(/^blocked: nothing more is drained: tasks of service api .*push it again/),
    ]);
  });

  test('gets back the tasks that an instance has lost since it began to drain', () => {
    const draining = [detached('i-1', { ecs: 'DRAINING', turn: 60 }), fresh('i-9')];
    const said = (name: string) =>
      told(observe(draining, { crashes, services: short, servicesOn: { 'i-1': [name] } }));
    expect(said('api')).toContain('set i-1 back ACTIVE');
    expect(said('web')).not.toContain('set i-1 back ACTIVE');
  });

  test('is not one that only has to wait, nor one that was unhealthy before', () => {
    expect(unmovable({ crashes })).toBeDefined();
    expect(unmovable({ crashes: [crashOn('i-9', { reason: LIMITED, since: 30 })] })).toBeUndefined();
    const unsteady = [{ name: 'api', runningCount: 1 }];
    expect(unmovable({ crashes, roll: { unsteady } })).toBeUndefined();
  });
});

test('tasks of a crash-looping service that crashed recently do not count as running', () => {
  const crashes = [400, 200, 60].map((since) => crashOn('i-1', { since }));
  const services = [service('api')];
  expect(unsteadyServices(observe([fresh('i-1')], { crashes, services }))).toEqual([
    { name: 'api', runningCount: 1 },
  ]);
});
