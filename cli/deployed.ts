import { BESIDE_ENVIRONMENT, BUNDLE, SEQUENCE_ENVIRONMENT } from '../lambda/contract.ts';
import { TABLE } from '../lambda/settings/table.ts';
import {
  type DeployedFunction,
  describeFunction,
  type FunctionKind,
  type TaggedFunction,
  taggedFunctions,
} from './aws/functions.ts';
import { Complaint, type Options } from './session.ts';

/**
 * CloudFormation tags what it makes, and nobody else can write such a tag.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-resource-tags.html
 */
const STACK_TAG = 'aws:cloudformation:stack-name';

/**
 * The function that rolls, or that decides for a sequence: the one that is named, or that of the stack, or
 * the only one in this Region that a stack has made. Our own tag alone says nothing, as anyone may write it
 * who may tag a function.
 *
 * @returns undefined if there is none
 * @throws Complaint if there are several, none by that name, or only ones that no stack has made
 */
export async function findFunction(
  options: Options,
  kind: FunctionKind = 'roll',
): Promise<DeployedFunction | undefined> {
  if (options.function !== undefined) return await named(options.function, kind);
  const tagged = await taggedFunctions(kind);
  const ofStacks = ofStack(
    tagged.filter(({ tags }) => tags[STACK_TAG] !== undefined),
    options,
  );
  const found = await existing(ofStacks);
  if (found.length > 1) throw tooMany(found, options);
  const [only] = found;
  if (only !== undefined) return ours(await describeFunction(only.arn), kind);
  const [stranger] = await existing(tagged.filter(({ tags }) => tags[STACK_TAG] === undefined));
  if (stranger === undefined) return undefined;
  throw new Complaint(
    `${nameIn(stranger.arn)} is tagged as ecs-ami-deploy, as anyone may tag a function, and no stack has made it; if it is yours, name it with --function`,
  );
}

/**
 * The function that takes orders, of the same deployment: the function that rolls names it in its
 * environment, which only those may write who may change what it does.
 */
export async function findOrders(options: Options): Promise<DeployedFunction> {
  const found = await neededFunction(options);
  if (found.handler === BUNDLE.orders) return found;
  const arn = found.environment[BESIDE_ENVIRONMENT.orders];
  if (arn !== undefined) return await named(arn, 'roll');
  throw new Complaint(`${found.name} names no function for orders; name one with --function`);
}

/** As `findFunction`. @throws Complaint also if there is none, or the one named is another */
export async function findSequence(options: Options): Promise<DeployedFunction> {
  const found = await findFunction(options, 'sequence');
  if (found === undefined)
    throw new Complaint(
      'no sequence is deployed in this Region; choose its place with --region or --profile, or name its function with --function',
    );
  if (found.handler === BUNDLE.sequence) return found;
  throw new Complaint(`${found.name} decides for no sequence; name another with --function`);
}

/** As `findFunction`. @throws Complaint also if there is none */
export async function neededFunction(options: Options): Promise<DeployedFunction> {
  const found = await findFunction(options);
  if (found !== undefined) return found;
  throw new Complaint(
    'no function is deployed in this Region; deploy it, name one just deployed with --function, or choose another place with --region or --profile',
  );
}

async function named(name: string, kind: FunctionKind): Promise<DeployedFunction> {
  const found = await described(name);
  if (found === undefined) throw new Complaint(`there is no function ${name} in this account and Region`);
  return ours(found, kind);
}

/** What each function of ours has in its environment. */
const HAS: Readonly<Record<FunctionKind, string>> = {
  roll: TABLE.clusters.variable,
  sequence: SEQUENCE_ENVIRONMENT.sequence,
};

/**
 * A stranger's function may name any other as the one for orders, and so have it invoked by whoever asks
 * here: only those who may change a function give it our environment.
 */
function ours(found: DeployedFunction, kind: FunctionKind): DeployedFunction {
  if (HAS[kind] in found.environment) return found;
  throw new Complaint(
    `${found.name} is no function of ecs-ami-deploy: it has no ${HAS[kind]} in its environment`,
  );
}

/** Undefined if there is none. */
async function described(name: string): Promise<DeployedFunction | undefined> {
  try {
    return await describeFunction(name);
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** The tagging service may still know a function that is gone. One that may not be described is there. */
async function existing(tagged: readonly TaggedFunction[]): Promise<TaggedFunction[]> {
  const found: TaggedFunction[] = [];
  for (const each of tagged) if (!(await isGone(each.arn))) found.push(each);
  return found;
}

async function isGone(arn: string): Promise<boolean> {
  try {
    return (await described(arn)) === undefined;
  } catch (error) {
    // Whoever may not describe a stranger's function may still choose among them; the chosen one tells why.
    if (error instanceof Error && error.name === 'AccessDeniedException') return false;
    throw error;
  }
}

function ofStack(functions: readonly TaggedFunction[], { stack }: Options): readonly TaggedFunction[] {
  if (stack === undefined) return functions;
  const found = functions.filter(({ tags }) => tags[STACK_TAG] === stack);
  if (found.length === 0)
    throw new Complaint(`stack ${stack} has no function of ecs-ami-deploy in this Region`);
  return found;
}

function tooMany(functions: readonly TaggedFunction[], { stack }: Options): Complaint {
  const list = functions.map(({ arn, tags }) => `${nameIn(arn)} of stack ${tags[STACK_TAG]}`);
  const [first] = functions;
  const how =
    stack === undefined ? `--stack ${first?.tags[STACK_TAG]}` : `--function ${nameIn(first?.arn ?? '')}`;
  return new Complaint(
    `none of the ${functions.length} functions here was asked; choose one, as by ${how}: ${list.join(', ')}`,
  );
}

function nameIn(arn: string): string {
  return arn.split(':').at(-1) ?? arn;
}
