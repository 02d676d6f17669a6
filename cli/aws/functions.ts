import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { awsTime } from '../../lambda/aws/aws-time.ts';
import { FUNCTION_TAG, FUNCTION_TIMEOUT_MINUTES, type Tags } from '../../lambda/contract.ts';

/** A deployed function. */
export interface DeployedFunction {
  readonly name: string;
  readonly arn: string;
  /** Such as `index.handler`. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logGroup: string;
  /** AWS's time, which the log goes by. */
  readonly now: () => Date;
}

/** A function that carries our tag, whoever wrote it. */
export interface TaggedFunction {
  readonly arn: string;
  readonly tags: Tags;
}

/** What the value of our tag says of a function: it rolls, or decides for a sequence. */
export type FunctionKind = 'roll' | 'sequence';

/** All functions of this Region that carry our tag with this value. */
export async function taggedFunctions(kind: FunctionKind): Promise<TaggedFunction[]> {
  const client = new ResourceGroupsTaggingAPIClient({});
  const input = {
    TagFilters: [{ Key: FUNCTION_TAG, Values: [kind] }],
    ResourceTypeFilters: ['lambda:function'],
  };
  const found: TaggedFunction[] = [];
  for await (const { ResourceTagMappingList = [] } of paginateGetResources({ client }, input))
    for (const { ResourceARN: arn, Tags = [] } of ResourceTagMappingList)
      if (arn !== undefined) {
        const tags = Tags.map(({ Key = '', Value = '' }) => [Key, Value] as const);
        found.push({ arn, tags: Object.fromEntries(tags) });
      }
  return found;
}

/** @param nameOrArn of a function in this Region, or its ARN */
export async function describeFunction(nameOrArn: string): Promise<DeployedFunction> {
  const command = new GetFunctionConfigurationCommand({ FunctionName: nameOrArn });
  const client = new LambdaClient({});
  const now = awsTime(client);
  const { FunctionName, FunctionArn, Handler, Environment, LoggingConfig } = await client.send(command);
  const name = FunctionName ?? nameOrArn;
  return {
    name,
    arn: FunctionArn ?? nameOrArn,
    handler: Handler ?? '',
    environment: Environment?.Variables ?? {},
    logGroup: LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
    now,
  };
}

/** Another invocation is at work, and the function has only one slot. */
export class FunctionBusy extends Error {
  override readonly name = 'FunctionBusy';
}

/** The function ended in an error. Its message is the function's own. */
export class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed';
}

/** Longer than the function can live: Lambda always answers first. */
const ANSWER_MILLISECONDS = (FUNCTION_TIMEOUT_MINUTES + 1) * 60_000;

/**
 * Invokes a function and waits for its answer. Without retries: a roll that goes on unheard isn't begun
 * twice.
 *
 * @returns its answer, parsed from JSON
 * @throws FunctionBusy, FunctionFailed
 */
export async function invoke(arn: string, event: object): Promise<unknown> {
  const requestHandler = new NodeHttpHandler({
    requestTimeout: ANSWER_MILLISECONDS,
    throwOnRequestTimeout: true,
  });
  const client = new LambdaClient({ maxAttempts: 1, requestHandler });
  const command = new InvokeCommand({ FunctionName: arn, Payload: JSON.stringify(event) });
  try {
    const { Payload, FunctionError } = await client.send(command);
    const text = Payload?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new FunctionFailed(messageIn(text));
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TooManyRequestsException') throw error;
    throw new FunctionBusy('the function is at work already, or the account has reached its limit', {
      cause: error,
    });
  }
}

/** Has Lambda invoke a function as soon as it is free, and waits for nothing. */
export async function send(arn: string, event: object): Promise<void> {
  const Payload = JSON.stringify(event);
  await new LambdaClient({}).send(new InvokeCommand({ FunctionName: arn, InvocationType: 'Event', Payload }));
}

/** https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html */
function messageIn(text: string): string {
  const { errorMessage } = JSON.parse(text) as { readonly errorMessage?: unknown };
  return typeof errorMessage === 'string' ? errorMessage : text;
}
