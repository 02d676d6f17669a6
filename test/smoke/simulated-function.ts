import { isAsked } from '../../lambda/core/reasons/reason.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import { rolePolicies } from '../infra/role-policies.ts';
import type { OrderOutcome, Outcome, Stage } from '../rollout/stage.ts';
import { TELLS } from '../rollout/told.ts';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import { enforce } from '../simulated-aws/iam/permissions.ts';
import { resourceFacts } from '../simulated-aws/world/resource-facts.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { NAME } from './names.ts';
import type { Answer, Logs, Smoke, Stack, StackOutputs } from './smoke.ts';

export const HOME = { account: '123456789012', region: DEFAULT_REGION };

const OUTPUTS: StackOutputs = {
  functionName: 'function',
  ordersFunctionName: 'orders',
  roleArn: `arn:aws:iam::${HOME.account}:role/function`,
  instanceProfileName: 'instances',
  historyName: 'history',
};

const PROPS = { clusters: [NAME], autoScalingGroupNames: [NAME] };

/** As `app.ts` has them; to synthesize them takes a second. */
export const POLICIES: Readonly<Record<'function' | 'orders', ReturnType<typeof rolePolicies>>> = {
  function: rolePolicies(HOME, PROPS),
  orders: rolePolicies(HOME, PROPS, 'orders'),
};

/** Stands in for CloudFormation: sets the function's environment, as `app.ts` does. */
export function simulatedStack(world: World, environment: Record<string, string>): Stack {
  const isDeployed = () => environment.TAG_IMAGES !== undefined;
  return {
    async deploy(badImage) {
      world.addInstanceProfile(OUTPUTS.instanceProfileName);
      const settings = { BAKE_SECONDS: '60', READY_TIMEOUT_SECONDS: '300', CANARY: '1' };
      Object.assign(environment, { CLUSTERS: NAME, TAG_IMAGES: badImage, ...TELLS, ...settings });
    },
    outputs: async () => (isDeployed() ? OUTPUTS : undefined),
    async remove() {
      if (!isDeployed()) return [];
      world.owner.deleteInstanceProfile(OUTPUTS.instanceProfileName);
      delete environment.TAG_IMAGES;
      return ['stack'];
    },
  };
}

/** Stands for CloudWatch Logs, and for the rule that keeps what is told on the event bus. */
export function simulatedLogs({ state }: World): Logs {
  return {
    policies: async () => 0,
    lines: async () =>
      [...state.eventBuses.values()].flatMap(({ events }) =>
        events.map(({ detail }) => JSON.stringify({ detail: JSON.parse(detail) })),
      ),
  };
}

/** Stands for Lambda: each function with its role, and of the one that rolls one invocation at a time. */
export function simulatedFunctions(staged: Stage): Smoke['invoke'] {
  const facts = resourceFacts(staged.world);
  const asFunction = [enforce(POLICIES.function, facts)];
  const asOrders = [enforce(POLICIES.orders, facts)];
  let isRunning = false;
  return async (functionName, event) => {
    if (functionName === OUTPUTS.ordersFunctionName) return answerOf(await staged.order(event, asOrders));
    if (isRunning) return { kind: 'busy' };
    isRunning = true;
    try {
      return answerOf(await staged.invoke(event, asFunction));
    } finally {
      isRunning = false;
    }
  };
}

type Group = Pick<GroupResult, 'reason'> & { readonly state: string; readonly becauseCode?: string };

/** As the handlers answer: see `lambda/handler.ts`. */
function answerOf(outcome: Outcome | OrderOutcome): Answer {
  if (outcome.kind === 'killed') return { kind: 'lost' };
  const groups: readonly Group[] = outcome.groups;
  const failed = groups.filter(
    ({ state, becauseCode = 'cause-lost' }) =>
      state === 'failed' || (state === 'rolled-back' && !isAsked({ code: becauseCode })),
  );
  if (failed.length > 0) return { kind: 'failed', message: failed.map(({ reason }) => reason).join('\n') };
  return { kind: 'answered', states: groups.map(({ state }) => state) };
}
