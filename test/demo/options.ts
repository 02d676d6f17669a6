import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parser } from '../simulated-aws/serve/values.ts';
import type { RollEnding } from './progress.ts';

/** When the function is killed: half-way, after so many calls, or not at all. */
export type KillAt =
  | { readonly kind: 'half' }
  | { readonly kind: 'calls'; readonly calls: number }
  | { readonly kind: 'none' };

/** What is wrong with the new image. */
export const BAD_IMAGES = ['agent', 'tasks', 'launch'] as const;
export type BadImage = (typeof BAD_IMAGES)[number];

/** What is rolled, and how. */
export interface RollOptions {
  readonly instances: number;
  readonly services: number;
  /** Simulated seconds in a real one. */
  readonly speed: number;
  readonly seed: number;
  readonly launchSpec: 'launch-configuration' | 'launch-template';
  /** How the group refers to its launch template; without it, it names no version. */
  readonly launchTemplateVersion?: string;
  readonly killAt: KillAt;
  /** The function's `MAX_SURGE`. */
  readonly surge: string;
  readonly drainConcurrency: number;
  /** The function's `CANARY`. */
  readonly canary: number;
  /** Whether whoever watches has the levers, until they end it. */
  readonly interactive?: boolean;
  /** Without it nothing is wrong with the image. */
  readonly badImage?: BadImage;
}

/** What the roll is to come to. */
export function expectedEnding({ badImage }: Pick<RollOptions, 'badImage'>): RollEnding {
  return badImage === undefined ? 'completed' : 'rolled-back';
}

export const parseKillAt = parser('half, none or a number of calls from 1', (text): KillAt | undefined => {
  if (text === 'half' || text === 'none') return { kind: text };
  return /^[1-9]\d{0,8}$/.test(text) ? { kind: 'calls', calls: Number(text) } : undefined;
});

export const parseSurge = parser('a number of instances from 1 or a percentage from 1% to 100%', (text) =>
  /^([1-9]\d{0,2}|([1-9]\d?|100)%)$/.test(text) ? text : undefined,
);

/** That the report can't be written is better known before the roll than after it. */
export const parseReportFile = parser('a file in a folder that exists', (text) =>
  text !== '' && isFolder(dirname(text)) && !isFolder(text) ? text : undefined,
);

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
