import { createHash, createHmac } from 'node:crypto';
import { DEFAULT_STATE_KEY } from '../../../../lambda/contract.ts';
import { leavesToIam, type PolicyDocument } from '../../iam/policy.ts';
import type { State } from '../state.ts';

/** A KMS key, as far as MACs are made with it. */
export interface Key {
  readonly id: string;
  readonly arn: string;
  /** `HMAC_256`, or another that makes none. */
  readonly spec: string;
  /** Without another, the default of whoever makes a key by a program. */
  policy: PolicyDocument;
  state: 'Enabled' | 'Disabled' | 'PendingDeletion' | 'Unavailable';
}

/** Of the key that a deployment makes: each world has it, and what it makes is the same in all. */
const DEPLOYED_KEY = '5ea1ed00-0000-4000-8000-000000000001';

export interface Keys {
  readonly byId: Map<string, Key>;
  /** Ids by the names of their aliases. */
  readonly aliases: Map<string, string>;
}

export function createKeys(place: Pick<State, 'account' | 'region'>): Keys {
  const keys: Keys = { byId: new Map(), aliases: new Map() };
  addKey(keys, place, DEPLOYED_KEY);
  keys.aliases.set(DEFAULT_STATE_KEY, DEPLOYED_KEY);
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

/** As the deployment tells it to the function. */
export const deployedKeyArn = (place: Pick<State, 'account' | 'region'>) => keyArn(place, DEPLOYED_KEY);

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

export const deployedMac = (message: Uint8Array) => macOf(DEPLOYED_KEY, message);
