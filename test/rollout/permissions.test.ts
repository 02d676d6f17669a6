import {
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DeleteLaunchConfigurationCommand,
  DetachInstancesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import {
  DeregisterContainerInstanceCommand,
  ECSClient,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { markTags } from '../../lambda/tags/instance-tags.ts';
import { rolePolicies, stateKeyPolicy } from '../infra/role-policies.ts';
import { IS_WHOLE } from '../sample/sampled.ts';
import { sealedMark } from '../sealed.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import { checksOf, type ResourceFacts } from '../simulated-aws/iam/context.ts';
import { evaluate, simulationOf } from '../simulated-aws/iam/iam.ts';
import { enforce } from '../simulated-aws/iam/permissions.ts';
import {
  actionsOf,
  type Check,
  type PolicyDocument,
  type Statement,
  statementsOf,
} from '../simulated-aws/iam/policy.ts';
import type { Group } from '../simulated-aws/world/autoscaling/model.ts';
import type { Instance } from '../simulated-aws/world/ec2/model.ts';
import { resourceFacts } from '../simulated-aws/world/resource-facts.ts';
import { type ScenarioOptions, standardScenario } from '../simulated-aws/world/scenario.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { failWhatDrains, taskOf, whenUnhealthy } from './happenings.ts';
import { HOOK } from './hook.ts';
import { KINDS } from './kinds.ts';
import { addTopic, answering, TOPIC } from './people.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';
import { TELLS } from './told.ts';

const HOME = { account: '123456789012', region: DEFAULT_REGION };
const CLUSTER = 'demo';
const GROUP = 'demo-ecs';
const OWN_PARAMETER = '/images/ecs';
/** Which a template of `KINDS` names. */
const ALIAS_PARAMETER = '/golden';

/** The first template of a world. */
const TEMPLATE = 'lt-00000000000000001';

interface Deployment {
  readonly image: string;
  /** Of the role as synthesized. */
  readonly policies: readonly PolicyDocument[];
}

/** The image decides which parameters the role may read. */
function deployedFor(image: string, narrower: Readonly<Record<string, unknown>> = {}): Deployment {
  const imageParameterNames = [ALIAS_PARAMETER];
  const hooks = { onTrialPassed: HOOK, beforeBatch: TOPIC };
  const props = { clusters: [CLUSTER], image, imageParameterNames, ...hooks, ...narrower };
  return { image, policies: rolePolicies(HOME, props) };
}

const STANDARD = deployedFor('auto');
const KEY_POLICY = stateKeyPolicy(HOME);

interface Roll extends Pick<ScenarioOptions, 'launchSpec' | 'version'> {
  readonly deployment?: Deployment;
  /** A second image comes out after the first roll, and nothing that we made for the first is kept. */
  readonly twice?: boolean;
  /** After the roll, a member that stays carries our tags. */
  readonly mistakenMark?: boolean;
}

const ROLLS: Readonly<Record<string, Roll>> = {
  'by launch configuration': { launchSpec: 'launch-configuration' },
  'by launch configuration, deleting the old ones': { launchSpec: 'launch-configuration', twice: true },
  'by launch template with a number': { launchSpec: 'launch-template', version: '1' },
  'by launch template with a number, deleting old versions': {
    launchSpec: 'launch-template',
    version: '1',
    twice: true,
  },
  'by launch template with $Latest': { launchSpec: 'launch-template', version: '$Latest' },
  'by launch template with $Default': { launchSpec: 'launch-template', version: '$Default' },
  'that takes back a mistaken mark': { launchSpec: 'launch-configuration', mistakenMark: true },
  'by a role that may roll this group alone': {
    launchSpec: 'launch-template',
    mistakenMark: true,
    deployment: deployedFor('auto', { autoScalingGroupNames: [GROUP] }),
  },
  'by a role that may write and launch from this template alone': {
    launchSpec: 'launch-template',
    version: '1',
    deployment: deployedFor('auto', { launchTemplateIds: [TEMPLATE] }),
  },
  "onto the image in one's own parameter": {
    launchSpec: 'launch-configuration',
    deployment: deployedFor(`ssm:${OWN_PARAMETER}`),
  },
  'onto the newest image of a name': {
    launchSpec: 'launch-template',
    deployment: deployedFor('name:al2023-ami-ecs-hvm-*'),
  },
};

/** What the calls of the rolls have asked of IAM, one check of each kind. */
const ASKED = new Map<string, { readonly policies: readonly PolicyDocument[]; readonly check: Check }>();

function noteAsked(policies: readonly PolicyDocument[], check: Check): void {
  const { action, resource, context } = check;
  const kind = [action, resource.split(/[:/]/)[5], ...Object.keys(context).sort()].join(' ');
  if (!ASKED.has(kind)) ASKED.set(kind, { policies, check });
}

/** A stage whose calls the role must be allowed, and a note of each row of it that allowed one. */
function underRole(
  options: Pick<StageOptions, 'attend' | 'environment' | 'expectations' | 'shortcut'> & {
    readonly furnish: (world: World) => void;
    readonly policies?: readonly PolicyDocument[];
    readonly used?: Set<string>;
  },
): Stage {
  const { policies = STANDARD.policies, used = new Set(), furnish, ...rest } = options;
  let facts: ResourceFacts | undefined;
  const factsNow = () => {
    if (facts === undefined) throw new Error('the stage is not furnished yet');
    return facts;
  };
  return stage({
    ...rest,
    account: {
      get permissions() {
        return enforce(policies, factsNow());
      },
      interceptors: [noteRows(policies, factsNow, used)],
    },
    furnish(world) {
      facts = resourceFacts(world);
      for (const key of world.state.keys.byId.values()) key.policy = KEY_POLICY;
      furnish(world);
    },
  });
}

function noteRows(
  policies: readonly PolicyDocument[],
  facts: () => ResourceFacts,
  used: Set<string>,
): Interceptor {
  return {
    before(call) {
      for (const check of checksOf(call, facts())) {
        noteAsked(policies, check);
        const decision = evaluate(policies, check);
        if (decision.kind === 'allowed' && decision.statement)
          used.add(rowOf(decision.statement, check.action));
      }
    },
  };
}

/** Statements that allow the same action differ in what they want of it. */
function rowOf({ Condition = {} }: Statement, action: string): string {
  const keys = Object.entries(Condition).flatMap(([operator, wanted]) =>
    Object.keys(wanted).map((key) => `${operator} ${key}`),
  );
  return [action, ...keys].join(', ');
}

type Mishap = Pick<StageOptions, 'attend' | 'environment' | 'expectations' | 'furnish'>;

/** What a smooth roll does not need. */
const MISHAPS: Readonly<Record<string, Mishap>> = {
  'one that an alarm has an eye on': {
    environment: { ALARM_NAMES: 'errors' },
    furnish(world) {
      world.addAlarm({ name: 'errors' });
      standardScenario({ world, instances: 1, services: 1 });
    },
  },
  'one whose image its owner has made private, in a Capacity Reservation with room': {
    furnish(world) {
      const { id } = world.addCapacityReservation({ total: 2 });
      const group = { zones: ['a'], reservedInTemplate: id } as const;
      const { oldImage } = standardScenario({
        world,
        instances: 1,
        services: 1,
        group,
      });
      world.makeImagePrivate(oldImage.id);
    },
  },
  'one that people let begin': {
    environment: { BEFORE_BATCH: TOPIC },
    attend: answering(() => 'approve'),
    furnish(world) {
      standardScenario({ world, instances: 1, services: 1 });
      addTopic(world);
    },
  },
  'one that goes back, and gets its old instances again': {
    environment: { READY_TIMEOUT_SECONDS: '300' },
    expectations: { endings: ['rolled-back'] },
    furnish(world) {
      const group = { maxSize: 8 };
      const { newImage } = standardScenario({
        world,
        instances: 2,
        services: 1,
        version: '1',
        group,
      });
      world.faults.spoilImage(newImage.id);
    },
  },
  'one that goes back while its group finds unhealthy what drains': {
    environment: { MAX_SURGE: '0', CANARY: '0' },
    expectations: { allowsFewerTargets: true, endings: ['rolled-back'] },
    furnish(world) {
      const targetGroupArns = [world.addTargetGroup({ name: 'web' }).arn];
      const group = { targetGroupArns, healthCheckType: 'ELB' } as const;
      standardScenario({ world, instances: 2, services: 1, group });
      failWhatDrains(world);
      const request = { value: 'rollback', propagatesAtLaunch: false };
      whenUnhealthy(world, ({ tags }) => tags.set(GROUP_TAGS.course, request));
    },
  },
  'one that stops a task whose ARN does not name its cluster, on an instance of which that is so, too': {
    environment: { ON_DRAIN_TIMEOUT: 'force', DRAIN_TIMEOUT_SECONDS: '300' },
    expectations: { stopsTasks: 'all' },
    furnish(world) {
      world.state.hasLongArns = false;
      standardScenario({ world, instances: 2, services: 1 });
      const bounds = { minimumHealthyPercent: 100, maximumPercent: 100 };
      world.addService(CLUSTER, { name: 'old', desiredCount: 1, hasShortArns: true, ...bounds });
    },
  },
  'one under whose drains a standalone task is stopped, and a protected one waited for': {
    environment: { STANDALONE_TASKS: 'stop', DRAIN_TIMEOUT_SECONDS: '300' },
    expectations: { stopsTasks: 'standalone', allowsCutStandaloneTasks: true },
    furnish(world) {
      standardScenario({ world, instances: 2, services: 1 });
      const [first] = world.state.instances.keys();
      world.addStandaloneTask(CLUSTER, { family: 'night-job', instanceId: first });
      world.owner.protectTask(taskOf(world, 'web', first).arn, 30);
    },
  },
};

const LICENCE = 'arn:aws:license-manager:eu-central-1:123456789012:license-configuration:lic-0a1b2c3d';

/**
 * Its instances get tags at launch, and a license, which anyone who points a group to it must be allowed to
 * set.
 */
function tagWhatIsLaunched({ launchSpec }: Group): void {
  if (launchSpec.kind === 'launch-configuration') return;
  for (const { data } of launchSpec.template.versions.values()) {
    data.TagSpecifications = [{ ResourceType: 'instance', Tags: [{ Key: 'team', Value: 'platform' }] }];
    data.LicenseSpecifications = [{ LicenseConfigurationArn: LICENCE }];
  }
}

async function roll(
  { deployment: { image, policies } = STANDARD, twice, mistakenMark, ...spec }: Roll,
  used: Set<string>,
): Promise<Stage> {
  const rolled = underRole({
    policies,
    used,
    shortcut: true,
    environment: { IMAGE: image, POLL_SECONDS: '30', ...(twice && { KEEP_LAUNCH_SPECS: '0' }) },
    expectations: twice ? { keepLaunchSpecs: 0 } : {},
    furnish(world) {
      const { group, newImage } = standardScenario({ world, instances: 2, ...spec });
      tagWhatIsLaunched(group);
      world.setParameter(OWN_PARAMETER, newImage.id);
    },
  });
  await wholeRoll(rolled);
  if (twice) {
    rolled.world.release('amazon-linux-2023');
    await wholeRoll(rolled);
  }
  if (mistakenMark) {
    const [member] = membersOf(rolled.world);
    if (member === undefined) throw new Error('there is no member to mark');
    const sealed = sealedMark(member, Object.fromEntries(marks(rolled)));
    for (const [key, value] of Object.entries(sealed)) member.tags.set(key, value);
    await wholeRoll(rolled);
  }
  return rolled;
}

async function wholeRoll({ invoke, finish }: Stage): Promise<void> {
  await invoke();
  await finish();
}

function membersOf(world: World): Instance[] {
  return [...(world.state.groups.get(GROUP)?.members.values() ?? [])].map(({ instance }) => instance);
}

function marks({ clock }: Pick<Stage, 'clock'>, cluster = CLUSTER): [string, string][] {
  return Object.entries(markTags(cluster, { group: GROUP, detachStartedAt: new Date(clock.now()) }));
}

describe('under the synthesized role, a roll', () => {
  const used = new Set<string>();

  test.each(Object.entries(ROLLS))('%s needs no right it lacks', async (_, each) => {
    const rolled = await roll(each, used);
    expect(rolled.account.bugs).toEqual([]);
    expect(rolled.account.calls.log.filter(({ error = '' }) => /Denied|Unauthorized/.test(error))).toEqual(
      [],
    );
    rolled.invariants.assertFinished();
    expect(rolled.invariants.metrics().instancesReplaced).toBe(each.twice ? 4 : 2);
  });

  test.each(KINDS)('of a group of the kind "$name" needs no right it lacks', async (kind) => {
    const { environment, expectations, furnish, replaces } = kind;
    const options = { environment: { POLL_SECONDS: '30', ...TELLS, ...environment }, expectations, furnish };
    const rolled = underRole({ ...options, used, shortcut: true });
    await wholeRoll(rolled);
    expect(rolled.account.bugs).toEqual([]);
    const denied = rolled.account.calls.log.filter(({ error = '' }) => /Denied|Unauthorized/.test(error));
    expect(denied).toEqual([]);
    rolled.invariants.assertFinished();
    expect(rolled.invariants.metrics().instancesReplaced).toBe(replaces);
  });

  test.each(Object.entries(MISHAPS))('%s needs no right it lacks', async (_, options) => {
    const rolled = underRole({ ...options, used, shortcut: true });
    await wholeRoll(rolled);
    expect(rolled.account.bugs).toEqual([]);
    const denied = rolled.account.calls.log.filter(({ error = '' }) => /Denied|Unauthorized/.test(error));
    expect(denied).toEqual([]);
    rolled.invariants.assertFinished();
  });

  // Only all of them together use all of it.
  test.runIf(IS_WHOLE)('uses every right it has', () => {
    // What Lambda itself does in the role's name, whatever the function calls.
    const ofThePlatform = ['logs:CreateLogStream', 'logs:PutLogEvents', 'sqs:SendMessage'];
    const allowed = statementsOf(STANDARD.policies).flatMap((statement) =>
      actionsOf(statement).map((action) => rowOf(statement, action)),
    );
    expect(allowed.filter((row) => !used.has(row)).sort()).toEqual(ofThePlatform);
  });

  test("only asks for what AWS's service authorization reference has: actions, resources and condition keys", async () => {
    for (const { policies, check } of ASKED.values()) {
      const outcome = await runSimulation(simulationOf(policies, check), {});
      const where = `${check.action} on ${check.resource}`;
      // The reference has no parameters without an account, as AWS's own are, nor tasks and container
      // instances without a cluster.
      const isLeftOut = /^arn:aws:(ssm:[\w-]+::|ecs:[^/]+:(task|container-instance)\/[^/]+$)/.test(
        check.resource,
      );
      if (outcome.resultType === 'error' && isLeftOut) continue;
      if (outcome.resultType === 'error') throw new Error(`${where}: ${JSON.stringify(outcome.errors)}`);
      const results = outcome.resultType === 'single' ? [outcome.result] : outcome.results;
      expect(
        results.flatMap(({ ignoredContextKeys }) => ignoredContextKeys),
        where,
      ).toEqual([]);
      expect(outcome.overallResult === 'Allowed', where).toBe(evaluate(policies, check).kind === 'allowed');
    }
    expect(ASKED.size).toBeGreaterThan(50);
  });

  test('is stopped when the role lacks a right, with and without the bytes in between', async () => {
    const policies = STANDARD.policies.map(({ Statement }) => ({
      Statement: Statement.filter(({ Action }) => Action !== 'ec2:TerminateInstances'),
    }));
    for (const shortcut of [true, false]) {
      const { invoke } = underRole({
        policies,
        shortcut,
        furnish: (world) => {
          standardScenario({ world, instances: 1, services: 1, launchSpec: 'launch-configuration' });
        },
      });
      const reason = expect.stringMatching(/^UnauthorizedOperation: .*ec2:TerminateInstances/);
      expect(await invoke()).toMatchObject({ groups: [{ state: 'failed', reason }] });
    }
  });
});

test('a role that may write another template alone changes nothing, and says why', async () => {
  const { policies } = deployedFor('auto', { launchTemplateIds: [TEMPLATE.replace(/1$/, 'f')] });
  const { invoke, world } = underRole({
    policies,
    shortcut: true,
    furnish: (world) => {
      standardScenario({ world, instances: 1, services: 1, version: '1' });
    },
  });
  const reason = expect.stringMatching(/^UnauthorizedOperation: .*ec2:CreateLaunchTemplateVersion/);
  expect(await invoke()).toMatchObject({ groups: [{ state: 'failed', reason }] });
  expect(world.state.launchTemplates.get(TEMPLATE)?.versions.size).toBe(1);
});

describe('the synthesized role may not', () => {
  /** A cluster of ours with a roll going on, and a cluster and group of somebody else's. */
  function neighbours() {
    const staged = underRole({
      furnish(world) {
        standardScenario({ world, instances: 2, services: 1, launchSpec: 'launch-configuration' });
        const image = world.release('amazon-linux-2023');
        world.addCluster('theirs');
        world.addGroup({ name: 'theirs', cluster: 'theirs', image, instances: 1 });
        world.addInstance({ image });
        world.setParameter('/theirs', 'secret');
      },
    });
    const { world, account, clock } = staged;
    const { state } = world;
    const members = membersOf(world);
    const stray = [...state.instances.values()].find(({ launchedBy }) => launchedBy === undefined);
    const theirs = state.clusters.get('theirs');
    const [containerInstance = ''] = theirs?.containerInstances.keys() ?? [];
    const options = account.clientOptions;
    return {
      staged,
      /** A member of ours. */
      ours: members[0]?.id ?? '',
      /** In no group. */
      stray: stray?.id ?? '',
      containerInstance,
      mark(cluster = CLUSTER) {
        const tags = marks({ clock }, cluster);
        for (const [key, value] of tags) members[0]?.tags.set(key, value);
        return tags.map(([Key, Value]) => ({ Key, Value }));
      },
      ec2: new EC2Client(options),
      ecs: new ECSClient(options),
      autoScaling: new AutoScalingClient(options),
      ssm: new SSMClient(options),
    };
  }

  type Neighbours = ReturnType<typeof neighbours>;
  const tags = (pairs: Readonly<Record<string, string>>) =>
    Object.entries(pairs).map(([Key, Value]) => ({ Key, Value }));
  const groupTags = (name: string, pairs: Readonly<Record<string, string>>) =>
    tags(pairs).map((tag) => ({
      ...tag,
      ResourceId: name,
      ResourceType: 'auto-scaling-group',
      PropagateAtLaunch: false,
    }));
  const terminate = ({ ec2, ours }: Neighbours) =>
    ec2.send(new TerminateInstancesCommand({ InstanceIds: [ours] }));

  const REFUSED: Readonly<Record<string, (at: Neighbours) => Promise<unknown>>> = {
    'terminate an untagged instance': terminate,
    'terminate an instance tagged for another cluster': (at) => {
      at.mark('theirs');
      return terminate(at);
    },
    'terminate a tagged instance together with an untagged one': (at) => {
      at.mark();
      return at.ec2.send(new TerminateInstancesCommand({ InstanceIds: [at.ours, at.stray] }));
    },
    'tag an instance that is in no group': (at) =>
      at.ec2.send(new CreateTagsCommand({ Resources: [at.stray], Tags: at.mark() })),
    'tag an instance for another cluster': (at) =>
      at.ec2.send(
        new CreateTagsCommand({
          Resources: [at.ours],
          Tags: tags({ [INSTANCE_TAGS.terminate]: 'true', [INSTANCE_TAGS.cluster]: 'theirs' }),
        }),
      ),
    'set a tag of any other kind': (at) => {
      at.mark();
      return at.ec2.send(new CreateTagsCommand({ Resources: [at.ours], Tags: tags({ team: 'ours' }) }));
    },
    'drain in another cluster': (at) =>
      at.ecs.send(
        new UpdateContainerInstancesStateCommand({
          cluster: 'theirs',
          containerInstances: [at.containerInstance],
          status: 'DRAINING',
        }),
      ),
    'deregister from another cluster': (at) =>
      at.ecs.send(
        new DeregisterContainerInstanceCommand({
          cluster: 'theirs',
          containerInstance: at.containerInstance,
        }),
      ),
    'update a group that does not bear our tag': (at) =>
      at.autoScaling.send(
        new UpdateAutoScalingGroupCommand({
          AutoScalingGroupName: 'theirs',
          LaunchConfigurationName: `${GROUP}-launch-configuration`,
        }),
      ),
    'detach from a group that does not bear our tag': (at) =>
      at.autoScaling.send(
        new DetachInstancesCommand({
          AutoScalingGroupName: GROUP,
          InstanceIds: [at.ours],
          ShouldDecrementDesiredCapacity: false,
        }),
      ),
    'tag a group for another cluster': (at) =>
      at.autoScaling.send(
        new CreateOrUpdateTagsCommand({ Tags: groupTags('theirs', { [GROUP_TAGS.cluster]: 'theirs' }) }),
      ),
    "delete its owner's launch configuration": (at) =>
      at.autoScaling.send(
        new DeleteLaunchConfigurationCommand({ LaunchConfigurationName: 'theirs-launch-configuration' }),
      ),
    'read any other parameter': (at) => at.ssm.send(new GetParametersCommand({ Names: ['/theirs'] })),
  };

  test.each(Object.entries(REFUSED))('%s', async (_, attempt) => {
    const at = neighbours();
    await expect(attempt(at)).rejects.toMatchObject({
      name: expect.stringMatching(/^(UnauthorizedOperation|AccessDenied|AccessDeniedException)$/),
    });
    expect(at.staged.account.calls.log.every(({ tookEffect }) => !tookEffect)).toBe(true);
  });
});
