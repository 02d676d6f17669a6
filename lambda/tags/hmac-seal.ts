import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a text was sealed for; its seal is valid nowhere else. A list of parts, so that no two contexts are
 * mistaken for one another.
 *
 *     ['group', 'web', '0f3c…', 'ecs-ami-deploy-image']
 */
export type SealContext = readonly string[];

/** Seals texts that others can change, and tells which of them are as we wrote them. */
export interface Seal {
  /** The text, a space and its seal. */
  seal(text: string, context: SealContext): string;
  /** The text, if its seal is valid for this context. */
  open(sealed: string, context: SealContext): string | undefined;
}

/** 128 bits, in base64url. */
const SEAL_LENGTH = 22;

/** How much longer sealing makes a text. */
export const SEAL_OVERHEAD = SEAL_LENGTH + 1;

/** @param keys the first one seals; seals of any of them are accepted */
export function createSeal(keys: readonly [Uint8Array, ...Uint8Array[]]): Seal {
  return {
    seal: (text, context) => `${text} ${sealOf(keys[0], text, context)}`,
    open(sealed, context) {
      const end = sealed.length - SEAL_OVERHEAD;
      if (sealed[end] !== ' ') return undefined;
      const [text, seal] = [sealed.slice(0, end), sealed.slice(end + 1)];
      return keys.some((key) => isSame(seal, sealOf(key, text, context))) ? text : undefined;
    },
  };
}

/** JSON keeps the parts apart, and keeps half a surrogate pair from turning into another character. */
function sealOf(key: Uint8Array, text: string, context: SealContext): string {
  const mac = createHmac('sha256', key).update(JSON.stringify([...context, text]));
  return mac.digest('base64url').slice(0, SEAL_LENGTH);
}

/**
 * Compares the encoded seals: the last character has spare bits, so four different texts would decode to
 * the same bytes.
 */
function isSame(seal: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(seal), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
