import type { LaunchTemplateVersion } from '@aws-sdk/client-ec2';
import { notSimulated } from '../../account/aws-error.ts';
import { AwsError } from '../../account/operation.ts';
import { findParameter } from '../ssm/parameters.ts';
import type { State } from '../state.ts';
import type { LaunchTemplate, Maker, TemplateVersion } from './model.ts';

export type TemplateData = NonNullable<LaunchTemplateVersion['LaunchTemplateData']>;

interface TemplateOptions {
  readonly description?: string | undefined;
  readonly tags?: ReadonlyMap<string, string>;
  /** Default: its owner, before a test. */
  readonly madeBy?: Maker;
}

export function addTemplate(
  state: State,
  name: string,
  data: TemplateData,
  { description, tags = new Map(), madeBy = 'owner' }: TemplateOptions = {},
): LaunchTemplate {
  const template: LaunchTemplate = {
    id: state.ids.next('lt-'),
    name,
    createdAtMs: state.clock.now(),
    tags,
    versions: new Map(),
    defaultVersion: 1,
    lastNumber: 0,
  };
  state.launchTemplates.set(template.id, template);
  addVersion(state, template, data, description, madeBy);
  return template;
}

export function addVersion(
  state: State,
  template: LaunchTemplate,
  data: TemplateData,
  description: string | undefined,
  madeBy: Maker,
): TemplateVersion {
  template.lastNumber++;
  const version: TemplateVersion = {
    number: template.lastNumber,
    data,
    description,
    createdAtMs: state.clock.now(),
    madeBy,
    isUnseen: false,
  };
  template.versions.set(version.number, version);
  state.emit({
    kind: 'template-written',
    template,
    change: 'created',
    version,
    cause: madeBy,
  });
  return version;
}

/**
 * A version keeps all that it is given, but what launches by these attributes would be of types that nobody
 * simulates.
 */
export function demandNamedType(operation: string, data: { readonly InstanceRequirements?: unknown } = {}) {
  if (data.InstanceRequirements !== undefined)
    throw notSimulated(`ec2.${operation}: LaunchTemplateData.InstanceRequirements`);
}

export function latestVersion({ versions }: LaunchTemplate): number {
  const seen = [...versions.values()].filter(({ isUnseen }) => !isUnseen);
  return Math.max(...seen.map(({ number }) => number));
}

/** The version that a number, `$Latest`, `$Default` or nothing resolves to now, if there is one. */
export function resolveVersion(
  template: LaunchTemplate,
  reference: string | undefined,
): TemplateVersion | undefined {
  if (reference === undefined || reference === '$Default')
    return template.versions.get(template.defaultVersion);
  if (reference === '$Latest') return template.versions.get(latestVersion(template));
  const version = template.versions.get(Number(reference));
  return version?.isUnseen ? undefined : version;
}

export function versionOrThrow(template: LaunchTemplate, reference: string | undefined): TemplateVersion {
  const version = resolveVersion(template, reference);
  // ledger: version-unknown
  if (!version)
    throw new AwsError(
      'InvalidLaunchTemplateId.VersionNotFound',
      `Could not find the specified version ${reference} for the launch template with ID ${template.id}.`,
    );
  return version;
}

export interface TemplateReference {
  readonly LaunchTemplateId?: string | undefined;
  readonly LaunchTemplateName?: string | undefined;
}

export function findTemplate(
  state: State,
  { LaunchTemplateId: id, LaunchTemplateName: name }: TemplateReference,
): LaunchTemplate {
  // ledger: template-named-once
  if ((id === undefined) === (name === undefined))
    throw new AwsError(
      id === undefined ? 'MissingParameter' : 'InvalidParameterCombination',
      'Either the launch template id or its name is required, not both.',
    );
  const template =
    id === undefined
      ? [...state.launchTemplates.values()].find((one) => one.name === name)
      : state.launchTemplates.get(id);
  if (template) return template;
  // ledger: template-unknown
  throw id === undefined
    ? new AwsError(
        'InvalidLaunchTemplateName.NotFoundException',
        `The specified launch template, with template name ${name}, does not exist.`,
      )
    : new AwsError(
        'InvalidLaunchTemplateId.NotFound',
        `The specified launch template, with template ID ${id}, does not exist.`,
      );
}

/**
 * `resolve:ssm:` with a parameter's name or ARN, and `:version` or `:label` behind it if need be, is looked
 * up when it is needed; any other value is an image id already. What the parameter holds may be no image id:
 * then nothing launches.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/create-launch-template.html#use-an-ssm-parameter-instead-of-an-ami-id
 */
export function resolveImageId(state: State, imageId: string | undefined): string | undefined {
  const [, reference] = /^resolve:ssm:(.+)$/.exec(imageId ?? '') ?? [];
  return reference === undefined ? imageId : findParameter(state, reference)?.version.value;
}
