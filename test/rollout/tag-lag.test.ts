import { expect, test } from 'vitest';
import { rolePolicies } from '../infra/role-policies.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { enforce } from '../simulated-aws/iam/permissions.ts';
import { killAfter } from '../simulated-aws/weather/faults.ts';
import { laggingTags } from '../simulated-aws/weather/iam-lag.ts';
import { resourceFacts } from '../simulated-aws/world/resource-facts.ts';
import { told } from './happenings.ts';
import { kindNamed } from './kinds.ts';
import { groupsOf } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

const BY_TEMPLATE = kindNamed('launch template by 1');
const CASES = [BY_TEMPLATE, ...['no surge', 'warm pool, Stopped', 'batches'].map(kindNamed)];
const POLICIES = rolePolicies({ account: '123456789012', region: DEFAULT_REGION }, { clusters: ['demo'] });

/** Under the synthesized role, with IAM knowing of tags so many seconds after they are written. */
function lagging(
  kind: (typeof CASES)[number],
  seconds: number,
  environment: StageOptions['environment'] = {},
) {
  const staging = stage({ ...kind, environment: { ...kind.environment, ...environment }, shortcut: true });
  const lag = laggingTags(() => resourceFacts(staging.world), staging.clock, seconds);
  return { staging, under: [lag.interceptor, enforce(POLICIES, lag.facts)] };
}

async function untilEnded({ invoke, clock, world }: Stage, under: readonly Interceptor[]): Promise<void> {
  for (let count = 0; count < 20; count++) {
    const said = groupsOf(await invoke({ action: count === 0 ? 'roll' : 'continue' }, under));
    if (said.some(({ state }) => state === 'failed')) throw new Error(JSON.stringify(said));
    if (said.every(({ state }) => state !== 'in-progress')) return;
    clock.advance(300);
  }
  throw new Error(`does not end: ${world.state.groups.size}`);
}

test.each(CASES)('tags that IAM does not know yet fail no roll: $name', async (kind) => {
  const { staging, under } = lagging(kind, 25);
  await untilEnded(staging, under);
  expect(
    told(staging, /overtaken: denied, perhaps as IAM does not know yet of tags written \d+ s ago/),
  ).not.toEqual([]);
  staging.invariants.assertFinished();
  expect(staging.invariants.metrics().instancesReplaced).toBe(kind.replaces);
});

test('not even when looks follow each other closely', async () => {
  const { staging, under } = lagging(BY_TEMPLATE, 50, { POLL_SECONDS: '2' });
  await untilEnded(staging, under);
  staging.invariants.assertFinished();
});

test('nor do tags written by an invocation that was killed', async () => {
  const { staging, under } = lagging(BY_TEMPLATE, 25);
  const tagged = await taggedAt(BY_TEMPLATE);
  await staging.invoke({ action: 'roll' }, [...under, killAfter(tagged)]);
  await untilEnded(staging, under);
  staging.invariants.assertFinished();
});

/** Which call it is that puts the first tags on the group. */
async function taggedAt(kind: (typeof CASES)[number]): Promise<number> {
  const staging = stage({ ...kind, shortcut: true });
  await staging.invoke();
  return staging.account.calls.log.findIndex(({ operation }) => operation === 'CreateOrUpdateTags') + 1;
}

test('a permanent denial is reported within two minutes', async () => {
  const staging = stage({ ...BY_TEMPLATE, shortcut: true });
  const denies: Interceptor = {
    before({ operation }) {
      if (operation === 'SuspendProcesses' || operation === 'DetachInstances')
        throw new AwsError('AccessDenied', 'User: x is not authorized to perform: y', 403);
    },
  };
  const began = staging.clock.now();
  expect(groupsOf(await staging.invoke({ action: 'roll' }, [denies]))).toMatchObject([{ state: 'failed' }]);
  expect(staging.clock.now() - began).toBeLessThan(120_000);
});

test('a denial that involves no tag fails at once', async () => {
  const staging = stage({ ...BY_TEMPLATE, shortcut: true });
  const denies: Interceptor = {
    before({ operation }) {
      if (operation === 'CreateLaunchTemplateVersion')
        throw new AwsError('UnauthorizedOperation', 'User: x is not authorized to perform: y', 403);
    },
  };
  expect(groupsOf(await staging.invoke({ action: 'roll' }, [denies]))).toMatchObject([{ state: 'failed' }]);
  expect(told(staging, /perhaps as IAM/)).toEqual([]);
});
