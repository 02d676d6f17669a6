import * as z from 'zod/mini';
import { DEFAULT_STATE_KEY, STATE_KEY_ENVIRONMENT } from '../contract.ts';
import type { Settings } from '../core/settings.ts';
import { count, stateKey } from './parsers.ts';
import { told } from './rules.ts';

/** By what the state in tags is sealed: the deployment sets it, and no tag. */
const STATE_KEY = z.object({ stateKey, stateKeyGeneration: count(1, 1_000_000) });

type StateKey = Pick<Settings, 'stateKey' | 'stateKeyGeneration'>;

const VARIABLES = [
  ['stateKey', STATE_KEY_ENVIRONMENT.key, DEFAULT_STATE_KEY],
  ['stateKeyGeneration', STATE_KEY_ENVIRONMENT.generation, '1'],
] as const;

/** Reads the key from the function's environment; variables that are empty count as not given. */
export function parseStateKey(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly key: StateKey } | { readonly faults: readonly string[] } {
  const given = VARIABLES.map(
    ([setting, variable, otherwise]) => [setting, environment[variable]?.trim() || otherwise] as const,
  );
  const texts = Object.fromEntries(given);
  const parsed = z.safeParse(STATE_KEY, texts);
  if (parsed.success) return { key: parsed.data };
  const messages = new Map(parsed.error.issues.map(({ path, message }) => [path[0], message]));
  return {
    faults: VARIABLES.flatMap(([setting, variable]) => {
      const message = messages.get(setting);
      return message === undefined ? [] : [told(variable, texts[setting], message)];
    }),
  };
}
