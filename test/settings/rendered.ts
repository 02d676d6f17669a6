import * as choices from '../../infra/choices.ts';
import { SETTING_PROPS } from '../../infra/setting-props.ts';
import {
  GROUP_TABLE,
  keysOf,
  nameInTags,
  ROLLOUT_TABLE,
  type RolloutSetting,
  type Row,
} from '../../lambda/settings/table.ts';

/** What is said of a setting where none is given. */
function defaultOf(setting: RolloutSetting): string | undefined {
  const row: Row<unknown> = ROLLOUT_TABLE[setting];
  return row.default;
}

const BY_VARIABLE: Readonly<Record<string, RolloutSetting>> = Object.fromEntries(
  keysOf(ROLLOUT_TABLE).map((setting) => [ROLLOUT_TABLE[setting].variable, setting]),
);

/** How one writes a setting: as variable, context key, prop, and tag where a tag may set it. */
function spellings(setting: RolloutSetting, type: string): string {
  const row = ROLLOUT_TABLE[setting];
  const tag = setting in GROUP_TABLE ? `<br>tag \`${nameInTags(row)}\`` : '';
  return `\`${row.variable}\`<br>${inCode(setting, SETTING_PROPS[setting].prop, type)}${tag}`;
}

/** The context key of a setting, and its prop. */
export function inCode(key: string, prop: string, type: string): string {
  return `\`-c ${key}\`<br>\`${prop}: ${type}\``;
}

/** How the setting's row in docs/settings.md begins, before its text. */
export function rowOf(setting: RolloutSetting, type: string): string {
  const otherwise = defaultOf(setting);
  const shown = setting === 'clusters' ? 'required' : otherwise === undefined ? 'none' : `\`${otherwise}\``;
  return `| ${spellings(setting, type)} | ${shown} | `;
}

/** What the prop of a setting may be, as code that a default may be written in. */
const CHOICES: readonly (readonly [code: string, choice: unknown])[] = [
  ['Surge.percent(100)', choices.Surge.percent(100)],
  ['DrainConcurrency.instances(1)', choices.DrainConcurrency.instances(1)],
  ...Object.entries(choices).flatMap(([name, constants]) =>
    Object.entries(constants).map(([constant, choice]) => [`${name}.${constant}`, choice] as const),
  ),
];

/** The docstring of the setting's prop, in one line, by the setting's text in docs/settings.md. */
export function docstring(setting: RolloutSetting, type: string, text: string): string {
  const named = `${text}.`.replaceAll(/`([A-Z_]+)`/g, (quoted, variable: string) => {
    const other = BY_VARIABLE[variable];
    return other === undefined ? quoted : `\`${SETTING_PROPS[other].prop}\``;
  });
  const plain = named.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  const said = type === 'Duration' ? asDuration(plain, setting) : withConstants(plain, setting, type);
  return said + endOf(setting, type);
}

/** How the docstring of the setting's prop ends. */
export function endOf(setting: RolloutSetting, type: string): string {
  return setting === 'clusters' ? '' : ` @default ${defaultAsCode(setting, type)}`;
}

/** A time has its unit in its value, and so only its range names one. */
function asDuration(text: string, setting: RolloutSetting): string {
  const { unit } = timeOf(setting);
  return text
    .replace(/^(Seconds|Days) /, 'Time ')
    .replace(/ (\d+(?:\.\d+)? to \d+(?:\.\d+)?)/, ` $1 ${unit}`);
}

function timeOf(setting: RolloutSetting) {
  return { unit: /(?<unit>Days|Minutes)$/.exec(setting)?.groups?.unit?.toLowerCase() ?? 'seconds' };
}

/** A word that the setting may be is a constant of the prop's class. */
function withConstants(text: string, setting: RolloutSetting, type: string): string {
  const { may } = ROLLOUT_TABLE[setting].parser;
  if (!/^[A-Z]/.test(type)) return text;
  const isConstant = (word: string) =>
    new RegExp(`(^|, | or )${word}(,| or |$)`).test(may.replace('one or more of', ','));
  return text.replaceAll(/`([a-z-]+)`/g, (quoted, word: string) =>
    isConstant(word) ? `\`${word.toUpperCase().replaceAll('-', '_')}\`` : quoted,
  );
}

function defaultAsCode(setting: RolloutSetting, type: string): string {
  const text = defaultOf(setting);
  if (text === undefined) return 'none';
  if (type === 'Duration') return `Duration.${timeOf(setting).unit}(${text})`;
  const item = type.replace('[]', '');
  const found = CHOICES.find(([code, each]) => code.startsWith(`${item}.`) && String(each) === text);
  if (found === undefined) return text;
  return type === item ? found[0] : `[${found[0]}]`;
}
