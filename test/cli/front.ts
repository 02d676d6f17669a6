import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FilterLogEventsCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import type { PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import type { GetResourcesCommandInput } from '@aws-sdk/client-resource-groups-tagging-api';
import { FUNCTION_TAG, type Tags } from '../../lambda/contract.ts';
import { type Invocation, invokeFunction } from '../bundle/invoke.ts';
import { BUNDLE_FILE } from '../demo/stage.ts';

/** A function that is deployed behind a front. */
export interface FrontFunction {
  readonly name: string;
  readonly role: 'roll' | 'orders';
  /** Undefined: no stack has made it. */
  readonly stack: string | undefined;
  /** What it is tagged as; as what it is if undefined. Anyone may write such a tag. */
  readonly taggedAs?: string;
  /** The tagging service still knows it, and Lambda doesn't. */
  readonly gone?: true;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A simulated AWS with our functions deployed in it: what the command line calls of Lambda, of the tags of
 * resources and of CloudWatch Logs. Every other call goes on to the simulated AWS.
 */
export interface Front {
  readonly url: string;
  /** The functions; a test may change them. */
  readonly functions: FrontFunction[];
  /** Whether somebody else holds the one slot of the function that rolls. */
  busy: boolean;
  /** Whether the caller may use the key of the seals. */
  keyDenied: boolean;
  /** The events that functions were invoked with. */
  readonly events: unknown[];
  /** What functions have told the event bus, as the history keeps it. */
  readonly told: string[];
  /** Whether its pages never end. */
  endless: boolean;
  /** What functions have logged. */
  readonly lines: string[];
  /** The functions that run. */
  readonly running: Set<Invocation>;
  end(): Promise<void>;
}

/** @param upstream address of the simulated AWS */
export async function openFront(upstream: string): Promise<Front> {
  const server = createServer((request, response) => {
    answer(front, upstream, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const front: Front = {
    url: `http://127.0.0.1:${port}`,
    functions: [],
    busy: false,
    keyDenied: false,
    events: [],
    told: [],
    endless: false,
    lines: [],
    running: new Set(),
    async end() {
      server.close();
      server.closeAllConnections();
    },
  };
  return front;
}

export const ACCOUNT = '123456789012';
export const arnOf = (name: string): string => `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:${name}`;
export const HISTORY = 'Platform-History';
const logGroupOf = (stack = ''): string => `${stack}-Log`;

async function answer(
  front: Front,
  upstream: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  const target = String(request.headers['x-amz-target'] ?? '');
  const [, name = '', what] =
    /^\/2015-03-31\/functions\/([^/]+)\/(configuration|invocations)/.exec(request.url ?? '') ?? [];
  if (what !== undefined)
    return onFunction(
      front,
      {
        name: decodeURIComponent(name),
        isEvent: request.headers['x-amz-invocation-type'] === 'Event',
        what,
        body,
      },
      response,
    );
  if (target.endsWith('.GetResources'))
    return tell(response, 200, { ResourceTagMappingList: resources(front, JSON.parse(body.toString())) });
  if (target.endsWith('.FilterLogEvents'))
    return tell(response, 200, filtered(front, JSON.parse(body.toString())));
  if (target.endsWith('.PutEvents')) keep(front, JSON.parse(body.toString()));
  if (target.endsWith('.GenerateMac') && front.keyDenied)
    return refuse(response, 400, 'AccessDeniedException', DENIED);
  const { host, connection, 'content-length': length, ...headers } = request.headers;
  const passed = await fetch(`${upstream}${request.url}`, {
    method: request.method,
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const type = passed.headers.get('content-type') ?? 'text/plain';
  response.writeHead(passed.status, { 'content-type': type });
  response.end(Buffer.from(await passed.arrayBuffer()));
}

const DENIED = `User: arn:aws:iam::${ACCOUNT}:user/reader is not authorized to perform: kms:GenerateMac`;

interface FunctionCall {
  readonly name: string;
  /** Whether nobody waits for its end. */
  readonly isEvent: boolean;
  readonly what: string;
  readonly body: Buffer;
}

/**
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html,
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
async function onFunction(
  front: Front,
  { name, isEvent, what, body }: FunctionCall,
  response: ServerResponse,
): Promise<void> {
  const found = front.functions.find((each) => name === each.name || name === arnOf(each.name));
  if (found === undefined || found.gone)
    return refuse(response, 404, 'ResourceNotFoundException', `Function not found: ${arnOf(name)}`);
  if (what === 'configuration') return tell(response, 200, configurationOf(found));
  if (front.busy && found.role === 'roll')
    return refuse(response, 429, 'TooManyRequestsException', 'Rate Exceeded.');
  const event: unknown = JSON.parse(body.toString());
  front.events.push(event);
  const invocation = invokeFunction({
    bundle: BUNDLE_FILE,
    exported: found.role === 'roll' ? 'handler' : 'orders',
    endpoint: front.url,
    environment: found.environment,
    event,
    remainingMillis: 90_000,
    onLine: (line) => front.lines.push(line),
  });
  front.running.add(invocation);
  const outcome = invocation.outcome.finally(() => front.running.delete(invocation));
  if (isEvent) {
    response.writeHead(202).end();
    return;
  }
  const ended = await outcome;
  // Whoever waits for it is never answered.
  if ('killed' in ended) return;
  if (ended.ok) return tell(response, 200, ended.result);
  const error = { errorType: ended.error.name, errorMessage: ended.error.message, trace: [] };
  return tell(response, 200, error, { 'x-amz-function-error': 'Unhandled' });
}

function configurationOf({ name, role, stack, environment }: FrontFunction) {
  return {
    FunctionName: name,
    FunctionArn: arnOf(name),
    Handler: role === 'roll' ? 'index.handler' : 'index.orders',
    Environment: { Variables: environment },
    LoggingConfig: { LogFormat: 'JSON', LogGroup: logGroupOf(stack) },
  };
}

/** https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetResources.html */
function resources({ functions }: Front, { TagFilters = [] }: GetResourcesCommandInput) {
  const mapped = functions.map(({ name, role, stack, taggedAs = role }) => ({
    arn: arnOf(name),
    tags: {
      [FUNCTION_TAG]: taggedAs,
      ...(stack !== undefined && { 'aws:cloudformation:stack-name': stack }),
    },
  }));
  const chosen = mapped.filter(({ tags }) =>
    TagFilters.every(
      ({ Key = '', Values = [] }) =>
        Object.hasOwn(tags, Key) && (Values.length === 0 || Values.includes((tags as Tags)[Key] ?? '')),
    ),
  );
  return chosen.map(({ arn, tags }) => ({ ResourceARN: arn, Tags: listed(tags) }));
}

const listed = (tags: Tags) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

function linesOf({ lines, told }: Front, { logGroupName }: { readonly logGroupName: string }) {
  return logGroupName === HISTORY ? told : lines;
}

/** As a rule hands it to a log group. */
function keep({ told }: Front, { Entries }: PutEventsCommandInput): void {
  for (const { Source, DetailType, Detail = '' } of Entries ?? [])
    told.push(JSON.stringify({ source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) }));
}

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
function filtered(front: Front, input: FilterLogEventsCommandInput) {
  const { logGroupName = '', startTime = 0, endTime = Number.POSITIVE_INFINITY } = input;
  const timestamp = Date.now();
  if (timestamp < startTime || timestamp > endTime) return { events: [] };
  const lines = linesOf(front, { logGroupName });
  const more = front.endless && { nextToken: 'more' };
  const events = lines.map((message, index) => ({
    eventId: String(index),
    timestamp,
    ingestionTime: toldAt(message) ?? timestamp,
    message,
  }));
  return { ...more, events };
}

/** Functions tell the times of the simulated AWS, and CloudWatch takes in what they tell at once. */
function toldAt(line: string): number | undefined {
  const [, at] = /"detail":.*?"at":"([^"]+)"/.exec(line) ?? [];
  return at === undefined ? undefined : Date.parse(at);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function tell(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  tell(response, status, { __type: code, message, Message: message }, { 'x-amzn-errortype': code });
}
