import {
  type Canary,
  type Course,
  NO_CHANGES,
  type Notice,
  type Rejection,
  type RollRecord,
  type TemporaryChanges,
} from '../model/roll.ts';
import { sentenceOf } from '../reasons/reason.ts';
import type { Sizes } from '../reasons/steps.ts';
import { describeChanges } from '../text/decision.ts';
import type { Definitions } from './definition.ts';
import { withGroup, withRoll } from './foreseen.ts';

/** What to write on a group's tags. */
export interface TagActions {
  'record-roll': {
    readonly group: string;
    readonly roll: RollRecord;
    /** Any course and trial left by an earlier roll, or by hand, are void. */
    readonly begins: boolean;
    /** It is onto images that no trial was of: whatever the tags say, that begins anew. */
    readonly anew?: true;
  };
  /** Any course and trial left by an earlier roll, or by hand, are void. */
  'record-notice': { readonly group: string; readonly notice: Notice };
  /** The unsealed tag by which IAM and others find the roll. */
  'record-cluster': { readonly group: string };
  'record-canary': {
    readonly group: string;
    readonly canary: Canary;
    /** How many images the roll has had. */
    readonly images: number;
  };
  'record-course': {
    readonly group: string;
    readonly course: Exclude<Course, { kind: 'forward' }>;
    /** Only as long as this notice's roll hasn't begun. */
    readonly notice?: Notice;
  };
  /** Stays when the roll's tags are removed. */
  'record-rejection': { readonly group: string; readonly rejection: Rejection };
  'clear-rejection': { readonly group: string };
  pause: { readonly group: string; readonly since: Date };
  resume: { readonly group: string };
  /** Only if our changes, and the sizes if they change, are still as observed. */
  'record-changes': {
    readonly group: string;
    readonly before: TemporaryChanges;
    /**
     * The recorded change has been made. Written even if another invocation has meanwhile recorded it as not
     * made.
     */
    readonly closes?: true;
    readonly sizes?: Sizes;
    readonly changes: TemporaryChanges;
  };
  'clear-roll': { readonly group: string };
}

/** The fields a roll's record leaves out. */
const NOT_BEGUN = { canary: { kind: 'pending' }, course: { kind: 'forward' }, changes: NO_CHANGES } as const;

const UNTRIED = { canary: { kind: 'pending' } } as const;

export const TAG_ACTIONS: Definitions<TagActions> = {
  'record-roll': {
    describe: ({ group, roll }) => `tag group ${group}: ${describeRoll(roll)}`,
    foresee: (observation, { roll, anew }) =>
      withGroup(observation, {
        roll: { ...NOT_BEGUN, ...observation.groups[0].roll, ...roll, ...(anew && UNTRIED) },
        notice: undefined,
      }),
    onlyRecords: true,
  },
  'record-notice': {
    describe: ({ group, notice: { imageIds, until } }) =>
      `tag group ${group}: roll onto ${imageIds.join(', ')} announced, from ${until.toISOString()} on`,
    foresee: (observation, { notice }) => withGroup(observation, { notice }),
    onlyRecords: true,
  },
  'record-cluster': {
    describe: ({ group }) => `tag group ${group} with the cluster of its roll again`,
    foresee: (observation) => withGroup(observation, { misnamed: false }),
  },
  'record-canary': {
    describe: ({ group, canary }) => `tag group ${group}: ${CANARY[canary.kind]}`,
    foresee: (observation, { canary }) => withRoll(observation, { canary }),
  },
  'record-course': {
    describe: ({ group, course }) =>
      `tag group ${group}: ${course.kind}, because ${sentenceOf(course.because)}`,
    foresee: (observation, { course }) => withRoll(observation, { course }),
    onlyRecords: true,
  },
  'record-rejection': {
    describe: ({ group, rejection }) => `tag group ${group}: not onto ${rejection.imageIds.join(', ')} again`,
    foresee: (observation, { rejection }) => withGroup(observation, { rejection }),
    onlyRecords: true,
  },
  'clear-rejection': {
    describe: ({ group }) => `remove the tags from group ${group} that reject images`,
  },
  pause: {
    describe: ({ group }) => `tag group ${group}: paused`,
    foresee: (observation, { since }) => withGroup(observation, { pausedSince: since }),
    onlyRecords: true,
  },
  resume: {
    describe: ({ group }) => `remove the tag that pauses group ${group}`,
    foresee: (observation) => withGroup(observation, { pausedSince: undefined }),
    onlyRecords: true,
  },
  'record-changes': {
    describe: ({ group, changes }) => `tag group ${group}: ${describeChanges(changes)}`,
    foresee: (observation, { changes }) => withRoll(observation, { changes }),
  },
  'clear-roll': { describe: ({ group }) => `remove the tags from group ${group}` },
};

const CANARY: Readonly<Record<Canary['kind'], string>> = {
  pending: 'the first batch is still to be tried out',
  baking: 'the first batch is tried out',
  passed: 'the first batch has passed its trial',
};

function describeRoll({ imageIds, forceBefore }: RollRecord): string {
  const forced = forceBefore === undefined ? '' : ', replacing every older instance';
  return `roll onto ${imageIds.join(', ')}${forced}`;
}
