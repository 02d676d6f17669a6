import { describe, expect, test } from 'vitest';
import { GROUP_TAGS } from '../../lambda/contract.ts';
import { textOn } from '../sealed.ts';
import { byUser } from '../simulated-aws/world/ecs/stops.ts';
import { stopTask } from '../simulated-aws/world/ecs/tasks.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { afterTag, isDrain, keepInvoking, launchedFrom, once, serviceOf, told } from './happenings.ts';
import { type Stage, type StageOptions, standardStage } from './stage.ts';

/** In one zone, so that tasks go by instances alone. */
const staged = (options?: Partial<StageOptions>) =>
  standardStage({ instances: 3, version: '1', group: { zones: ['a'] } }, options);

function newest({ state }: World): string {
  const images = [...state.images.values()].sort((a, b) => b.createdAtMs - a.createdAtMs);
  return images[0]?.id ?? '';
}

function tagOf({ world }: Stage, key: string): string | undefined {
  const group = world.state.groups.get('demo-ecs');
  return group && textOn(group, key);
}
const statuses = ({ world }: Stage) =>
  [...(world.state.clusters.get('demo')?.containerInstances.values() ?? [])].map(({ status }) => status);

describe('a service whose container image is deleted from its registry', () => {
  const CASES = [
    ['that must keep all its tasks', 'web', {}, false],
    ['that must keep half of its tasks', 'worker', {}, false],
    ['where hosts start what they have pulled', 'worker', {}, true],
    ['without a surge', 'web', { MAX_SURGE: '0' }, false],
    ['on trial', 'web', { CANARY: '1' }, false],
    ['with ON_DRAIN_TIMEOUT=force', 'web', { ON_DRAIN_TIMEOUT: 'force' }, false],
  ] as const;

  test.each(CASES)(
    '%s is named, holds the roll up, and the image is not rejected',
    async (_, name, environment, cached) => {
      const staging = staged({ environment, expectations: { allowsFewerTargets: true } });
      once(staging.world, isDrain, () => staging.world.faults.deleteTaskImage(name, cached));
      // Where one that has the image is set back ACTIVE, the service soon runs whole again.
      const [said] = await keepInvoking(staging, cached ? 15 : 100);
      expect(said?.state).toBe('blocked');
      expect(said?.reason).toMatch(
        new RegExp(`service ${name} stop by themselves.*not found.*not in its registry: push it again`),
      );
      expect(told(staging, /rolls back/)).toEqual([]);
      expect(tagOf(staging, GROUP_TAGS.rejected)).toBeUndefined();
      staging.invariants.assertHeld();

      staging.world.faults.stopCrashing();
      // A drain that took a service down is tried again when somebody asks.
      staging.clock.advance(3600);
      await staging.invoke();
      await staging.finish(40);
      staging.invariants.assertFinished();
    },
  );

  test('holds nothing up if it was unhealthy that way before the roll', async () => {
    const staging = staged({
      furnish(world) {
        world.faults.deleteTaskImage('ghost');
        world.addService('demo', { name: 'ghost', desiredCount: 2, isSteady: false });
      },
    });
    staging.clock.advance(600);
    await keepInvoking(staging, 30);
    expect(told(staging, /blocked:|gives up|rolls back/)).toEqual([]);
    staging.invariants.assertFinished();
  });
});

