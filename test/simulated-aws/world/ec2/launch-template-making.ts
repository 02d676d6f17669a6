import { CreateLaunchTemplateCommand, DeleteLaunchTemplateCommand } from '@aws-sdk/client-ec2';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import type { State } from '../state.ts';
import { describeTemplate } from './launch-template-operations.ts';
import { addTemplate, demandNamedType, findTemplate } from './launch-templates.ts';
import type { LaunchTemplate } from './model.ts';
import { requestedTags } from './storage.ts';

const CREATION = {
  LaunchTemplateName: 'all',
  VersionDescription: 'all',
  LaunchTemplateData: 'all',
  TagSpecifications: 'all',
  ClientToken: 'all',
} as const;
const REFERENCE = { LaunchTemplateId: 'all', LaunchTemplateName: 'all' } as const;

/** Groups that launch from a deleted one go on naming it, in vain. */
export function launchTemplateMaking(state: State): Operation[] {
  const made = new Map<string, LaunchTemplate>();
  return [
    on(CreateLaunchTemplateCommand, CREATION, (input) => {
      const { LaunchTemplateName: name = '', LaunchTemplateData: data = {}, ClientToken: token = '' } = input;
      demandNamedType('CreateLaunchTemplate', data);
      const earlier = made.get(token);
      if (earlier) return { LaunchTemplate: describeTemplate(earlier) };
      assertUnused(state, name);
      const template = addTemplate(
        state,
        name,
        { ...structuredClone<object>(data) },
        {
          description: input.VersionDescription,
          tags: requestedTags(input.TagSpecifications, 'launch-template'),
          madeBy: 'call',
        },
      );
      if (token !== '') made.set(token, template);
      return { LaunchTemplate: describeTemplate(template) };
    }),

    on(DeleteLaunchTemplateCommand, REFERENCE, (input) => {
      const template = findTemplate(state, input);
      const description = describeTemplate(template);
      state.launchTemplates.delete(template.id);
      for (const version of template.versions.values())
        state.emit({ kind: 'template-written', template, change: 'deleted', version, cause: 'call' });
      template.versions.clear();
      return { LaunchTemplate: description };
    }),
  ];
}

function assertUnused({ launchTemplates }: State, wanted: string) {
  if (![...launchTemplates.values()].some(({ name }) => name === wanted)) return;
  // ledger: template-name-taken
  throw new AwsError(
    'InvalidLaunchTemplateName.AlreadyExistsException',
    'Launch template name already in use.',
  );
}
