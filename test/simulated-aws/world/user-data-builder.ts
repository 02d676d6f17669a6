import { byMaker } from './ec2/families.ts';
import type { Image } from './ec2/model.ts';

export interface UserDataOptions {
  readonly image: Pick<Image, 'family'>;
  /** None: it names none. */
  readonly cluster?: string | undefined;
  readonly instanceAttributes?: Readonly<Record<string, string>> | undefined;
  /** Of Linux. */
  readonly drainsSpot?: boolean | undefined;
}

/** What its owner has an instance run at boot, in its image's language; in base64. */
export function buildUserData(options: UserDataOptions): string {
  const { family } = options.image;
  const text =
    family === undefined
      ? shellScript(options)
      : byMaker(family, {
          amazonLinux: () => shellScript(options),
          bottlerocket: () => settings(options),
          windows: () => powerShell(options),
        });
  return Buffer.from(text).toString('base64');
}

function shellScript({ cluster, instanceAttributes, drainsSpot = false }: UserDataOptions): string {
  const lines = [
    ...(cluster === undefined ? [] : [`ECS_CLUSTER=${cluster}`]),
    ...(instanceAttributes ? [`'ECS_INSTANCE_ATTRIBUTES=${JSON.stringify(instanceAttributes)}'`] : []),
    ...(drainsSpot ? ['ECS_ENABLE_SPOT_INSTANCE_DRAINING=true'] : []),
  ];
  return ['#!/bin/bash', ...lines.map((line) => `echo ${line} >> /etc/ecs/ecs.config`), ''].join('\n');
}

function settings({ cluster, instanceAttributes = {} }: UserDataOptions): string {
  const named = cluster === undefined ? [] : [`cluster = ${JSON.stringify(cluster)}`];
  const attributes = Object.entries(instanceAttributes).map(
    ([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`,
  );
  return ['[settings.ecs]', ...named, '[settings.ecs.instance-attributes]', ...attributes, ''].join('\n');
}

function powerShell({ cluster, instanceAttributes }: UserDataOptions): string {
  const json = JSON.stringify(instanceAttributes);
  const variable = `[Environment]::SetEnvironmentVariable("ECS_INSTANCE_ATTRIBUTES", '${json}', "Machine")`;
  return [
    '<powershell>',
    'Import-Module ECSTools',
    ...(instanceAttributes ? [variable] : []),
    `Initialize-ECSAgent${cluster === undefined ? '' : ` -Cluster '${cluster}'`} -EnableTaskIAMRole`,
    '</powershell>',
  ].join('\n');
}
