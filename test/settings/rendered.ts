import { DOCUMENTATION } from '../../lambda/settings/documentation.ts';
import { ROLLOUT_TABLE, type RolloutSetting, type Row } from '../../lambda/settings/table.ts';

/** What is said of a setting where none is given. */
function defaultOf(setting: RolloutSetting): string | undefined {
  const row: Row<unknown> = ROLLOUT_TABLE[setting];
  return row.default;
}

/** A text with other settings by the names that they have there. */
function withNames(text: string, nameOf: (setting: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, setting: string) => `\`${nameOf(setting)}\``);
}

const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ROLLOUT_TABLE).map(([setting, { variable }]) => [setting, variable]),
);

/** The setting's row in README.md. */
export function readmeRow(setting: RolloutSetting): string {
  const otherwise = defaultOf(setting);
  const shown = setting === 'clusters' ? 'required' : otherwise === undefined ? 'none' : `\`${otherwise}\``;
  const text = withNames(DOCUMENTATION[setting].text, (name) => VARIABLES[name] ?? `no setting ${name}`);
  return `| \`${VARIABLES[setting]}\` | ${shown} | ${text} |`;
}

/** The docstring of the setting's prop, in one line. */
export function docstring(setting: RolloutSetting): string {
  const { text, prop } = DOCUMENTATION[setting];
  const sentences = prop === undefined ? `${text}.` : `${text}. ${prop}.`;
  const plain = withNames(sentences, (name) => name).replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return setting === 'clusters' ? plain : `${plain} @default ${defaultOf(setting) ?? 'none'}`;
}
