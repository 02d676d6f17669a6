import { describe, expect, it } from 'vitest';
import { setUpService } from './set-up.ts';

/** A fourth instance on a new image, on which tasks fail, and the first one about to drain. */
function setUp(...options: Parameters<typeof setUpService>) {
  const world = setUpService(...options);
  const newer = world.world.release('amazon-linux-2023', { ageDays: 1 });
  world.world.addGroup({ name: 'new', cluster: 'demo', image: newer, instances: 1 });
  const fourth = [...world.cluster.containerInstances.values()].at(-1);
  if (!fourth) throw new Error('no fourth instance');
  const failures = () => {
    const all = world.describeTasks(world.list({ desiredStatus: 'STOPPED' }));
    return all.filter(({ containerInstanceArn }) => containerInstanceArn === fourth.arn);
  };
  return { ...world, newer, fourth, failures };
}

describe('tasks that crash on an image', () => {
  it('keep the old ones running on a draining instance', () => {
    for (const mode of ['exits', 'fails-to-start', 'fails-health-checks'] as const) {
      const { clock, world, drain, service, first, fourth, task, newer, failures } = setUp();
      world.faults.crashTasksOn({ imageId: newer.id, mode });
      drain(first);
      clock.advance(900);
      expect(failures().length).toBeGreaterThan(2);
      expect(task.lastStatus).toBe('RUNNING');
      expect(service.healthyCount).toBe(3);
      world.faults.stopCrashing();
      clock.advance(900);
      expect([task.lastStatus, service.healthyCount]).toEqual(['STOPPED', 3]);
      expect([...fourth.tasks].map(({ isHealthy }) => isHealthy)).toEqual([true]);
    }
  });

  it.each([
    ['exits', false, 'EssentialContainerExited', /^Essential container in task exited$/],
    ['fails-to-start', false, 'TaskFailedToStart', /^CannotPullContainerError: /],
    ['fails-health-checks', false, 'ServiceSchedulerInitiated', /^Task failed container health checks$/],
    [
      'fails-health-checks',
      true,
      'ServiceSchedulerInitiated',
      /^Task failed ELB health checks in \(target-group /,
    ],
  ] as const)('give the reason: %s, behind a load balancer: %s', (mode, isLoadBalanced, stopCode, reason) => {
    const { clock, world, drain, first, newer, failures } = setUp({ isLoadBalanced });
    world.faults.crashTasksOn({ imageId: newer.id, mode });
    drain(first);
    clock.advance(120);
    expect(failures()[0]).toMatchObject({ stopCode, stoppedReason: expect.stringMatching(reason) });
    expect(failures()[0]?.startedAt === undefined).toBe(mode === 'fails-to-start');
  });

  it('never serve in a zone that their load balancer is not enabled in, and are killed', () => {
    const { clock, drain, first, service, failures, fourth } = setUp({ isLoadBalanced: true });
    service.disabledZones.add(fourth.instance.availabilityZone);
    drain(first);
    clock.advance(900);
    expect(failures().length).toBeGreaterThan(2);
    const failed = 'Task failed ELB health checks in (target-group ';
    for (const { stoppedReason } of failures()) expect(stoppedReason).toContain(failed);
  });

  it('can be limited to one service', () => {
    const { clock, world, newer, service, fourth, failures } = setUp();
    const other = world.addService('demo', { name: 'api', desiredCount: 4 });
    world.faults.crashTasksOn({ imageId: newer.id, service: 'api' });
    for (const name of ['web', 'api']) world.owner.setDesiredCount('demo', name, 8);
    clock.advance(120);
    expect(new Set(failures().map(({ group }) => group))).toEqual(new Set(['service:api']));
    expect([service.healthyCount, other.healthyCount]).toEqual([8, 7]);
    expect([...fourth.tasks].filter((task) => task.service === service)).not.toEqual([]);
  });

  it('can be limited to one instance', () => {
    const { clock, world, service, first, fourth } = setUp();
    world.faults.crashTasksOn({ instanceId: fourth.instance.id });
    world.owner.setDesiredCount('demo', 'web', 4);
    clock.advance(60);
    expect(service.healthyCount).toBe(3);
    world.faults.killInstance(fourth.instance.id);
    clock.advance(600);
    expect(service.healthyCount).toBe(4);
    expect(first.tasks.size).toBeGreaterThan(0);
  });

  it('that their target group has no room for are killed, and registered once it has', () => {
    const { clock, drain, first, service, failures } = setUp({ isLoadBalanced: true });
    const said = () => service.events.map(({ message }) => message);
    service.mostTargets = service.tasks.size;
    drain(first);
    clock.advance(300);
    expect(failures()[0]?.stoppedReason).toContain('Task failed ELB health checks in (target-group ');
    expect(said()).toContainEqual(expect.stringContaining('failed to register targets in (target-group '));
    service.mostTargets++;
    clock.advance(1200);
    expect(service.isSteady).toBe(true);
    expect(said()).toContainEqual(expect.stringContaining('registered 1 targets in (target-group '));
  });

  it('can be daemons', () => {
    const { clock, world, newer, cluster } = setUp();
    world.faults.crashTasksOn({ imageId: newer.id });
    const daemon = world.addService('demo', { name: 'logs', strategy: 'DAEMON', isSteady: false });
    clock.advance(600);
    expect(daemon.healthyCount).toBeGreaterThanOrEqual(cluster.containerInstances.size - 1);
    expect(daemon.crashes).toBeGreaterThan(2);
  });

  // https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-throttle-logic.html
  it.each([
    ['fails-to-start', [3, 9]],
    ['exits', [50, 90]],
    ['fails-health-checks', [20, 60]],
  ] as const)('are restarted ever more slowly only if they never ran: %s', (mode, [least, most]) => {
    for (const strategy of ['REPLICA', 'DAEMON'] as const) {
      const { clock, world, newer } = setUp();
      world.faults.crashTasksOn({ imageId: newer.id, service: 'api', mode });
      const service = world.addService('demo', { name: 'api', strategy, desiredCount: 4, isSteady: false });
      clock.advance(600);
      expect(service.crashes).toBeGreaterThanOrEqual(least);
      expect(service.crashes).toBeLessThanOrEqual(most);
    }
  });

  it('can be restarted slowly even if they ran, if that is requested', () => {
    const { clock, world, newer } = setUp({}, { delays: { crashBackoffSeconds: 10 } });
    world.faults.crashTasksOn({ imageId: newer.id });
    const service = world.addService('demo', { name: 'api', desiredCount: 4, isSteady: false });
    clock.advance(600);
    expect(service.crashes).toBeLessThan(9);
  });

  it('are throttled for up to 27 minutes, until there is a new deployment', () => {
    const { clock, world, newer } = setUp();
    world.faults.crashTasksOn({ imageId: newer.id, service: 'api', mode: 'fails-to-start' });
    const service = world.addService('demo', { name: 'api', desiredCount: 4, isSteady: false });
    clock.advance(4 * 3600);
    expect(service.isBackingOff).toBe(true);
    const before = service.crashes;
    clock.advance(27 * 60 + 120);
    expect(service.crashes).toBe(before + 1);
    expect(service.events.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('is unable to consistently start tasks successfully'),
    );
    world.owner.startDeployment('api');
    clock.advance(60);
    expect(service.crashes).toBeLessThan(before);
  });
});

describe('health checks that fail', () => {
  const GRACE = { healthCheckGracePeriodSeconds: 600, definition: { checksHealth: true } } as const;

  // https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Service.html
  it.each([
    ['not-healthy', 'RUNNING'],
    ['healthy', 'STOPPED'],
  ] as const)('within a grace period stop no task, which is taken for %s', (inGracePeriod, earlier) => {
    const { clock, world, drain, first, fourth, task, newer, describeTasks } = setUp(GRACE);
    world.state.readings.inGracePeriod = inGracePeriod;
    world.faults.crashTasksOn({ imageId: newer.id, mode: 'fails-health-checks' });
    drain(first);
    clock.advance(300);
    expect(task.lastStatus).toBe(earlier);
    const [one] = fourth.tasks;
    expect(describeTasks([one?.arn ?? ''])).toMatchObject([
      { lastStatus: 'RUNNING', healthStatus: 'UNHEALTHY' },
    ]);
    clock.advance(600);
    expect(one?.lastStatus).toBe('STOPPED');
  });

  // https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_HealthCheck.html
  it('are told by the health status of tasks whose containers have checks', () => {
    const { world, service, describeTasks } = setUp(GRACE);
    const health = () =>
      describeTasks([...service.tasks].map(({ arn }) => arn)).map((each) => each.healthStatus);
    expect(health()).toEqual(['HEALTHY', 'HEALTHY', 'HEALTHY']);
    world.faults.failChecks('web', 1);
    expect(health()).toEqual(['UNHEALTHY', 'HEALTHY', 'HEALTHY']);
    const unchecked = setUp();
    expect(unchecked.describeTasks([unchecked.task.arn])).toMatchObject([{ healthStatus: 'UNKNOWN' }]);
  });
});
