import * as z from 'zod/mini';
import type { DriftCause, ImageSelector, Surge } from '../core/settings.ts';

const CLUSTER_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,254}$/;
const CLUSTER_ARN = /^arn:aws[a-z-]*:ecs:([a-z0-9-]+):(\d{12}):cluster\/([A-Za-z][A-Za-z0-9_-]{0,254})$/;

/** Name, Region and account in a cluster's ARN, or the name alone; undefined for neither. */
export function readCluster(nameOrArn: string) {
  if (CLUSTER_NAME.test(nameOrArn)) return { name: nameOrArn };
  const [, region, account, name] = CLUSTER_ARN.exec(nameOrArn) ?? [];
  return name === undefined ? undefined : { name, region, account };
}

/** A setting that is read from trimmed text: `parse` answers undefined for what it may not be, which `may` tells. */
function setting<Value>(may: string, parse: (text: string) => Value | undefined) {
  return z.pipe(
    z.string(),
    z.transform((text, context) => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.issues.push({ code: 'custom', input: text, message: `it may be ${may}` });
      return z.NEVER;
    }),
  );
}

/** A setting of one or more parts, separated by commas. */
export function list<Part>(may: string, parse: (part: string) => Part | undefined) {
  return setting(may, (text) => {
    const parts = text.split(',').map((part) => parse(part.trim()));
    const read = parts.filter((part) => part !== undefined);
    return read.length === parts.length ? [...new Set(read)] : undefined;
  });
}

export const amount = (unit: string, least: number, most: number) =>
  setting(`a number of ${unit} from ${least} to ${most}, such as 10 or 1.5`, numberWithin(least, most));

export const count = (least: number, most: number) =>
  setting(`a whole number from ${least} to ${most}`, (text) =>
    /^\d+$/.test(text) ? numberWithin(least, most)(text) : undefined,
  );

function numberWithin(least: number, most: number) {
  return (text: string): number | undefined => {
    if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
    const value = Number(text);
    return value >= least && value <= most ? value : undefined;
  };
}

export const oneOf = <Word extends string>(...words: readonly Word[]) =>
  setting(words.join(' or '), (text) => words.find((word) => word === text));

export const yesOrNo = setting('true or false', (text) =>
  /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined,
);

export const clusters = list(
  'the names or ARNs of ECS clusters, separated by commas, such as "web,jobs"',
  (part) => readCluster(part)?.name,
);

/** A group's name may contain anything but a colon. One with a comma can't be told here. */
export const groups = list(
  'the names of Auto Scaling groups, separated by commas, each <group> or <cluster>:<group>',
  (part): { cluster?: string; group: string } | undefined => {
    const [, cluster, group] = /^(?:([A-Za-z][\w-]*)\s*:\s*)?([^:]{1,255})$/.exec(part) ?? [];
    if (group === undefined) return undefined;
    return cluster === undefined ? { group } : { cluster, group };
  },
);

/** Shared by another account, a parameter is known by its ARN alone; either may have a version or a label at its end. */
const PARAMETER =
  /^ssm:((?:\/?|arn:aws[a-z-]*:ssm:[a-z0-9-]+:(?:\d{12})?:parameter\/)[\w.-]+(?:\/[\w.-]+)*(?::[\w.-]+)?)$/;

const SELECTORS = 'auto, ssm:<parameter>, name:<pattern> or ami-<id>';

function selectorIn(text: string): ImageSelector | undefined {
  if (text === 'auto') return { kind: 'auto' };
  if (/^ami-([0-9a-f]{8}|[0-9a-f]{17})$/.test(text)) return { kind: 'id', imageId: text };
  const parameter = PARAMETER.exec(text)?.[1];
  if (parameter !== undefined) return { kind: 'parameter', parameter };
  const pattern = /^name:([\w()[\] ./'@*?-]{3,128})$/.exec(text)?.[1];
  return pattern === undefined ? undefined : { kind: 'name', pattern };
}

export const image = setting(SELECTORS, selectorIn);
export const images = list(`one or more of ${SELECTORS}, separated by commas`, selectorIn);

const OWNERS = 'amazon, self, aws-marketplace or an account id of 12 digits';

function ownerIn(text: string): string | undefined {
  return /^(amazon|self|aws-marketplace|\d{12})$/.test(text) ? text : undefined;
}

export const imageOwner = setting(OWNERS, ownerIn);
export const imageOwners = list(`one or more of ${OWNERS}, separated by commas`, ownerIn);

/** A name may have any character but those of control; one with a comma can't be told here. No alarm has an ARN's name. */
export const alarmNames = list(
  'the names, not the ARNs, of CloudWatch alarms, separated by commas',
  (part) => (/^(?!arn:)[^\p{Cc}]+$/u.test(part) && part.length <= 255 ? part : undefined),
);

const CAUSES: readonly DriftCause[] = ['image', 'launch-spec', 'age'];

export const drift = list(`one or more of ${CAUSES.join(', ')}, separated by commas`, (part) =>
  CAUSES.find((cause) => cause === part),
);

export const maxSurge = setting(
  'a number of instances or a percentage from 0% to 100%',
  (text): Surge | undefined => {
    const [, digits, percent] = /^(\d{1,5})(%?)$/.exec(text) ?? [];
    const value = Number(digits);
    if (digits === undefined) return undefined;
    if (percent !== '%' || value === 0) return { kind: 'count', count: value };
    return value <= 100 ? { kind: 'percent', percent: value } : undefined;
  },
);

/** https://docs.aws.amazon.com/kms/latest/developerguide/concepts.html#key-id */
const KEY_ID = /^(?:mrk-[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const KEY_NAME = /^(?:arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:(?:key\/[\w-]+|alias\/[\w/-]+)|alias\/[\w/-]+)$/;

export const stateKey = setting('alias/<name>, or the ARN or id of a KMS key', (text) =>
  KEY_ID.test(text) || KEY_NAME.test(text) ? text : undefined,
);
