import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a text was sealed for: the same text holds nowhere else. As a list of parts no two of them are taken for one.
 *
 *     ['group', 'web', '0f3c…', 'ecs-ami-deploy-image']
 */
export type SealContext = readonly string[];

/** Seals texts that others may change, and tells which of them are as we wrote them. */
export interface Seal {
  /** The text, a space and its seal. */
  seal(text: string, context: SealContext): string;
  /** The text, where its seal holds. */
  open(sealed: string, context: SealContext): string | undefined;
}

/** 128 bits, in base64url. */
const SEAL_LENGTH = 22;

/** So much longer is a sealed text. */
export const SEALED_BY = SEAL_LENGTH + 1;

/** @param keys the first seals; what any of them has sealed is opened */
export function sealBy(keys: readonly [Uint8Array, ...Uint8Array[]]): Seal {
  return {
    seal: (text, context) => `${text} ${sealOf(keys[0], text, context)}`,
    open(sealed, context) {
      const end = sealed.length - SEALED_BY;
      if (sealed[end] !== ' ') return undefined;
      const [text, seal] = [sealed.slice(0, end), sealed.slice(end + 1)];
      return keys.some((key) => isSame(seal, sealOf(key, text, context))) ? text : undefined;
    },
  };
}

/** JSON keeps the parts apart, and half a surrogate pair from becoming another character. */
function sealOf(key: Uint8Array, text: string, context: SealContext): string {
  const mac = createHmac('sha256', key).update(JSON.stringify([...context, text]));
  return mac.digest('base64url').slice(0, SEAL_LENGTH);
}

/** Compared as they are written: the last character of one has bits to spare, so that four texts would decode to the same. */
function isSame(seal: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(seal), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
