import type { Clock } from '../clock/clock.ts';
import { broken, refusalOf, thrownBySdk } from '../wire/errors.ts';
import { demandRequired } from '../wire/invalid-input.ts';
import { awsJson } from '../wire/json.ts';
import type { WireRequest, WireResponse } from '../wire/protocol.ts';
import { routeOf, WIRES } from '../wire/route.ts';
import { inputOf, keyOf } from '../wire/schema.ts';
import { askedRegion, signedRegion } from '../wire/signed-region.ts';
import { notSimulated } from './aws-error.ts';
import { type Call, type CallRecord, type Interceptor, Killed, LostAnswer } from './call.ts';
import type { AwsError, Operation, Service } from './operation.ts';

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly operations: readonly Operation[];
  /** Whose requests are answered; none are for others. */
  readonly region: string;
  /** Simulated seconds from request to effect, the same for all or told anew for each. */
  readonly latencySeconds: Latency;
}

/** Simulated seconds. */
export type Latency = number | (() => number);

/** Who calls, and what stands between it and the operations. */
export interface Caller {
  readonly name: string;
  readonly interceptors: readonly Interceptor[];
  calls: number;
}

export interface Exchange {
  /** Rejects with `Killed` or `LostAnswer` where the caller gets no answer. */
  answer(caller: Caller, request: WireRequest): Promise<WireResponse>;
  /** The same without the bytes: rejects with the refusal too, by the name that an SDK client gives it. */
  perform(caller: Caller, service: Service, operation: string, input: object): Promise<object>;
  readonly calls: CallRecord;
  /** What broke in the simulation itself; the caller got a 501. */
  readonly bugs: readonly unknown[];
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Carries requests to operations and answers back, and keeps count of them. */
export function openExchange(options: ExchangeOptions): Exchange {
  const { clock, latencySeconds, region } = options;
  const operations = new Map(options.operations.map((operation) => [keyOf(operation.schema), operation]));
  const log: Call[] = [];
  const counts: Record<string, number> = {};
  const bugs: unknown[] = [];

  function begin(caller: Caller, service: Service, operation: string) {
    caller.calls += 1;
    const call: Writable<Call> = {
      number: log.length + 1,
      session: caller.name,
      numberInSession: caller.calls,
      time: clock.now(),
      service,
      operation,
      key: `${service}.${operation}`,
      input: {},
      tookEffect: false,
    };
    log.push(call);
    counts[call.key] = (counts[call.key] ?? 0) + 1;
    return call;
  }

  function operationOf(call: Call): Operation {
    const operation = operations.get(call.key);
    if (!operation) throw notSimulated(call.key);
    return operation;
  }

  async function carryOut(caller: Caller, call: Writable<Call>, input: object): Promise<object> {
    const operation = operationOf(call);
    call.input = input;
    demandRequired(inputOf(operation.schema), call.input);
    const seconds = typeof latencySeconds === 'number' ? latencySeconds : latencySeconds();
    if (seconds > 0) await clock.sleep(seconds);
    for (const { before } of caller.interceptors) before?.(call);
    const answer = operation.handle(call.input);
    call.tookEffect = true;
    // Only what takes time is waited for: anything else has its effect and its answer at one moment.
    const output = answer instanceof Promise ? await answer : answer;
    for (const { after } of caller.interceptors) after?.(call);
    return output;
  }

  /** What the caller is told of `error`; throws it when the caller is told nothing. */
  function refuse(call: Writable<Call>, error: unknown): AwsError {
    if (error instanceof Killed || error instanceof LostAnswer) {
      call.error = error.constructor.name;
      throw error;
    }
    const refusal = refusalOf(call, error);
    if (!refusal) bugs.push(error);
    const told = refusal ?? broken(error);
    call.error = told.code;
    return told;
  }

  return {
    calls: { log, counts },
    bugs,
    async answer(caller, request) {
      const { service, operation } = routeOf(request);
      if (!service) return awsJson.encodeError(notSimulated(operation), 'none');
      const call = begin(caller, service, operation);
      const { protocol } = WIRES[service];
      try {
        const asked = askedRegion(service, request, region);
        const signed = signedRegion(service, request) ?? asked;
        if (signed !== asked) throw notSimulated(`${call.key} in ${signed}, and not in ${asked},`);
        const { schema } = operationOf(call);
        const output = await carryOut(caller, call, protocol.decode(schema, request.body, request));
        return protocol.encode(schema, output, requestId(call));
      } catch (error) {
        return protocol.encodeError(refuse(call, error), requestId(call));
      }
    },
    async perform(caller, service, operation, input) {
      const call = begin(caller, service, operation);
      try {
        return await carryOut(caller, call, input);
      } catch (error) {
        throw thrownBySdk(call.service, refuse(call, error));
      }
    },
  };
}

/** Looks like the real ones, and names the call in the log. */
const requestId = (call: Call) => `00000000-0000-4000-8000-${String(call.number).padStart(12, '0')}`;
