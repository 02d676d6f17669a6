import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { STATE_KEY_ENVIRONMENT } from '../contract.ts';
import { createSeal, type Seal } from '../tags/seal.ts';
import { explain } from './errors.ts';
import { type Fault, faultOf, OwnError } from './faults.ts';

/** The settings that a seal is made by. */
export interface StateKey {
  readonly stateKey: string;
  readonly stateKeyGeneration: number;
}

/** The key that seals what is remembered in tags can't be used: nothing is believed then, and nothing done. */
export class StateKeyUnusable extends OwnError {
  override readonly name = 'StateKeyUnusable';
  override readonly fault: Fault;

  constructor({ stateKey }: StateKey, cause: unknown) {
    const what = `${STATE_KEY_ENVIRONMENT.key} was "${stateKey}", by which the state in tags is sealed`;
    super(`${what}; ${explain(cause)}${advice(cause)}`, { cause });
    this.fault = faultOf(cause);
  }
}

/** What an HMAC of SHA-256 comes to. */
const SECRET_BYTES = 32;

/** By KMS's own codes: https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html#API_GenerateMac_Errors */
const ADVICE: Readonly<Record<string, string>> = {
  NotFoundException: '; deploy the stack again, which makes the key, or name one that exists',
  DisabledException: '; enable it by aws kms enable-key',
  KMSInvalidStateException:
    '; if it waits for its deletion, keep it by aws kms cancel-key-deletion and aws kms enable-key',
  InvalidKeyUsageException: '; it must be an HMAC key: KeySpec HMAC_256, KeyUsage GENERATE_VERIFY_MAC',
};

function advice(cause: unknown): string {
  if (faultOf(cause).kind === 'denied') return ", and its key policy must let the function's role call it";
  return (cause instanceof Error && ADVICE[cause.name]) || '';
}

/**
 * The seal of a stack: each generation has a secret of its own, made of the key, which never leaves KMS. It is asked for
 * once in the life of a process, and again where that failed.
 *
 * @returns asks for it; throws StateKeyUnusable
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

/** A deployment that raised the generation may be taken back in the middle of a roll: so the next one's seals are read too. */
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
