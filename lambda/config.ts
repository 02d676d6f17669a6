import * as z from 'zod/mini';
import { ENVIRONMENT } from './contract.ts';
import type { ImageSelector, Settings, Surge } from './core/settings.ts';

/** Settings that can't be used. `faults` has one sentence for each: the variable, what it was and what it may be. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`${faults.length === 1 ? 'A setting is' : 'Settings are'} not usable: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

const CLUSTER_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,254}$/;
const CLUSTER_ARN = /^arn:aws[a-z-]*:ecs:([a-z0-9-]+):(\d{12}):cluster\/([A-Za-z][A-Za-z0-9_-]{0,254})$/;

/** The name in a cluster's ARN, or the name itself; undefined for neither. */
export function clusterName(nameOrArn: string): string | undefined {
  if (CLUSTER_NAME.test(nameOrArn)) return nameOrArn;
  return CLUSTER_ARN.exec(nameOrArn)?.[3];
}

/** Whether it is an ARN of another Region or account than those in the ARN of the function. */
export function isForeign(nameOrArn: string, functionArn: string): boolean {
  const [, region, account] = CLUSTER_ARN.exec(nameOrArn) ?? [];
  const [, , , ownRegion, ownAccount] = functionArn.split(':');
  return region !== undefined && (region !== ownRegion || account !== ownAccount);
}

/** A setting that is read from text: `parse` answers undefined for what it may not be, which `may` tells. */
function setting<Value>(may: string, parse: (text: string) => Value | undefined) {
  return z.pipe(
    z.string(),
    z.transform((text, context) => {
      const value = parse(text.trim());
      if (value !== undefined) return value;
      context.issues.push({
        code: 'custom',
        input: text,
        message: `it may be ${may}`,
      });
      return z.NEVER;
    }),
  );
}

const seconds = (least: number, most: number) =>
  setting(`a number of seconds from ${least} to ${most}, such as 10 or 0.5`, numberWithin(least, most));

const count = (least: number, most: number) =>
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

const clusters = setting(
  'the names or ARNs of ECS clusters, separated by commas, such as "web,jobs"',
  (text): string[] | undefined => {
    const names = text.split(',').map((part) => clusterName(part.trim()));
    return names.every((name) => name !== undefined) ? [...new Set(names)] : undefined;
  },
);

const image = setting(
  'auto, ssm:<parameter>, name:<pattern> or ami-<id>',
  (text): ImageSelector | undefined => {
    if (text === 'auto') return { kind: 'auto' };
    if (/^ami-([0-9a-f]{8}|[0-9a-f]{17})$/.test(text)) return { kind: 'id', imageId: text };
    const parameter = /^ssm:(\/?[\w.-]+(?:\/[\w.-]+)*(?::[\w.-]+)?)$/.exec(text)?.[1];
    if (parameter !== undefined) return { kind: 'parameter', parameter };
    const pattern = /^name:([\w()[\] ./'@*?-]{3,128})$/.exec(text)?.[1];
    // The owner is a setting of its own, put in when all have been read.
    return pattern === undefined ? undefined : { kind: 'name', pattern, owner: '' };
  },
);

const imageOwner = setting('amazon, self, aws-marketplace or an account id of 12 digits', (text) =>
  /^(amazon|self|aws-marketplace|\d{12})$/.test(text) ? text : undefined,
);

const maxSurge = setting(
  'a number of instances from 1 or a percentage from 1% to 100%',
  (text): Surge | undefined => {
    const [, digits, percent] = /^(\d{1,5})(%?)$/.exec(text) ?? [];
    const value = Number(digits);
    if (digits === undefined || value < 1) return undefined;
    if (percent !== '%') return { kind: 'count', count: value };
    return value <= 100 ? { kind: 'percent', percent: value } : undefined;
  },
);

const ENVIRONMENT_SCHEMA = z.object({
  [ENVIRONMENT.clusters]: clusters,
  [ENVIRONMENT.image]: z.prefault(image, 'auto'),
  [ENVIRONMENT.imageOwner]: z.prefault(imageOwner, 'amazon'),
  [ENVIRONMENT.maxSurge]: z.prefault(maxSurge, '100%'),
  [ENVIRONMENT.drainConcurrency]: z.prefault(count(1, 10), '1'),
  [ENVIRONMENT.pollSeconds]: z.prefault(seconds(0.01, 60), '10'),
  // Steadiness must be watched within one invocation, which lasts 15 minutes.
  [ENVIRONMENT.stableSeconds]: z.prefault(seconds(0, 300), '30'),
  [ENVIRONMENT.readyTimeoutSeconds]: z.prefault(seconds(0.1, 86_400), '900'),
  [ENVIRONMENT.drainTimeoutSeconds]: z.prefault(seconds(0.1, 604_800), '1800'),
  [ENVIRONMENT.keepLaunchSpecs]: z.prefault(count(0, 100), '5'),
});

/**
 * Reads the function's settings from its environment. Variables that are empty count as not given.
 *
 * @throws ConfigurationError with every fault at once
 */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = z.safeParse(ENVIRONMENT_SCHEMA, given);
  const faults = parsed.error?.issues.map((issue) => fault(issue, given)) ?? [];
  faults.push(...foreignRegions(given));
  if (!parsed.success || faults.length > 0) throw new ConfigurationError(faults);
  const { data } = parsed;
  return {
    clusters: data.CLUSTERS,
    image: data.IMAGE.kind === 'name' ? { ...data.IMAGE, owner: data.IMAGE_OWNER } : data.IMAGE,
    maxSurge: data.MAX_SURGE,
    drainConcurrency: data.DRAIN_CONCURRENCY,
    pollSeconds: data.POLL_SECONDS,
    stableSeconds: data.STABLE_SECONDS,
    readyTimeoutSeconds: data.READY_TIMEOUT_SECONDS,
    drainTimeoutSeconds: data.DRAIN_TIMEOUT_SECONDS,
    keepLaunchSpecs: data.KEEP_LAUNCH_SPECS,
  };
}

function fault(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const variable = String(issue.path[0]);
  const was = given[variable];
  if (was === undefined) return `${variable} is missing; it is the names or ARNs of the ECS clusters to roll`;
  return `${variable} was "${was}"; ${issue.message}`;
}

/** A function reaches its own Region only, so that a cluster elsewhere would never be found. */
function foreignRegions(given: Record<string, string | undefined>): string[] {
  const own = given.AWS_REGION;
  const named = (given[ENVIRONMENT.clusters] ?? '').split(',').map((part) => part.trim());
  return named.flatMap((part) => {
    const region = CLUSTER_ARN.exec(part)?.[1];
    if (own === undefined || region === undefined || region === own) return [];
    return [
      `${ENVIRONMENT.clusters} names ${part} of ${region}; the function runs in ${own} and reaches only that`,
    ];
  });
}
