import type { DriftKind, ImageSelector, SurgeLimit } from '../core/model/settings.ts';

const CLUSTER_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,254}$/;
const CLUSTER_ARN = /^arn:aws[a-z-]*:ecs:([a-z0-9-]+):(\d{12}):cluster\/([A-Za-z][A-Za-z0-9_-]{0,254})$/;

/** Name, Region and account in a cluster's ARN, or the name alone; undefined for neither. */
export function readCluster(nameOrArn: string) {
  if (CLUSTER_NAME.test(nameOrArn)) return { name: nameOrArn };
  const [, region, account, name] = CLUSTER_ARN.exec(nameOrArn) ?? [];
  return name === undefined ? undefined : { name, region, account };
}

/** Reads one setting from trimmed text. */
export interface Parser<Value> {
  /** The type of its prop and context key. In the text the parts of a list are separated by commas. */
  readonly kind: 'text' | 'number' | 'boolean' | 'list';
  /** What the text may be: the end of "it may be …". */
  readonly may: string;
  /** The value; undefined if the text isn't allowed. */
  readonly read: (text: string) => Value | undefined;
}

const text = <Value>(may: string, read: Parser<Value>['read']): Parser<Value> => ({
  kind: 'text',
  may,
  read,
});

const number = (may: string, read: Parser<number>['read']): Parser<number> => ({ kind: 'number', may, read });

/** A setting of one or more parts. */
export function list<Part>(may: string, parse: (part: string) => Part | undefined): Parser<readonly Part[]> {
  const read = (given: string) => {
    const parts = given.split(',').map((part) => parse(part.trim()));
    const readable = parts.filter((part) => part !== undefined);
    return readable.length === parts.length ? [...new Set(readable)] : undefined;
  };
  return { kind: 'list', may, read };
}

export const amount = (unit: string, least: number, most: number) =>
  number(`a number of ${unit} from ${least} to ${most}, such as 10 or 1.5`, numberWithin(least, most));

export const count = (least: number, most: number) =>
  number(`a whole number from ${least} to ${most}`, (given) =>
    /^\d+$/.test(given) ? numberWithin(least, most)(given) : undefined,
  );

function numberWithin(least: number, most: number) {
  return (given: string): number | undefined => {
    if (!/^\d+(\.\d+)?$/.test(given)) return undefined;
    const value = Number(given);
    return value >= least && value <= most ? value : undefined;
  };
}

export const drains = text('auto or a whole number from 1 to 10', (given): number | 'auto' | undefined =>
  given === 'auto' ? given : count(1, 10).read(given),
);

export const oneOf = <Word extends string>(...words: readonly Word[]) =>
  text(words.join(' or '), (given) => words.find((word) => word === given));

/** In upper or lower case, since tags are typed by hand. */
export const yesOrNo: Parser<boolean> = {
  kind: 'boolean',
  may: 'true or false',
  read: (given) => (/^(true|false)$/i.test(given) ? given.toLowerCase() === 'true' : undefined),
};

export const clusters = list(
  'the names or ARNs of ECS clusters, separated by commas, such as "web,jobs"',
  (part) => readCluster(part)?.name,
);

/** A group as written: with only one cluster, that needn't be named. */
export interface GroupReference {
  readonly cluster?: string;
  readonly group: string;
}

/** A group's name may contain anything but a colon. One with a comma can't be written here. */
export const groups = list(
  'the names of Auto Scaling groups, separated by commas, each <group> or <cluster>:<group>',
  (part): GroupReference | undefined => {
    const [, cluster, group] = /^(?:([A-Za-z][\w-]*)\s*:\s*)?([^:]{1,255})$/.exec(part) ?? [];
    if (group === undefined) return undefined;
    return cluster === undefined ? { group } : { cluster, group };
  },
);

/** A parameter shared by another account is known only by its ARN. Both may end in a version or a label. */
const PARAMETER =
  /^ssm:((?:\/?|arn:aws[a-z-]*:ssm:[a-z0-9-]+:(?:\d{12})?:parameter\/)[\w.-]+(?:\/[\w.-]+)*(?::[\w.-]+)?)$/;

