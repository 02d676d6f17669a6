import type { Service } from '../account/operation.ts';
import type { WireRequest } from './protocol.ts';

/**
 * Their one endpoint, or one of several, is signed for elsewhere:
 * https://docs.aws.amazon.com/general/latest/gr/rande.html#global-endpoints
 */
const GLOBAL: ReadonlySet<Service> = new Set(['iam', 'sts']);

/**
 * The Region in the scope of a request's credentials, if it is signed at all and its service is of Regions.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html
 */
export function signedRegion(service: Service, { headers }: WireRequest): string | undefined {
  if (GLOBAL.has(service)) return undefined;
  return /Credential=[^/]+\/\d{8}\/([^/]+)\//.exec(headers.authorization ?? '')?.[1];
}
