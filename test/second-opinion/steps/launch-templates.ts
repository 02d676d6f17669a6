import {
  CreateLaunchTemplateVersionCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  ModifyLaunchTemplateCommand,
} from '@aws-sdk/client-ec2';
import { type Account, NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

const UNKNOWN_TEMPLATE = 'lt-0123456789abcdef0';

const versions =
  (...wanted: readonly string[]) =>
  (at: Account) =>
    at.ec2.send(
      new DescribeLaunchTemplateVersionsCommand({
        LaunchTemplateId: at.template,
        ...(wanted.length > 0 && { Versions: [...wanted] }),
      }),
    );

/** moto knows no DeleteLaunchTemplateVersions. */
export const LAUNCH_TEMPLATE_STEPS: readonly Step[] = [
  step('describe a launch template', ({ ec2, template }) =>
    ec2.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateIds: [template] })),
  ),
  step('describe the one version of a launch template', versions()),
  step('create a launch template version', ({ ec2, template, newerImage }) =>
    ec2.send(
      new CreateLaunchTemplateVersionCommand({
        LaunchTemplateId: template,
        VersionDescription: 'with a newer image',
        SourceVersion: '1',
        LaunchTemplateData: { ImageId: newerImage },
      }),
    ),
  ),
  step('describe all versions', versions()),
  step('describe $Latest', versions('$Latest')),
  step('describe $Default', versions('$Default')),
  step('describe a version by its number', versions('2')),
  step('describe an unknown version', versions('9')),
  step('describe the versions of a launch template by name', ({ ec2 }) =>
    ec2.send(new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName: NAMES.template })),
  ),
  step('describe the versions of an unknown launch template', ({ ec2 }) =>
    ec2.send(new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: UNKNOWN_TEMPLATE })),
  ),
  step('create a version of an unknown launch template', ({ ec2, image }) =>
    ec2.send(
      new CreateLaunchTemplateVersionCommand({
        LaunchTemplateId: UNKNOWN_TEMPLATE,
        LaunchTemplateData: { ImageId: image },
      }),
    ),
  ),
  step('make a version the default', ({ ec2, template }) =>
    ec2.send(new ModifyLaunchTemplateCommand({ LaunchTemplateId: template, DefaultVersion: '2' })),
  ),
  step('describe $Default after that', versions('$Default')),
];
