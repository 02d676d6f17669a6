import { createHash, createHmac } from 'node:crypto';
import { leavesToIam, type PolicyDocument } from '../../iam/policy.ts';
import type { State } from '../state.ts';

/** A KMS key, as far as MACs are made with it. */
export interface Key {
  readonly id: string;
  readonly arn: string;
  /** `HMAC_256`, or another that makes none. */
  readonly spec: string;
  /** By default, the policy of a key made by a program. */
  policy: PolicyDocument;
  state: 'Enabled' | 'Disabled' | 'PendingDeletion' | 'Unavailable';
}

/** The key that a world may begin with; its MACs are the same in every world. */
const INITIAL_KEY = '5ea1ed00-0000-4000-8000-000000000001';

export interface Keys {
  readonly byId: Map<string, Key>;
  /** Ids by the names of their aliases. */
  readonly aliases: Map<string, string>;
}

/** @param alias of the key that is there from the beginning; without it there is none */
export function createKeys(place: Pick<State, 'account' | 'region'>, alias?: string): Keys {
  const keys: Keys = { byId: new Map(), aliases: new Map() };
  if (alias === undefined) return keys;
  addKey(keys, place, INITIAL_KEY);
  keys.aliases.set(alias, INITIAL_KEY);
  return keys;
}

export function addKey(
  { byId }: Keys,
  { account, region }: Pick<State, 'account' | 'region'>,
  id: string,
  spec = 'HMAC_256',
): Key {
  const key: Key = {
    id,
    arn: keyArn({ account, region }, id),
    spec,
    policy: leavesToIam(account),
    state: 'Enabled',
  };
  byId.set(id, key);
  return key;
}

export const initialKeyArn = (place: Pick<State, 'account' | 'region'>) => keyArn(place, INITIAL_KEY);

function keyArn({ account, region }: Pick<State, 'account' | 'region'>, id: string): string {
  return `arn:aws:kms:${region}:${account}:key/${id}`;
}

/** By key id, key ARN, alias name or alias ARN. */
export function findKey({ keys, account, region }: State, named: string): Key | undefined {
  const [, own = named] = new RegExp(`^arn:aws:kms:${region}:${account}:(.*)$`).exec(named) ?? [];
  if (own.startsWith('alias/')) return keys.byId.get(keys.aliases.get(own) ?? '');
  // Without an ARN's beginning, `key/…` names none.
  return keys.byId.get(own === named ? own : own.replace(/^key\//, ''));
}

/** https://datatracker.ietf.org/doc/html/rfc2104; what the key holds nobody but KMS knows. */
export function macOf(id: string, message: Uint8Array): Uint8Array {
  const material = createHash('sha256').update(`held by KMS: ${id}`).digest();
  return new Uint8Array(createHmac('sha256', material).update(message).digest());
}

export const initialKeyMac = (message: Uint8Array) => macOf(INITIAL_KEY, message);