describe.each(['of-task', 'of-container'] as const)('told %s', (startFailures) => {
  test.each([
    ['image-gone', 'not found.*not in its registry: push it again'],
    ['secret-gone', 'Secrets Manager.*a secret, parameter or file of the task is gone'],
    ['secret-scheduled', 'marked for deletion.*a secret, parameter or file of the task is gone'],
    ['secret-missing', "can't retrieve.*a secret, parameter or file of the task is gone"],
    ['secret-undecrypted', "can't decrypt.*a secret, parameter or file of the task is gone"],
    ['parameter-undecrypted', 'InvalidKeyId.*a secret, parameter or file of the task is gone'],
    ['secret-key-missing', 'json key.*a secret, parameter or file of the task is gone'],
    ['secret-denied', 'not authorized.*a secret, parameter or file of the task is gone'],
    ['credentials-gone', 'asm fetching.*a secret, parameter or file of the task is gone'],
    ['log-config-gone', 'firelens.*a secret, parameter or file of the task is gone'],
    ['env-file-gone', 'env file.*a secret, parameter or file of the task is gone'],
    ['parameter-gone', 'SSM Parameter Store.*a secret, parameter or file of the task is gone'],
    ['log-group-gone', 'log group does not exist.*create the log group'],
    ['volume-refused', 'Infrastructure Role.*role or key that its volume is made with'],
  ] as const)(
    "a task that starts nowhere because of %s is named, and is not the image's fault",
    async (mode, what) => {
      const staging = staged({ environment: { CANARY: '1' } });
      staging.world.state.readings.startFailures = startFailures;
      once(staging.world, isDrain, () => staging.world.faults.crashTasksOn({ service: 'web', mode }));
      const [said] = await keepInvoking(staging, 100);
      expect(said).toMatchObject({
        state: 'blocked',
        reason: expect.stringMatching(`service web .*${what}`),
      });
      expect(told(staging, /rolls back/)).toEqual([]);
      expect(tagOf(staging, GROUP_TAGS.rejected)).toBeUndefined();
      staging.invariants.assertHeld();
    },
  );
});

test.each([
  ['rate-limited', { CANARY: '1' }, 'pull-through cache'],
  ['rate-limited', { MAX_SURGE: '0' }, 'pull-through cache'],
  ['throttled', { CANARY: '1' }, 'higher throughput'],
  ['no-interface', { CANARY: '1' }, 'quota of network interfaces'],
  ['no-device-index', { CANARY: '1' }, 'quota of network interfaces'],
] as const)(
  "a limit that only new tasks meet is waited for, and is not their instances' image's fault: %s, %j",
  async (mode, environment, advice) => {
    const staging = staged({ environment, expectations: { allowsFewerTargets: true } });
    staging.world.state.readings.startFailures = 'of-container';
    staging.world.faults.crashTasksOn({ imageId: newest(staging.world), mode });
    const [said] = await keepInvoking(staging, 100);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(advice) });
    expect(told(staging, /rolls back/)).toEqual([]);
    expect(tagOf(staging, GROUP_TAGS.rejected)).toBeUndefined();
    staging.invariants.assertHeld();
    staging.world.faults.stopCrashing();
    staging.clock.advance(3600);
    await staging.invoke();
    await staging.finish(40);
    staging.invariants.assertFinished();
  },
);

test.each([
  [
    'of capacity',
    'We currently do not have sufficient m5.large capacity in the Availability Zone you requested',
    {},
  ],
  ['of a quota', 'You have requested more vCPU capacity than your current vCPU limit of 64 allows', {}],
  ['of a quota for fleets', "You've reached your quota for maximum Fleet Requests for this account", {}],
  ['of addresses', "There are not enough free addresses in subnet 'subnet-1' to satisfy the request", {}],
  ['of capacity, without a surge', 'InsufficientInstanceCapacity: none left', { MAX_SURGE: '0' }],
  ['of spot capacity, on trial', 'There is no Spot capacity available that matches it', { CANARY: '1' }],
  [
    'of reserved capacity',
    'The requested reservation does not have sufficient compatible and available capacity for this request',
    {},
  ],
  [
    'of the type in a zone',
    'Your requested instance type (m5.large) is not supported in your requested Availability Zone (eu-central-1c)',
    {},
  ],
  // It may be of the image, the type or the zone: nobody goes back for what may be no image's fault.
  ['of a configuration that is supported', 'The requested configuration is currently not supported', {}],
  [
    'of a place in a placement group',
    "Placement groups may not be used with instances of type 'm5.large'",
    {},
  ],
  [
    'of a token',
    "You can't launch instances with IMDSv1 because httpTokensEnforced is enabled for this account",
    {},
  ],
  ['of a higher limit', '5 instance(s) are already running', {}],
  ['of a key pair', 'The key pair golden-ami does not exist', {}],
  ['of anything that no page names', 'Something else went wrong', {}],
  ['of a key of their own', 'Client.InvalidKMSKey.InvalidState: The KMS key is disabled', { CANARY: '1' }],
] as const)(
  "launches that fail for lack %s are waited for, and are not the image's fault",
  async (_, what, environment) => {
    const staging = staged({ environment, expectations: { allowsFewerTargets: true } });
    const message = `${what}. Launching EC2 instance failed.`;
    staging.world.faults.failLaunches('demo-ecs', { message });
    const [said] = await keepInvoking(staging, 60);
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(what) });
    expect(said?.reason).toContain('it goes on once launches succeed, or back by `ecs-ami-deploy rollback`');
    expect(told(staging, /rolls back/)).toEqual([]);
    staging.world.faults.failLaunches('demo-ecs', { message, count: 0 });
    await staging.finish(40);
    staging.invariants.assertFinished();
    expect(tagOf(staging, GROUP_TAGS.rejected)).toBeUndefined();
  },
);

