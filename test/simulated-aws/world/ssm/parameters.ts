import type { State } from '../state.ts';

export interface Parameter {
  readonly name: string;
  /** From 1 on, oldest first. */
  readonly versions: ParameterVersion[];
  /** Which version has a label; a label that is set again moves. */
  readonly labels: Map<string, number>;
}

export interface ParameterVersion {
  readonly number: number;
  readonly value: string;
  /** `text`, or `aws:ec2:image`. */
  readonly dataType: string;
  readonly changedAtMs: number;
}

export function putParameter(state: State, name: string, value: string, dataType = 'text'): number {
  const parameter: Parameter = state.parameters.get(name) ?? { name, versions: [], labels: new Map() };
  const number = parameter.versions.length + 1;
  parameter.versions.push({ number, value, dataType, changedAtMs: state.clock.now() });
  state.parameters.set(name, parameter);
  return number;
}

export function labelParameter(state: State, name: string, version: number, label: string) {
  const parameter = state.parameters.get(name);
  if (!parameter?.versions[version - 1]) throw new Error(`No version ${version} of parameter ${name}`);
  parameter.labels.set(label, version);
}

export interface FoundParameter {
  readonly parameter: Parameter;
  readonly version: ParameterVersion;
  /** `:3` or `:label`, as it was asked for. */
  readonly selector: string | undefined;
}

/** By name or ARN, either with `:version` or `:label` behind it, which default to the newest version. */
export function findParameter(state: State, reference: string): FoundParameter | undefined {
  const [, nameOrArn = '', chosen] =
    /^((?:arn:[^:]*:ssm:[^:]*:[^:]*:parameter\/)?[^:]*)(?::(.+))?$/.exec(reference) ?? [];
  const parameter = state.parameters.get(nameOrArn) ?? findByArn(state, nameOrArn);
  const version = parameter && versionOf(parameter, chosen);
  return version && { parameter, version, selector: chosen === undefined ? undefined : `:${chosen}` };
}

/**
 * The same name with and without the slash at its start has the same ARN, so there can be only one of them.
 */
function findByArn(state: State, arn: string): Parameter | undefined {
  const [, path = ''] = /:parameter\/(.+)$/.exec(arn) ?? [];
  const parameter = state.parameters.get(`/${path}`) ?? state.parameters.get(path);
  return parameter && arnOf(state, parameter) === arn ? parameter : undefined;
}

function versionOf({ versions, labels }: Parameter, chosen: string | undefined) {
  if (chosen === undefined) return versions.at(-1);
  const number = /^\d+$/.test(chosen) ? Number(chosen) : labels.get(chosen);
  return versions.find((version) => version.number === number);
}

/** Public parameters have no account in their ARN. */
export function arnOf(state: State, { name }: Parameter): string {
  const account = name.startsWith('/aws/') ? '' : state.account;
  return `arn:aws:ssm:${state.region}:${account}:parameter/${name.replace(/^\//, '')}`;
}
