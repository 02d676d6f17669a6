import { BUNDLE, FUNCTION_TAG, type Tags } from '../lambda/contract.ts';
import {
  type DeployedFunction,
  describeFunction,
  type TaggedFunction,
  taggedFunctions,
} from './aws/functions.ts';
import { Complaint, type Options } from './session.ts';

/** CloudFormation tags what it makes: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-resource-tags.html */
const STACK_TAG = 'aws:cloudformation:stack-name';

/**
 * The function that rolls: the one that is named, or that of the stack, or the only one in this Region.
 *
 * @returns undefined if there is none
 * @throws Complaint if there are several, or none by that name
 */
export async function findFunction(options: Options): Promise<DeployedFunction | undefined> {
  if (options.function !== undefined) return await named(options.function);
  const arn = onlyOne(ofStack(await tagged('roll'), options), options);
  return arn === undefined ? undefined : describeFunction(arn);
}

/** The function that takes orders, of the same deployment: both write one log. */
export async function findOrders(options: Options): Promise<DeployedFunction> {
  const found = await findFunction(options);
  if (found === undefined) throw notFound();
  if (found.handler === BUNDLE.orders) return found;
  for (const { arn } of await tagged('orders')) {
    const orders = await describeFunction(arn);
    if (orders.logGroup === found.logGroup) return orders;
  }
  throw new Complaint(`${found.name} has no function for orders beside it; name one with --function`);
}

/** The tags of a function that the tagging service knows. */
export async function deployedTags(arn: string): Promise<Tags> {
  return (await taggedFunctions()).find((each) => each.arn === arn)?.tags ?? {};
}

export function notFound(): Complaint {
  return new Complaint(
    'no function is deployed in this Region; deploy it, or choose another with --region or --profile',
  );
}

async function named(name: string): Promise<DeployedFunction> {
  try {
    return await describeFunction(name);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error;
    throw new Complaint(`there is no function ${name} in this account and Region`, { cause: error });
  }
}

async function tagged(role: 'roll' | 'orders'): Promise<TaggedFunction[]> {
  return (await taggedFunctions()).filter(({ tags }) => tags[FUNCTION_TAG] === role);
}

function ofStack(functions: readonly TaggedFunction[], { stack }: Options): readonly TaggedFunction[] {
  if (stack === undefined) return functions;
  const found = functions.filter(({ tags }) => tags[STACK_TAG] === stack);
  if (found.length === 0)
    throw new Complaint(`stack ${stack} has no function of ecs-ami-deploy in this Region`);
  return found;
}

function onlyOne(functions: readonly TaggedFunction[], { stack }: Options): string | undefined {
  if (functions.length < 2) return functions[0]?.arn;
  const list = functions.map(({ arn, tags }) => {
    const name = arn.split(':').at(-1) ?? arn;
    return tags[STACK_TAG] === undefined ? name : `${name} of stack ${tags[STACK_TAG]}`;
  });
  const how = stack === undefined ? '--stack or --function' : '--function';
  throw new Complaint(`there are ${functions.length} functions; choose one with ${how}: ${list.join(', ')}`);
}
