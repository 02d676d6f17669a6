import type { Service } from '../account/operation.ts';
import type { WireRequest } from './protocol.ts';

/**
 * Their one endpoint, or one of several, is signed for elsewhere:
 * https://docs.aws.amazon.com/general/latest/gr/rande.html#global-endpoints
 */
const GLOBAL: ReadonlySet<Service> = new Set(['iam', 'sts']);

/**
 * The Region that a request has to be signed for. A table is reached in its own, which its ARN names.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-cross-account-access.html
 */
export function askedRegion(service: Service, { body }: WireRequest, ownRegion: string): string {
  if (service !== 'dynamodb') return ownRegion;
  return /"TableName":"arn:aws:dynamodb:([^:"]+):/.exec(body)?.[1] ?? ownRegion;
}

/**
 * The Region in the scope of a request's credentials, if it is signed at all and its service is of Regions.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html
 */
export function signedRegion(service: Service, { headers }: WireRequest): string | undefined {
  if (GLOBAL.has(service)) return undefined;
  return /Credential=[^/]+\/\d{8}\/([^/]+)\//.exec(headers.authorization ?? '')?.[1];
}
