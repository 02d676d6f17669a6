import { describe, expect, test } from 'vitest';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import type { ServiceOptions } from '../simulated-aws/world/service-builder.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { keepInvoking, launchedFrom, serviceOf, told } from './happenings.ts';
import { only } from './outcomes.ts';
import { type Stage, type StageOptions, type StageScenario, stage, standardStage } from './stage.ts';

const OLD = 'ami-00000000000000001';

interface Setting extends Partial<StageOptions> {
  readonly group?: StageScenario['group'];
}

/** Six instances, and a service `tied` of six tasks that may stop half of them. */
function staged(tied: Partial<ServiceOptions>, { group, furnish, ...options }: Setting = {}): Stage {
  return standardStage(
    { instances: 6, services: 1, version: '1', ...(group && { group }) },
    {
      ...options,
      furnish: (world) => {
        furnish?.(world);
        world.addService('demo', { name: 'tied', desiredCount: 6, minimumHealthyPercent: 50, ...tied });
      },
    },
  );
}

const members = (world: World) => launchedFrom(world, OLD).filter(({ state }) => state === 'running');

function putOnAll(world: World): void {
  for (const instance of members(world)) world.owner.putAttribute(instance, 'stack', 'blue');
}

const TASK_ENI = 'ecs.capability.task-eni';
const SERVICE_CONNECT = 'ecs.capability.service-connect-v1';
const EXEC = 'ecs.capability.execute-command';
const EBS = 'ecs.capability.storage.ebs-task-volume-attach';

type ReleaseOptions = Parameters<World['release']>[1];

/** Three instances with GPUs, a service of two tasks, and an image that lacks something. */
function withGpus(world: World, tied: Partial<ServiceOptions>, newest: ReleaseOptions): void {
  const cluster = 'demo';
  world.addCluster(cluster);
  const image = world.release('amazon-linux-2023/gpu', { ageDays: 40 });
  const launchSpec = 'launch-template';
  world.addGroup({ name: 'demo-ecs', cluster, image, instances: 3, instanceType: 'g4dn.xlarge', launchSpec });
  world.addService(cluster, { name: 'tied', desiredCount: 2, minimumHealthyPercent: 50, ...tied });
  world.release('amazon-linux-2023/gpu', { ageDays: 3, ...newest });
}

const drained = (staging: Stage) => told(staging, / {3}drain i-/);

