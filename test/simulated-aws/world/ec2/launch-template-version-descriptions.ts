import { DescribeLaunchTemplateVersionsCommand, type LaunchTemplateVersion } from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { findTemplate, resolveImageId, resolveVersion, versionOrThrow } from './launch-templates.ts';
import type { LaunchTemplate, TemplateVersion } from './model.ts';

interface VersionQuery {
  readonly Versions?: readonly string[] | undefined;
  readonly MinVersion?: string | undefined;
  readonly MaxVersion?: string | undefined;
}

interface Entry {
  readonly template: LaunchTemplate;
  readonly version: TemplateVersion;
}

const FILTERED: Filterable<Entry> = {
  operation: 'DescribeLaunchTemplateVersions',
  fields: {
    'create-time': ({ version }) => [new Date(version.createdAtMs).toISOString()],
    'iam-instance-profile': ({ version: { data } }) => [data.IamInstanceProfile?.Arn],
    'image-id': ({ version }) => [version.data.ImageId],
    'instance-type': ({ version }) => [version.data.InstanceType],
    'is-default-version': ({ template, version }) => [`${version.number === template.defaultVersion}`],
  },
};

export function versionDescriptions(state: State): Operation {
  const page = createPager<Entry>('DescribeLaunchTemplateVersions', {
    default: 200,
    max: 200,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return on(
    DescribeLaunchTemplateVersionsCommand,
    {
      LaunchTemplateId: 'all',
      LaunchTemplateName: 'all',
      Versions: 'all',
      MinVersion: 'all',
      MaxVersion: 'all',
      Filters: 'all',
      // No AWS service manages any here.
      IncludeManagedResources: 'all',
      ResolveAlias: 'all',
      NextToken: 'all',
      MaxResults: 'all',
    },
    (input) => {
      const passes = ec2Filter(input.Filters, FILTERED);
      const entries = selectEntries(state, input).filter(passes);
      const { items, token } = page(entries, {
        limit: input.MaxResults,
        token: input.NextToken,
      });
      return {
        LaunchTemplateVersions: items.map(({ template, version }) =>
          describeVersion(state, template, version, input),
        ),
        NextToken: token,
      };
    },
  );
}

/** Without a template, `$Latest` and `$Default` mean those of every template. */
function selectEntries(state: State, input: VersionQuery & Parameters<typeof findTemplate>[1]): Entry[] {
  if (input.LaunchTemplateId || input.LaunchTemplateName) {
    const template = findTemplate(state, input);
    return select(template, input).map((version) => ({ template, version }));
  }
  const references = input.Versions ?? [];
  // ledger: describe-versions-of-all
  if (!references.every((one) => one === '$Latest' || one === '$Default'))
    throw new AwsError('MissingParameter', 'The launch template is required with a version number');
  return [...state.launchTemplates.values()].flatMap((template) =>
    references.flatMap((reference) => {
      const version = resolveVersion(template, reference);
      return version ? [{ template, version }] : [];
    }),
  );
}

function select(
  template: LaunchTemplate,
  { Versions: references, MinVersion: min, MaxVersion: max }: VersionQuery,
): TemplateVersion[] {
  if (references?.length) {
    const chosen = references.map((one) => versionOrThrow(template, one));
    return [...new Set(chosen)];
  }
  const newestFirst = [...template.versions.values()].filter(({ isUnseen }) => !isUnseen).reverse();
  return newestFirst.filter(({ number }) => number >= Number(min ?? 0) && number <= Number(max ?? Infinity));
}

export function describeVersion(
  state: State,
  template: LaunchTemplate,
  version: TemplateVersion,
  { ResolveAlias: resolvesAlias }: { readonly ResolveAlias?: boolean | undefined },
): LaunchTemplateVersion {
  const { data } = version;
  return {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    VersionNumber: version.number,
    VersionDescription: version.description,
    DefaultVersion: version.number === template.defaultVersion,
    CreateTime: new Date(version.createdAtMs),
    LaunchTemplateData: resolvesAlias ? { ...data, ImageId: resolvedId(state, data.ImageId) } : data,
  };
}

/** EC2's answer for a parameter that holds no image id is not documented; here it is nothing. */
function resolvedId(state: State, imageId: string | undefined): string | undefined {
  const resolved = resolveImageId(state, imageId);
  return resolved?.startsWith('ami-') ? resolved : undefined;
}
