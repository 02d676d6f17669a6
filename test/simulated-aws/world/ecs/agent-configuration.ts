import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { byMaker, type Family } from '../ec2/families.ts';
import { heededParts, textOf } from './user-data.ts';

/** What user data configure for an instance's agent. */
export interface AgentConfiguration {
  /** By name. None: `default`, which the agent makes if need be. */
  readonly cluster: string | undefined;
  /** Custom ones, by name. */
  readonly attributes: Readonly<Record<string, string>>;
  /** It drains its instance once EC2 reclaims it. Simulated for Linux. */
  readonly drainsSpot?: boolean;
}

/**
 * How each kind of image reads its user data: an image of one's own is taken for a Linux one. What a script
 * works out by itself is not followed. Undefined where no agent comes up by them.
 *
 * @param userData in base64
 */
export function agentConfiguration(
  userData: string | undefined,
  family: Family | undefined,
): AgentConfiguration | undefined {
  const text = textOf(userData);
  if (family === undefined) return byEnvironmentFile(text);
  return byMaker(family, {
    amazonLinux: () => byEnvironmentFile(text),
    bottlerocket: () => bySettings(text),
    windows: () => byPowerShell(text),
  });
}

/**
 * What is written to /etc/ecs/ecs.config:
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/bootstrap_container_instance.html
 */
function byEnvironmentFile(text: string): AgentConfiguration {
  const lines = heededParts(text)
    .join('\n')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n');
  return {
    cluster: clusterName(last(lines, /\bECS_CLUSTER=\\?["']?([\w:/-]+)/g)),
    attributes: attributesIn(last(lines, /\bECS_INSTANCE_ATTRIBUTES=\\?["']?(\{[^}]*\})/g)),
    ...(last(lines, /\bECS_ENABLE_SPOT_INSTANCE_DRAINING=(\w+)/g) === 'true' && { drainsSpot: true }),
  };
}

/**
 * A text that is no TOML keeps Bottlerocket from coming up.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/bottlerocket-launch.html
 */
function bySettings(text: string): AgentConfiguration | undefined {
  const ecs = tableIn(tableIn(settingsIn(text), 'settings'), 'ecs');
  if (ecs === undefined) return undefined;
  const { cluster } = ecs;
  const attributes = Object.entries(tableIn(ecs, 'instance-attributes') ?? {});
  return {
    cluster: typeof cluster === 'string' ? clusterName(cluster) : undefined,
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name, String(value)])),
  };
}

function settingsIn(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

function tableIn(table: TomlTable | undefined, key: string): TomlTable | undefined {
  if (table === undefined) return undefined;
  const value = table[key] ?? {};
  return isTable(value) ? value : undefined;
}

const isTable = (value: TomlValue): value is TomlTable =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);

/**
 * The agent is a service that Initialize-ECSAgent starts.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/bootstrap_windows_container_instance.html
 */
function byPowerShell(text: string): AgentConfiguration | undefined {
  const [, script = ''] = /<powershell>([\s\S]*)<\/powershell>/i.exec(text) ?? [];
  const lines = script.replace(/`\r?\n/g, ' ').replace(/^\s*#.*$/gm, '');
  const command = last(lines, /\b(Initialize-ECSAgent\b.*)/gi);
  if (command === undefined) return undefined;
  return {
    cluster: clusterName(last(command, /-Cluster[\s:]+["']?([\w:/-]+)/gi)),
    attributes: attributesIn(last(lines, /ECS_INSTANCE_ATTRIBUTES["'],\s*["'](\{[^}]*\})/g)),
  };
}

/** The first group of the last match: a later assignment overrides an earlier one. */
const last = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.[1];

/** An ARN will do, too. */
const clusterName = (nameOrArn: string | undefined) => nameOrArn?.split('/').at(-1);

/** A shell's backslashes before its quotation marks are no part of it. */
function attributesIn(json: string | undefined): Record<string, string> {
  return json === undefined ? {} : JSON.parse(json.replaceAll('\\', ''));
}
