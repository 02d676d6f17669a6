import { expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { groupOf, keepInvoking, serviceOf, told } from './happenings.ts';
import { standardStage } from './stage.ts';

/** Without grace ECS stops them; with it they run on, and count as healthy by that reading. */
test.each([
  ['1', 4, 0, 'raise the quota of targets'],
  ['0', 4, 0, 'raise the quota of targets'],
  ['1', 0, 7200, 'tasks of service shop run without serving'],
])(
  'tasks that their target group has no room for are no fault of the image, with CANARY=%s, %i targets and %i s of grace',
  async (CANARY, mostTargets, healthCheckGracePeriodSeconds, says) => {
    const staging = standardStage(
      { instances: 2, services: 0, group: { maxSize: 8 } },
      {
        environment: { CANARY },
        furnish(world) {
          world.state.readings.inGracePeriod = 'healthy';
          const service = { name: 'shop', desiredCount: 4, isLoadBalanced: true, mostTargets };
          world.addService('demo', { ...service, healthCheckGracePeriodSeconds });
        },
      },
    );
    const [said] = await keepInvoking(staging, 45);
    expect(said?.reason).toContain(says);
    expect(said?.reason).toContain('failed to register targets');
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(textOn(groupOf(staging), GROUP_TAGS.rejected)).toBeUndefined();
    staging.invariants.assertHeld();
    serviceOf(staging.world, 'shop').mostTargets = 1000;
    staging.clock.advance(3600);
    await staging.invoke();
    await staging.finish(60);
    expect(staging.endings).toEqual(['completed']);
    staging.invariants.assertFinished();
  },
);

/**
 * By its ARN, as another colour's that nobody has been registered in since, or by its name.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/troubleshooting-blue-green.html
 */
test.each([
  ['1', 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/green/0123456789abcdef', 72],
  ['0', 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/green/0123456789abcdef', 72],
  ['1', 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/green/0123456789abcdef', 1],
  ['0', 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/green/0123456789abcdef', 1],
  ['1', 'shop', 1],
])(
  'an image on which tasks fail the checks of their target group goes back, though registering failed once, with CANARY=%s and %s %i h ago',
  async (CANARY, targetGroup, hours) => {
    const staging = standardStage(
      { instances: 2, services: 0, group: { maxSize: 8 } },
      {
        environment: { CANARY },
        expectations: { endings: ['rolled-back'] },
        furnish(world) {
          const service = { name: 'shop', desiredCount: 2, isLoadBalanced: true, minimumHealthyPercent: 50 };
          const { events } = world.addService('demo', { ...service, healthCheckGracePeriodSeconds: 120 });
          const message = `(service shop) failed to register targets in (target-group ${targetGroup}) with (error AccessDenied)`;
          events.push({ atMs: world.state.clock.now() - hours * 3_600_000, message });
          const imageId = 'ami-00000000000000002';
          world.faults.crashTasksOn({ imageId, service: 'shop', mode: 'fails-health-checks' });
        },
      },
    );
    await keepInvoking(staging, 60);
    expect(staging.endings).toEqual(['rolled-back']);
    staging.invariants.assertHeld();
  },
);
