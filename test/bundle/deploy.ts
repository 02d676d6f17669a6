import { BESIDE_ENVIRONMENT, BUNDLE, EVENT_BUS_ENVIRONMENT, FUNCTION_TAG } from '../../lambda/contract.ts';
import type { AnsweringFunction } from '../simulated-aws/world/lambda/functions.ts';
import { type LogGroup, newLogGroup } from '../simulated-aws/world/logs/log-groups.ts';
import type { World } from '../simulated-aws/world/world.ts';
import type { Outcome } from './invoke.ts';

/** Both exports of the bundle that are functions of their own. */
export type Exported = 'handler' | 'orders';

export interface Deployment {
  readonly stack: string;
  /** Settings of both functions. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs one of them. */
  readonly run: (
    exported: Exported,
    event: unknown,
    environment: Deployment['environment'],
  ) => Promise<Outcome>;
  /** Whether the one slot of the function that rolls is taken. */
  readonly isBusy: () => boolean;
}

export interface DeployedFunctions {
  readonly roll: AnsweringFunction & Pick<Deployment, 'environment'>;
  readonly orders: AnsweringFunction;
  /** What both of them log. */
  readonly log: LogGroup;
  /** What they tell the event bus, as the history keeps it. */
  readonly history: LogGroup;
}

/** Puts our functions into a simulated AWS as a stack deploys them, with their log and the history. */
export function deployFunctions({ state }: World, deployment: Deployment): DeployedFunctions {
  const { stack, run, isBusy } = deployment;
  const arnOf = (name: string) => `arn:aws:lambda:${state.region}:${state.account}:function:${stack}-${name}`;
  const [log, history] = [newLogGroup(), newLogGroup()];
  state.logGroups.set(`${stack}-Log`, log).set(`${stack}-History`, history);
  state.eventBuses.get('default')?.targets.push(({ atMs, source, detailType, detail }) => {
    const message = JSON.stringify({ source, 'detail-type': detailType, detail: JSON.parse(detail) });
    history.events.push({ atMs, message });
  });
  const made = (name: string, exported: Exported, environment: Deployment['environment']) => ({
    arn: arnOf(name),
    events: [],
    answers: [],
    handler: exported === 'handler' ? BUNDLE.handler : BUNDLE.orders,
    environment,
    logGroup: `${stack}-Log`,
    tags: { 'aws:cloudformation:stack-name': stack },
    answer: async (event: unknown) => answerOf(await run(exported, event, environment)),
  });
  const environment = { ...deployment.environment, [EVENT_BUS_ENVIRONMENT]: 'default' };
  const beside = {
    [BESIDE_ENVIRONMENT.history]: `${stack}-History`,
    [BESIDE_ENVIRONMENT.orders]: arnOf('Orders'),
  };
  const plain = made('Function', 'handler', { ...environment, ...beside });
  const roll = { ...plain, tags: { ...plain.tags, [FUNCTION_TAG]: 'roll' }, isBusy };
  const orders = made('Orders', 'orders', environment);
  for (const each of [roll, orders]) state.functions.set(each.arn, each);
  return { roll, orders, log, history };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html */
function answerOf(outcome: Outcome): unknown {
  if ('killed' in outcome)
    throw Object.assign(new Error('Runtime exited with error: signal: killed'), {
      name: 'Runtime.ExitError',
    });
  if (outcome.ok) return outcome.result;
  throw Object.assign(new Error(outcome.error.message), { name: outcome.error.name });
}