test.each(['launch-configuration', 'launch-template'] as const)(
  "a deleted snapshot of the owner's own data volume is not the image's fault: by a %s",
  async (launchSpec) => {
    const staging = standardStage({ instances: 3, launchSpec });
    const { deleted } = staging.world.state.storage;
    deleted.add('snap-0000000000000da7a');
    const [said] = await keepInvoking(staging, 60);
    const what = "The snapshot 'snap-0000000000000da7a' does not exist";
    expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(what) });
    expect(told(staging, /rolls back/)).toEqual([]);
    deleted.clear();
    await staging.finish(40);
    staging.invariants.assertFinished();
  },
);

test('launches that fail before a roll hold it up before it takes any member out of its group', async () => {
  const what =
    "You can't launch instances with IMDSv1 because httpTokensEnforced is enabled for this account";
  const staging = staged({
    expectations: { allowsFewerTargets: true },
    furnish: (world) => world.faults.failLaunches('demo-ecs', { message: what }),
  });
  const { world, account } = staging;
  const [first] = world.state.instances.values();
  world.faults.killInstance(first?.id ?? '');
  staging.clock.advance(120);
  const [said] = await keepInvoking(staging, 20);
  expect(said).toMatchObject({ state: 'blocked', reason: expect.stringContaining(what) });
  const taken = account.calls.log.filter(({ operation }) =>
    /Detach|Terminate|ContainerInstancesState/.test(operation),
  );
  expect(taken).toEqual([]);
  expect(told(staging, /detach|rolls back/)).toEqual([]);
  expect(tagOf(staging, GROUP_TAGS.rejected)).toBeUndefined();
});

test.each([
  ['an encrypted volume', 'Client.InvalidKMSKey.InvalidState: The KMS key is disabled', true],
  ['a client error', 'Client.InternalError: Client error on launch'],
  ['a mapped device', 'InvalidBlockDeviceMapping: snapshotId cannot be modified on root device'],
  [
    'another architecture',
    "The architecture 'arm64' of the specified instance type does not match the architecture 'x86_64' of the specified AMI",
  ],
  ['an image that is gone', 'The AMI ID ami-00000000000000002 does not exist'],
])('launches that fail by %s count against the image', async (_, what, isEncrypted = false) => {
  const staging = staged({ expectations: { endings: ['rolled-back'] } });
  const imageId = newest(staging.world);
  const image = staging.world.state.images.get(imageId);
  if (image) image.isEncrypted = isEncrypted;
  staging.world.faults.failLaunches('demo-ecs', {
    message: `${what}. Launching EC2 instance failed.`,
    imageId,
  });
  await keepInvoking(staging, 90);
  expect(told(staging, /rolls back: /).join()).toContain(what);
  expect(tagOf(staging, GROUP_TAGS.rejected)).toBe(imageId);
});

test("a registry that only the new instances can't reach counts against the image", async () => {
  const staging = staged({ expectations: { endings: ['rolled-back'] } });
  staging.world.faults.crashTasksOn({ imageId: newest(staging.world), mode: 'fails-to-start' });
  await keepInvoking(staging, 120);
  expect(told(staging, /rolls back: .*i\/o timeout/)).not.toEqual([]);
});

