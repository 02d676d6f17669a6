import { DeleteLaunchTemplateVersionsCommand } from '@aws-sdk/client-ec2';
import { type Operation, on } from '../../account/operation.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';
import { findTemplate } from './launch-templates.ts';
import type { LaunchTemplate } from './model.ts';

/** Each version separately: those that can't be deleted are reported, the rest are gone. */
export function versionDeletion(state: State): Operation {
  return on(
    DeleteLaunchTemplateVersionsCommand,
    { LaunchTemplateId: 'all', LaunchTemplateName: 'all', Versions: 'all' },
    (input) => {
      const template = findTemplate(state, input);
      const numbers = input.Versions ?? [];
      // ledger: delete-versions-most
      assertAtMost(200, numbers, 'InvalidParameterValue', 'Versions');
      const outcomes = numbers.map((number) => {
        const common = {
          LaunchTemplateId: template.id,
          LaunchTemplateName: template.name,
          VersionNumber: Number(number),
        };
        const error = deleteVersion(state, template, Number(number));
        return { common, error };
      });
      return {
        SuccessfullyDeletedLaunchTemplateVersions: outcomes.flatMap((outcome) =>
          outcome.error ? [] : [outcome.common],
        ),
        UnsuccessfullyDeletedLaunchTemplateVersions: outcomes.flatMap(({ common, error }) =>
          error ? [{ ...common, ResponseError: error }] : [],
        ),
      };
    },
  );
}

function deleteVersion(state: State, template: LaunchTemplate, number: number) {
  const version = template.versions.get(number);
  if (!version)
    return {
      Code: 'launchTemplateVersionDoesNotExist' as const,
      Message: `Could not find the specified version ${number}.`,
    };
  if (number === template.defaultVersion)
    return {
      Code: 'unexpectedError' as const,
      Message: 'Cannot delete the default version of a launch template.',
    };
  template.versions.delete(number);
  state.emit({
    kind: 'template-written',
    template,
    change: 'deleted',
    version,
    cause: 'call',
  });
  return undefined;
}