describe('a service tied to', () => {
  test.each([
    ['the old image', 'attribute:ecs.ami-id == ami-00000000000000001', /attribute|ecs\.ami-id/],
    ['it by its negation', 'not(attribute:ecs.ami-id != ami-00000000000000001)', /ecs\.ami-id/],
  ])('%s is reported before anything changes', async (_, expression, what) => {
    const staging = staged({ expressions: [expression] });
    const [said] = await keepInvoking(staging, 3);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringMatching(what) });
    expect(said?.reason).toContain('service tied');
    expect(members(staging.world)).toHaveLength(6);
    expect(staging.world.state.instances.size).toBe(6);
    staging.invariants.assertHeld();
  });

  test('an attribute that somebody put on the old instances keeps its tasks there, and is reported', async () => {
    const staging = staged({ expressions: ['attribute:stack == blue'] }, { furnish: putOnAll });
    const [said] = await keepInvoking(staging, 60);
    expect(drained(staging)).toEqual([]);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        /^i-\w+, i-\w+, i-\w+ and 3 more are not drained, as tasks would find no other place: service tied needs memberOf\(attribute:stack == blue\), but i-\w+ has no attribute stack/,
      ),
    });
    expect(serviceOf(staging.world, 'tied').healthyCount).toBe(6);
    staging.invariants.assertHeld();
  });

  test('such an attribute goes on by itself once new instances have it', async () => {
    const staging = staged({ expressions: ['attribute:stack == blue'] }, { furnish: putOnAll });
    await keepInvoking(staging, 12);
    const { world } = staging;
    for (const instance of world.state.instances.values())
      if (instance.containerInstance) world.owner.putAttribute(instance, 'stack', 'blue');
    await staging.finish();
    staging.invariants.assertFinished();
  });

  test('an attribute from user data moves, because new instances have it', async () => {
    const staging = staged(
      { expressions: ['attribute:stack == blue'] },
      { group: { instanceAttributes: { stack: 'blue' } } },
    );
    const { warnings = [] } = only(await staging.invoke({ action: 'plan' }));
    expect(warnings.join()).toContain('attribute stack');
    await staging.roll();
  });

  test('an attribute that some instances have lets the others go', async () => {
    const staging = staged(
      { expressions: ['attribute:stack == blue'], desiredCount: 2, minimumHealthyPercent: 0 },
      {
        furnish: (world) => {
          const [first, second] = members(world);
          for (const instance of [first, second])
            if (instance) world.owner.putAttribute(instance, 'stack', 'blue');
        },
      },
    );
    const [said] = await keepInvoking(staging, 60);
    expect(said?.state).toBe('blocked');
    expect(members(staging.world)).toHaveLength(2);
    expect(serviceOf(staging.world, 'tied').healthyCount).toBe(2);
    staging.invariants.assertHeld();
  });

  test.each([
    ['an attribute of its agent', { requiresAttributes: [TASK_ENI] }, { lackedCapabilities: [TASK_ENI] }],
    ['GPUs', { gpus: 1 }, { lackedCapabilities: ['gpu'] }],
    ['all the memory of an instance', { memory: 16_384 }, { kernelMemoryMib: 12 }],
    ['what Service Connect needs', 'service-connect', { lackedCapabilities: [SERVICE_CONNECT] }],
    ['what ECS Exec needs', 'exec', { lackedCapabilities: [EXEC] }],
    ['what volumes of EBS need', 'ebs-volumes', { lackedCapabilities: [EBS] }],
  ] as const)('%s that the new image lacks: the image is taken back', async (_, needs, newest) => {
    const tied = typeof needs === 'string' ? { features: [needs] } : { definition: needs };
    const staging = stage({
      shortcut: true,
      expectations: { isDue: () => true, endings: ['rolled-back'] },
      furnish: (world) => withGpus(world, tied, newest),
    });
    await keepInvoking(staging, 60);
    expect(staging.log.join('\n')).toContain('the new image lacks something: service tied needs');
    expect(staging.endings).toEqual(['rolled-back']);
    expect(serviceOf(staging.world, 'tied').healthyCount).toBe(2);
    staging.invariants.assertHeld();
  });

  test('a daemon needs what the new image lacks: the image is taken back', async () => {
    const staging = stage({
      shortcut: true,
      expectations: { isDue: () => true, endings: ['rolled-back'] },
      furnish: (world) => {
        withGpus(world, {}, { lackedCapabilities: [TASK_ENI] });
        const definition = { requiresAttributes: [TASK_ENI] };
        world.addService('demo', { name: 'log-router', strategy: 'DAEMON', definition });
      },
    });
    await keepInvoking(staging, 60);
    expect(staging.log.join('\n')).toContain('the new image lacks something: service log-router needs');
    expect(staging.endings).toEqual(['rolled-back']);
    expect(serviceOf(staging.world, 'log-router').healthyCount).toBe(3);
    staging.invariants.assertHeld();
  });

  test('one instance for each task moves, one after the other', async () => {
    await staged({ distinctInstance: true }).roll();
  });

  test('a host port moves too', async () => {
    const environment = { CANARY: '1', MAX_SURGE: '2' };
    await staged({ definition: { hostPort: 8080 } }, { environment }).roll();
  });

  test('a capacity provider moves within its group', async () => {
    const furnish = (world: World) =>
      void world.addCapacityProvider({ name: 'demo', cluster: 'demo', group: 'demo-ecs' });
    await staged({ capacityProvider: 'demo' }, { furnish }).roll();
  });
});

