import {
  CreateLaunchTemplateVersionCommand,
  type LaunchTemplate as Described,
  DescribeLaunchTemplatesCommand,
  ModifyLaunchTemplateCommand,
  type ValidationError,
} from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { ec2Filter, type Filterable } from '../filters.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { launchTemplateMaking } from './launch-template-making.ts';
import { versionDeletion } from './launch-template-version-deletion.ts';
import { describeVersion, versionDescriptions } from './launch-template-version-descriptions.ts';
import {
  addVersion,
  demandNamedType,
  findTemplate,
  latestVersion,
  type TemplateData,
  versionOrThrow,
} from './launch-templates.ts';
import type { LaunchTemplate, TemplateVersion } from './model.ts';
import { describeTags } from './storage.ts';

const FILTERED: Filterable<LaunchTemplate> = {
  operation: 'DescribeLaunchTemplates',
  tagsOf: ({ tags }) => tags,
  fields: {
    'create-time': ({ createdAtMs }) => [new Date(createdAtMs).toISOString()],
    'launch-template-name': ({ name }) => [name],
  },
};

export function launchTemplateOperations(state: State): Operation[] {
  return [
    ...launchTemplateMaking(state),
    describeTemplates(state),
    versionDescriptions(state),
    createVersion(state),
    modifyTemplate(state),
    versionDeletion(state),
  ];
}

function describeTemplates(state: State): Operation {
  const page = createPager<LaunchTemplate>('DescribeLaunchTemplates', {
    default: 200,
    max: 200,
    tokenCode: 'InvalidNextToken',
    limitCode: 'InvalidParameterValue',
  });
  return on(
    DescribeLaunchTemplatesCommand,
    {
      LaunchTemplateIds: 'all',
      LaunchTemplateNames: 'all',
      Filters: 'all',
      // No AWS service manages any here.
      IncludeManagedResources: 'all',
      NextToken: 'all',
      MaxResults: 'all',
    },
    (input) => {
      const { LaunchTemplateIds: ids, LaunchTemplateNames: names } = input;
      const passes = ec2Filter(input.Filters, FILTERED);
      const named = [
        ...(ids ?? []).map((id) => findTemplate(state, { LaunchTemplateId: id })),
        ...(names ?? []).map((name) => findTemplate(state, { LaunchTemplateName: name })),
      ];
      const all = ids || names ? named : [...state.launchTemplates.values()];
      const { items, token } = page(all.filter(passes), {
        limit: input.MaxResults,
        token: input.NextToken,
      });
      return { LaunchTemplates: items.map(describeTemplate), NextToken: token };
    },
  );
}

function createVersion(state: State): Operation {
  const made = new Map<string, { request: string; version: TemplateVersion }>();
  return on(
    CreateLaunchTemplateVersionCommand,
    {
      LaunchTemplateId: 'all',
      LaunchTemplateName: 'all',
      LaunchTemplateData: 'all',
      SourceVersion: 'all',
      VersionDescription: 'all',
      ResolveAlias: 'all',
      ClientToken: 'all',
    },
    (input) => {
      const template = findTemplate(state, input);
      demandNamedType('CreateLaunchTemplateVersion', input.LaunchTemplateData);
      const { ClientToken: clientToken, ...rest } = input;
      assertToken(clientToken);
      const request = JSON.stringify(rest);
      const earlier = clientToken && made.get(clientToken);
      // ledger: create-version-token-mismatch
      if (earlier && earlier.request !== request)
        throw new AwsError(
          'IdempotentParameterMismatch',
          'The client token has already been used with other parameters',
        );
      const version = earlier
        ? earlier.version
        : addVersion(
            state,
            template,
            inheritedData(template, input.SourceVersion, input.LaunchTemplateData),
            input.VersionDescription,
            'call',
          );
      if (clientToken) made.set(clientToken, { request, version });
      const faults = mappingFaults(version.data);
      return {
        LaunchTemplateVersion: describeVersion(state, template, version, input),
        ...(faults.length > 0 && { Warning: { Errors: faults } }),
      };
    },
  );
}

/**
 * "You must specify either a snapshot ID or a volume size", and "If you are creating a volume from a
 * snapshot, you can't specify an encryption value". A version is made all the same, "an error code and an
 * error message are returned for each issue": rows template-volume-source, template-volume-encryption.
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_LaunchTemplateEbsBlockDeviceRequest.html
 */
function mappingFaults({ BlockDeviceMappings: mappings = [] }: TemplateData): ValidationError[] {
  return mappings.flatMap(({ DeviceName: name, Ebs: ebs }) => {
    if (!ebs) return [];
    const { SnapshotId: snapshot, VolumeSize: size, Encrypted: encrypted } = ebs;
    const Code = 'InvalidBlockDeviceMapping';
    if (snapshot === undefined && size === undefined)
      return [{ Code, Message: `${name} has neither a snapshot nor a size` }];
    if (snapshot !== undefined && encrypted !== undefined)
      return [{ Code, Message: `${name} has a snapshot, and says whether it is encrypted` }];
    return [];
  });
}

const TOKEN_LENGTH = 64;

/** The API's page has 128 characters, the developer guide 64. Row create-version-token-length. */
function assertToken(token = '') {
  // ledger: create-version-token-length
  if (token.length > TOKEN_LENGTH)
    throw new AwsError(
      'InvalidParameterValue',
      `ClientToken has ${token.length} characters, at most ${TOKEN_LENGTH}`,
    );
}

/**
 * "Snapshots applied to the block device mapping are ignored when creating a new version unless they are
 * explicitly included."
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateLaunchTemplateVersion.html
 */
function inheritedData(
  template: LaunchTemplate,
  sourceVersion: string | undefined,
  data: object | undefined,
): TemplateData {
  // ledger: create-version-data
  if (!data || Object.keys(data).length === 0)
    throw new AwsError('MissingParameter', 'The request must contain the parameter LaunchTemplateData');
  const source = sourceVersion ? versionOrThrow(template, sourceVersion).data : {};
  const inherited = structuredClone(source);
  for (const { Ebs: ebs } of inherited.BlockDeviceMappings ?? []) if (ebs) delete ebs.SnapshotId;
  return { ...inherited, ...structuredClone(data) };
}

function modifyTemplate(state: State): Operation {
  return on(
    ModifyLaunchTemplateCommand,
    { LaunchTemplateId: 'all', LaunchTemplateName: 'all', DefaultVersion: 'all', ClientToken: 'all' },
    (input) => {
      const template = findTemplate(state, input);
      const version = versionOrThrow(template, input.DefaultVersion);
      template.defaultVersion = version.number;
      state.emit({
        kind: 'template-written',
        template,
        change: 'default',
        version,
        cause: 'call',
      });
      return { LaunchTemplate: describeTemplate(template) };
    },
  );
}

export function describeTemplate(template: LaunchTemplate): Described {
  return {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    CreateTime: new Date(template.createdAtMs),
    DefaultVersionNumber: template.defaultVersion,
    LatestVersionNumber: latestVersion(template),
    Tags: describeTags(template.tags),
  };
}
