import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { STATE_KEY_ENVIRONMENT } from '../contract.ts';
import { createSeal, type Seal } from '../tags/trusted-tags.ts';
import { explain } from './errors.ts';
import { type AwsFault, faultOf, OwnError } from './faults.ts';

/** The settings of the seal. */
export interface StateKey {
  readonly stateKey: string;
  readonly stateKeyGeneration: number;
}

/** The key that seals our tags can't be used: then we trust nothing and do nothing. */
export class StateKeyUnusable extends OwnError {
  override readonly name = 'StateKeyUnusable';
  override readonly fault: AwsFault;

  constructor({ stateKey }: StateKey, cause: unknown) {
    const what = `${STATE_KEY_ENVIRONMENT.key} was "${stateKey}", the key that seals our tags`;
    super(`${what}; ${explain(cause)}${advice(cause)}`, { cause });
    this.fault = faultOf(cause);
  }
}

/** The length of an HMAC-SHA-256. */
const SECRET_BYTES = 32;

/**
 * What to do, by KMS's error codes:
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html#API_GenerateMac_Errors
 */
const ADVICE: Readonly<Record<string, string>> = {
  NotFoundException: '; deploy the stack again, which creates the key, or set an existing one',
  DisabledException: '; enable it with aws kms enable-key',
  KMSInvalidStateException:
    '; if it is pending deletion, keep it with aws kms cancel-key-deletion and aws kms enable-key',
  InvalidKeyUsageException: '; it must be an HMAC key: KeySpec HMAC_256, KeyUsage GENERATE_VERIFY_MAC',
};

function advice(cause: unknown): string {
  if (faultOf(cause).kind === 'denied') return ", and its key policy must let the function's role call it";
  if (!(cause instanceof Error)) return '';
  // KMS's older names for its errors lack the ending.
  return ADVICE[cause.name] ?? ADVICE[`${cause.name}Exception`] ?? '';
}

/**
 * The seal of a stack. Each generation has its own secret, derived from the key, which never leaves KMS.
 * The function asks KMS once per process, and again if that failed.
 *
 * @returns asks for the seal; throws StateKeyUnusable
 */
export function stateSeal(kms: KMSClient, key: StateKey): () => Promise<Seal> {
  let asked: Promise<Seal> | undefined;
  return () => {
    asked ??= generate(kms, key).catch((cause: unknown) => {
      asked = undefined;
      throw new StateKeyUnusable(key, cause);
    });
    return asked;
  };
}

/**
 * A deployment that raised the generation may be rolled back in the middle of a roll, so seals of the next
 * generation are accepted too.
 */
async function generate(kms: KMSClient, { stateKey, stateKeyGeneration }: StateKey): Promise<Seal> {
  const current = await secretOf(kms, stateKey, stateKeyGeneration);
  const others: Uint8Array[] = [];
  for (const generation of [stateKeyGeneration - 1, stateKeyGeneration + 1])
    if (generation > 0) others.push(await secretOf(kms, stateKey, generation));
  return createSeal([current, ...others]);
}

async function secretOf(kms: KMSClient, key: string, generation: number): Promise<Uint8Array> {
  const Message = new TextEncoder().encode(`ecs-ami-deploy state ${generation}`);
  const command = new GenerateMacCommand({ KeyId: key, MacAlgorithm: 'HMAC_SHA_256', Message });
  const { Mac } = await kms.send(command);
  if (Mac?.length !== SECRET_BYTES) throw new Error(`KMS answered no MAC of ${SECRET_BYTES} bytes`);
  return Mac;
}