test.each([
  { distinctInstance: true, minimumHealthyPercent: 50 },
  { definition: { hostPort: 8080 }, minimumHealthyPercent: 0, maximumPercent: 100 },
])('a service that desires more tasks than there are instances has as many as before: %j', async (tied) => {
  const staging = staged({ ...tied, desiredCount: 12, isSteady: false }, { environment: { CANARY: '1' } });
  staging.clock.advance(1200);
  await staging.roll();
  expect(told(staging, /does not drain|gives up/)).toEqual([]);
  expect(serviceOf(staging.world, 'tied').healthyCount).toBe(6);
});

test('one instance for each task has nowhere to go without a surge, and this is reported first', async () => {
  const staging = staged({ distinctInstance: true }, { environment: { MAX_SURGE: '0' } });
  const [said] = await keepInvoking(staging, 2);
  expect(said).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('service tied needs 6 instances'),
  });
  expect(drained(staging)).toEqual([]);
  staging.invariants.assertHeld();
});

test('where no instance fits it any more, none is left while one drains, and not fewer', async () => {
  const staging = staged(
    { distinctInstance: true, expressions: ['attribute:stack == blue'] },
    { environment: { MAX_SURGE: '0' }, furnish: putOnAll },
  );
  for (const instance of members(staging.world)) staging.world.owner.putAttribute(instance, 'stack', 'green');
  const said = only(await staging.invoke());
  expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining('only 0 are left') });
  staging.invariants.assertHeld();
});

/** Nobody can see what the service needs: its task definition can't be read. */
const UNSEEN: Interceptor = {
  before({ operation }) {
    if (operation === 'DescribeTaskDefinition') throw new AwsError('AccessDeniedException', 'not authorized');
  },
};

describe('a drain that took a service down', () => {
  const expressions = ['attribute:stack == blue'];

  /** As the deployment invokes, for so many minutes. */
  async function keepLooking(
    staging: Stage,
    minutes: number,
    events: readonly object[] = [{ action: 'continue' }],
  ) {
    let said = only(await staging.invoke(events[0], [UNSEEN]));
    for (let count = 0; count < minutes / 5; count++) {
      staging.clock.advance(300);
      said = only(await staging.invoke(events[(count + 1) % events.length], [UNSEEN]));
    }
    return said;
  }

  const given = (staging: Stage) => told(staging, /gives up draining/).length;

  test('is only tried again when somebody asks, and then once', async () => {
    const expectations = { drainsThatStarve: 2 };
    const staging = staged({ definition: { expressions } }, { expectations, furnish: putOnAll });
    const { world } = staging;
    only(await staging.invoke({ action: 'roll' }, [UNSEEN]));
    const schedule = { source: 'aws.events', 'detail-type': 'Scheduled Event' };
    const said = await keepLooking(staging, 300, [{ action: 'continue' }, schedule]);
    expect(said).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(
        /has lost no task for 1800 s, .+; meanwhile service tied ran short of tasks, so this is tried again only if somebody asks, with `ecs-ami-deploy roll`/,
      ),
      warnings: [expect.stringContaining('DescribeTaskDefinition failed: AccessDeniedException')],
    });
    expect(given(staging)).toBe(1);
    expect(serviceOf(world, 'tied').healthyCount).toBe(6);
    await staging.invoke({ action: 'resume' }, [UNSEEN]);
    await keepLooking(staging, 120);
    expect(given(staging)).toBe(2);
    staging.invariants.assertHeld();
  });

  test('ends when it can, once somebody asks again', async () => {
    const staging = staged({ definition: { expressions } }, { furnish: putOnAll });
    const { world } = staging;
    only(await staging.invoke({ action: 'roll' }, [UNSEEN]));
    await keepLooking(staging, 120);
    for (const instance of world.state.instances.values())
      if (instance.containerInstance) world.owner.putAttribute(instance, 'stack', 'blue');
    await keepLooking(staging, 60);
    expect(members(world)).toHaveLength(1);
    await staging.roll();
  });
});
