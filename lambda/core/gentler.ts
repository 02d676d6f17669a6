import type { GroupSettings, Surge } from './settings.ts';

/**
 * What whoever may tag a group may ask of its roll, though the stack doesn't say so: what makes it slower, waits longer or
 * leaves more alone. None of it changes what the group launches, ends a task sooner, or stops updates without a word.
 */
export const GENTLE_SETTINGS = [
  'maxSurge',
  'raiseMaxSize',
  'standby',
  'sharedTemplates',
  'canary',
  'bakeSeconds',
  'alarmNames',
  'drainConcurrency',
  'stableSeconds',
  'readyTimeoutSeconds',
  'drainTimeoutSeconds',
  'onDrainTimeout',
  'standaloneTasks',
] as const satisfies readonly (keyof GroupSettings)[];

type Gentle = (typeof GENTLE_SETTINGS)[number];

/** Of what is asked, all that is no less gentle than what the stack has, as it holds then; the rest is left out. */
export function gentler(asked: Partial<GroupSettings>, stack: GroupSettings): Partial<GroupSettings> {
  const may = {
    maxSurge: smallerSurge(asked.maxSurge, stack.maxSurge),
    raiseMaxSize: asked.raiseMaxSize === false ? false : undefined,
    standby: asked.standby === 'skip' ? 'skip' : undefined,
    sharedTemplates: asked.sharedTemplates === 'block' ? 'block' : undefined,
    canary: smallerTrial(asked.canary, stack.canary),
    bakeSeconds: longer(asked.bakeSeconds, stack.bakeSeconds),
    alarmNames: asked.alarmNames && [...new Set([...(stack.alarmNames ?? []), ...asked.alarmNames])],
    drainConcurrency: fewer(asked.drainConcurrency, stack.drainConcurrency),
    stableSeconds: longer(asked.stableSeconds, stack.stableSeconds),
    readyTimeoutSeconds: longer(asked.readyTimeoutSeconds, stack.readyTimeoutSeconds),
    drainTimeoutSeconds: longer(asked.drainTimeoutSeconds, stack.drainTimeoutSeconds),
    onDrainTimeout: asked.onDrainTimeout === 'hold' ? 'hold' : undefined,
    standaloneTasks: asked.standaloneTasks === 'wait' ? 'wait' : undefined,
  } satisfies Record<Gentle, unknown>;
  return Object.fromEntries(Object.entries(may).filter(([, value]) => value !== undefined));
}

const longer = (asked: number | undefined, stack: number) =>
  asked !== undefined && asked >= stack ? asked : undefined;

const fewer = (asked: number | undefined, stack: number) =>
  asked !== undefined && asked <= stack ? asked : undefined;

/** Any trial is gentler than none, and a smaller one than a larger one. */
function smallerTrial(asked: number | undefined, stack: number): number | undefined {
  return stack === 0 ? asked : asked === 0 ? undefined : fewer(asked, stack);
}

/** Whether a number or a share is the smaller, the size of the group tells. None at all is another strategy. */
function smallerSurge(asked: Surge | undefined, stack: Surge): Surge | undefined {
  if (asked === undefined || isNone(asked) !== isNone(stack)) return undefined;
  if (asked.kind === 'count' && stack.kind === 'count') return asked.count <= stack.count ? asked : undefined;
  if (asked.kind === 'percent' && stack.kind === 'percent')
    return asked.percent <= stack.percent ? asked : undefined;
  return { kind: 'least', of: [asked, stack] };
}

function isNone(surge: Surge): boolean {
  return surge.kind === 'count' && surge.count === 0;
}
