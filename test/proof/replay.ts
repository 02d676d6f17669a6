import { InvalidArgumentError } from 'commander';
import { interleave, parseOrder, ROLLS, type RollName } from './interleavings.ts';
import type { RollOutcome } from './outcome.ts';
import { SCENARIOS } from './scenarios.ts';
import { type StormSort, stormRoll } from './storm.ts';
import { parseKills, playKilled } from './sweep.ts';
import { WEATHERS } from './weather.ts';

type Play = () => Promise<RollOutcome>;

/** Finds the roll that `--replay` asks for, by its outcome's `replay`. */
export function parseReplay(text: string): Play {
  const [section = '', ...parts] = text.split('/');
  const play = /^\d+$/.test(text) ? () => stormRoll(Number(text)) : SECTIONS.get(section)?.(...parts);
  if (play === undefined) throw new InvalidArgumentError(NO_SUCH_ROLL);
  return play;
}

const NO_SUCH_ROLL =
  "There is no such roll. Give a seed, such as 91000339, or what a failure printed after --replay, such as 'sweep/<scenario>/after 12'.";

type Parse = (first?: string, second?: string, third?: string) => Play | undefined;

const SECTIONS: ReadonlyMap<string, Parse> = new Map<string, Parse>([
  ['storm', stormIn],
  ['ends', (seed) => sorted('ends', seed)],
  ['groups', (seed) => sorted('groups', seed)],
  ['sweep', killedIn],
  ['interleavings', interleaved],
]);

function stormIn(names = '', seed = ''): Play | undefined {
  const weathers = names === '' ? [] : names.split(', ');
  const only = WEATHERS.filter((weather) => weathers.includes(weather));
  if (only.length < weathers.length || !/^\d+$/.test(seed)) return undefined;
  return () => stormRoll(Number(seed), only);
}

function sorted(sort: StormSort, seed = ''): Play | undefined {
  return /^\d+$/.test(seed) ? () => stormRoll(Number(seed), undefined, sort) : undefined;
}

function killedIn(name = '', text = ''): Play | undefined {
  const scenario = SCENARIOS.find((each) => each.name === name);
  const kills = parseKills(text);
  return scenario && kills.length > 0 ? () => playKilled(scenario, kills) : undefined;
}

function interleaved(roll = '', invocations = '', text = ''): Play | undefined {
  const order = parseOrder(text);
  if (!isRoll(roll) || !/^[1-9]\d*$/.test(invocations) || order === undefined) return undefined;
  return async () => (await interleave({ roll, invocations: Number(invocations), order })).outcome;
}

const isRoll = (name: string): name is RollName => Object.hasOwn(ROLLS, name);