describe('an instance that an operator sets to DRAINING', () => {
  test("is waited for by name if it is a replacement, and is not its image's fault", async () => {
    const staging = staged({ environment: { CANARY: '1' } });
    afterTag(
      staging,
      GROUP_TAGS.canary,
      (value) => value.startsWith('2'),
      0,
      () => {
        for (const { id } of launchedFrom(staging.world, newest(staging.world)))
          staging.world.owner.setContainerInstanceStatus(id, 'DRAINING');
      },
    );
    const [said] = await keepInvoking(staging, 60);
    expect(said?.reason).toMatch(/is DRAINING in the cluster: somebody else drained it/);
    expect(told(staging, /rolls back/)).toEqual([]);
    for (const { id } of launchedFrom(staging.world, newest(staging.world)))
      staging.world.owner.setContainerInstanceStatus(id, 'ACTIVE');
    await staging.finish(40);
    staging.invariants.assertFinished();
  });

  test("takes nobody's turn before its batch", async () => {
    const staging = staged({ environment: { MAX_SURGE: '1' } });
    staging.clock.advance(600);
    once(staging.world, isDrain, () => {
      const old = [...(staging.world.state.groups.get('demo-ecs')?.members.values() ?? [])].filter(
        ({ instance }) => instance.imageId !== newest(staging.world),
      );
      const [first] = old;
      if (first !== undefined) staging.world.owner.setContainerInstanceStatus(first.instance.id, 'DRAINING');
    });
    await keepInvoking(staging, 60);
    expect(told(staging, /blocked:|rolls back/)).toEqual([]);
    expect(statuses(staging)).not.toContain('DRAINING');
    staging.invariants.assertFinished();
  });
});

test('tasks that an operator keeps stopping by hand do not count against the image', async () => {
  const staging = staged({ environment: { CANARY: '1' } });
  const stopAll = () => {
    for (const task of [...serviceOf(staging.world, 'worker').tasks])
      if (task.lastStatus === 'RUNNING') stopTask(staging.world.state, task, byUser('by hand', 'owner'));
  };
  once(staging.world, isDrain, () => {
    for (let minute = 0; minute < 20; minute++) staging.clock.schedule(60 * minute, stopAll);
  });
  await keepInvoking(staging, 90);
  expect(told(staging, /rolls back/)).toEqual([]);
  staging.invariants.assertFinished();
});

describe('agents that reconnect in turn, so that one or another is away for an hour', () => {
  /** Each for 60 s, the next 50 s after the one before. */
  function reconnect({ world, clock }: Stage): void {
    for (let turn = 1; turn <= 72; turn++)
      clock.schedule(turn * 50, () => {
        const serving = launchedFrom(world, newest(world)).filter(
          (each) => each.containerInstance?.agentConnected,
        );
        const next = serving[turn % serving.length];
        if (next === undefined) return;
        world.faults.dropAgent(next.id);
        clock.schedule(60, () => world.faults.returnAgent(next.id));
      });
  }

  test.each([
    ['by detaching', {}],
    ['with a trial', { CANARY: '1' }],
    ['without a surge', { MAX_SURGE: '0' }],
  ])('are no fault of the image (%s)', async (_, environment) => {
    const staging = standardStage({ instances: 12, version: '1' }, { environment });
    reconnect(staging);
    await keepInvoking(staging, 150);
    expect(told(staging, /rolls back|blocked/)).toEqual([]);
    expect(tagOf(staging, GROUP_TAGS.rejected)).toBeUndefined();
    staging.invariants.assertFinished();
  });

  test('make way for the fault of one that never comes back', async () => {
    const staging = standardStage({ instances: 12, version: '1' }, { environment: { CANARY: '1' } });
    reconnect(staging);
    once(staging.world, isDrain, () => {
      const [first] = launchedFrom(staging.world, newest(staging.world));
      if (first !== undefined) staging.world.faults.dropAgent(first.id);
    });
    await keepInvoking(staging, 30);
    expect(told(staging, /rolls back/)).toHaveLength(1);
  });
});
