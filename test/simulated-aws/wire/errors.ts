import { NormalizedSchema, TypeRegistry } from '@smithy/core/schema';
import { AwsError, type Service } from '../account/operation.ts';
import { type Asked, InvalidInput, refusal } from './invalid-input.ts';
import { awsQueryCompatibleJson } from './json.ts';
import { WIRES } from './route.ts';

/**
 * The refusal that `error` is to the caller, or nothing when it is a fault of the simulation or of the
 * connection.
 */
export function refusalOf(asked: Asked, error: unknown): AwsError | undefined {
  if (error instanceof InvalidInput) return refusal(asked, error);
  return error instanceof AwsError ? asModelled(asked.service, error) : undefined;
}

/**
 * A query service may call an error otherwise on the wire than its model does (`AlreadyExists`, an
 * `AlreadyExistsFault`), and give it another status:
 * https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#aws-protocols-awsqueryerror-trait
 */
function asModelled(service: Service, error: AwsError): AwsError {
  const modelled = modelOf(service, error.code);
  if (!modelled) return error;
  const { awsQueryError, httpError } = NormalizedSchema.of(modelled).getMergedTraits();
  const [code, status] =
    speaksQuery(service) && isQueryError(awsQueryError)
      ? awsQueryError
      : [error.code, Number(httpError ?? error.statusCode)];
  return new AwsError(code, error.message, status, error.details);
}

/** What an SDK client throws on it. */
export function thrownBySdk(service: Service, { code, message, statusCode, details }: AwsError): Error {
  const modelled = modelOf(service, code);
  return Object.assign(new Error(message), {
    ...details,
    name: modelled === undefined ? code : NormalizedSchema.of(modelled).getName(),
    $fault: statusCode < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode: statusCode },
  });
}

function modelOf(service: Service, code: string) {
  const named = TypeRegistry.for(WIRES[service].namespace).find(
    (schema) => Array.isArray(schema) && schema[2] === code,
  );
  return named ?? queryErrorOf(service, code);
}

const queryErrorOf = (service: Service, code: string) =>
  TypeRegistry.for(WIRES[service].namespace).find((schema) => {
    const { awsQueryError } = NormalizedSchema.of(schema).getMergedTraits();
    return isQueryError(awsQueryError) && awsQueryError[0] === code;
  });

/** The others' models may have the trait, too; on their wire it means nothing. */
function speaksQuery(service: Service): boolean {
  const { protocol, version } = WIRES[service];
  return version !== undefined || protocol === awsQueryCompatibleJson;
}

const isQueryError = (trait: unknown): trait is [string, number] => Array.isArray(trait);

/** What broke in the simulation itself is refused as what isn't simulated is: no SDK retries it. */
export function broken(error: unknown): AwsError {
  const message = `The simulated AWS broke: ${error instanceof Error ? error.message : error}`;
  return new AwsError('SimulationFault', message, 501);
}
