import * as z from 'zod/mini';
import { ENVIRONMENT } from '../contract.ts';
import {
  alarmNames,
  amount,
  clusters,
  count,
  drift,
  groups,
  image,
  imageOwner,
  imageOwners,
  images,
  list,
  maxSurge,
  oneOf,
  yesOrNo,
} from './parsers.ts';

export type Setting = keyof typeof ENVIRONMENT;

/** What a setting is called in a group's tag, behind the prefix, and where the stack names it. */
export function nameInTags(setting: Setting): string {
  return ENVIRONMENT[setting].toLowerCase().replaceAll('_', '-');
}

/** What is of one group. How far its tags may set that otherwise, `owner-tags.ts` says. */
export const GROUP_SETTINGS = z.object({
  image,
  imageOwner,
  minImageAgeDays: amount('days', 0, 365),
  drift,
  maxInstanceAgeDays: z.optional(amount('days', 1, 3650)),
  maxSurge,
  raiseMaxSize: yesOrNo,
  standby: oneOf('skip', 'replace'),
  terminateHooks: oneOf('skip', 'run'),
  sharedTemplates: oneOf('block', 'update'),
  canary: count(0, 1000),
  bakeSeconds: amount('seconds', 0, 86_400),
  alarmNames: z.optional(alarmNames),
  alarmTimeoutSeconds: amount('seconds', 0, 86_400),
  drainConcurrency: count(1, 10),
  // Steadiness must be watched within one invocation, which lasts 15 minutes.
  stableSeconds: amount('seconds', 0, 300),
  readyTimeoutSeconds: amount('seconds', 0.1, 86_400),
  drainTimeoutSeconds: amount('seconds', 0.1, 604_800),
  onDrainTimeout: oneOf('hold', 'force'),
  standaloneTasks: oneOf('wait', 'stop'),
  keepLaunchSpecs: count(0, 100),
} satisfies Partial<Record<Setting, z.ZodMiniType>>);

/** Which images a group's tags may name is told by the images themselves. */
const NAMED_BY_VALUE: readonly string[] = ['image', 'imageOwner'];
const FREE_BY_NAME = Object.keys(GROUP_SETTINGS.shape)
  .filter((key): key is keyof typeof GROUP_SETTINGS.shape => !NAMED_BY_VALUE.includes(key))
  .map((key) => ({ key, name: nameInTags(key) }));

const tagSettings = list(
  `one or more of ${FREE_BY_NAME.map(({ name }) => name).join(', ')}, separated by commas`,
  (part) => FREE_BY_NAME.find(({ name }) => name === part)?.key,
);

/** All that the environment may set. */
export const SETTINGS = z.object({
  clusters,
  groups: z.optional(groups),
  groupConcurrency: count(1, 10),
  pollSeconds: amount('seconds', 0.01, 60),
  ...GROUP_SETTINGS.shape,
  tagSettings: z.optional(tagSettings),
  tagImages: z.optional(images),
  tagImageOwners: z.optional(imageOwners),
} satisfies Record<Setting, z.ZodMiniType>);

/** What isn't given is as if this were. */
export const DEFAULTS = {
  groupConcurrency: '1',
  image: 'auto',
  imageOwner: 'amazon',
  minImageAgeDays: '0',
  drift: 'image',
  maxSurge: '100%',
  raiseMaxSize: 'false',
  standby: 'skip',
  terminateHooks: 'skip',
  sharedTemplates: 'block',
  canary: '1',
  bakeSeconds: '120',
  alarmTimeoutSeconds: '300',
  drainConcurrency: '1',
  pollSeconds: '10',
  stableSeconds: '30',
  readyTimeoutSeconds: '900',
  drainTimeoutSeconds: '1800',
  onDrainTimeout: 'hold',
  standaloneTasks: 'wait',
  keepLaunchSpecs: '5',
} as const satisfies Partial<Record<Setting, string>>;

/** The settings that are keys of a table. */
export function settingsIn(table: Partial<Record<Setting, unknown>>): Setting[] {
  return Object.keys(table).filter((key): key is Setting => key in SETTINGS.shape);
}