const SELECTORS = 'auto, ssm:<parameter>, name:<pattern> or ami-<id>';

function selectorIn(given: string): ImageSelector | undefined {
  if (given === 'auto') return { kind: 'auto' };
  if (/^ami-([0-9a-f]{8}|[0-9a-f]{17})$/.test(given)) return { kind: 'id', imageId: given };
  const parameter = PARAMETER.exec(given)?.[1];
  if (parameter !== undefined) return { kind: 'parameter', parameter };
  const pattern = /^name:([\w()[\] ./'@*?-]{3,128})$/.exec(given)?.[1];
  return pattern === undefined ? undefined : { kind: 'name', pattern };
}

export const image = text(SELECTORS, selectorIn);
export const images = list(`one or more of ${SELECTORS}, separated by commas`, selectorIn);

const OWNERS = 'amazon, self, aws-marketplace or an account id of 12 digits';

function ownerIn(given: string): string | undefined {
  return /^(amazon|self|aws-marketplace|\d{12})$/.test(given) ? given : undefined;
}

export const imageOwner = text(OWNERS, ownerIn);
export const imageOwners = list(`one or more of ${OWNERS}, separated by commas`, ownerIn);

/**
 * A name may have any character except control characters; one with a comma can't be written here. An ARN
 * isn't a name.
 */
export const alarmNames = list(
  'the names, not the ARNs, of CloudWatch alarms, separated by commas',
  (part) => (/^(?!arn:)[^\p{Cc}]+$/u.test(part) && part.length <= 255 ? part : undefined),
);

/** https://docs.aws.amazon.com/systems-manager/latest/userguide/systems-manager-change-calendar.html */
export const calendars = list(
  'the ARNs of change calendars of Systems Manager, separated by commas',
  (part) => (/^arn:aws[a-z-]*:ssm:[a-z0-9-]+:\d{12}:document\/[\w.-]{3,128}$/.test(part) ? part : undefined),
);

const CAUSES: readonly DriftKind[] = ['image', 'launch-spec', 'age'];

export const drift = list(`one or more of ${CAUSES.join(', ')}, separated by commas`, (part) =>
  CAUSES.find((cause) => cause === part),
);

export const maxSurge = text(
  'a number of instances or a percentage from 0% to 100%',
  (given): SurgeLimit | undefined => {
    const [, digits, percent] = /^(\d{1,5})(%?)$/.exec(given) ?? [];
    const value = Number(digits);
    if (digits === undefined) return undefined;
    if (percent !== '%' || value === 0) return { kind: 'count', count: value };
    return value <= 100 ? { kind: 'percent', percent: value } : undefined;
  },
);

/** https://docs.aws.amazon.com/kms/latest/developerguide/concepts.html#key-id */
const KEY_ID = /^(?:mrk-[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const KEY_NAME = /^(?:arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:(?:key\/[\w-]+|alias\/[\w/-]+)|alias\/[\w/-]+)$/;

export const stateKey = text('alias/<name>, or the ARN or id of a KMS key', (given) =>
  KEY_ID.test(given) || KEY_NAME.test(given) ? given : undefined,
);

/** https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
const FUNCTION_ARN =
  /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[\w-]{1,64}(:([\w-]{1,128}|\$LATEST))?$/;
/** https://docs.aws.amazon.com/sns/latest/api/API_CreateTopic.html: the name of a FIFO topic ends in `.fifo`. */
const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

export const hook = text(
  'the ARN of a Lambda function, of its version or alias, or of a standard SNS topic',
  (given) => (FUNCTION_ARN.test(given) || TOPIC_ARN.test(given) ? given : undefined),
);

export const eventBus = text('the name or ARN of an EventBridge event bus', (given) =>
  /^(arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[\w./-]{1,256}$/.test(given) ? given : undefined,
);
