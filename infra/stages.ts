import { deflateRawSync } from 'node:zlib';
import { Duration } from 'aws-cdk-lib';
import { PACKED, parseSequence, SequenceError } from '../lambda/settings/parse-sequence.ts';
import { BeforeStage, StacksApart, WhenEmpty } from './choices.ts';
import { nearest } from './nearest.ts';
import type { RolloutSequenceProps, RolloutStage } from './sequence-props.ts';

type ParsedSequence = ReturnType<typeof parseSequence>;

type StagesProps = Pick<RolloutSequenceProps, 'stages' | 'haltsSiblings' | 'silentAfter'>;

const hoursIn = (duration?: Duration) => duration?.toHours({ integral: false });

/** What the function's environment and the file of the app have as JSON; what isn't set stays out of it. */
export function jsonOf({ stages, haltsSiblings, silentAfter }: StagesProps): string {
  return JSON.stringify({
    stages: stages.map(({ completeWithin, soakTime, apart, beforeStage, whenEmpty, ...same }) => ({
      ...same,
      completeWithinHours: hoursIn(completeWithin),
      soakHours: hoursIn(soakTime),
      apart: apart?.toString(),
      beforeStage: beforeStage?.toString(),
      whenEmpty: whenEmpty?.toString(),
    })),
    haltsSiblings,
    silentAfterHours: hoursIn(silentAfter),
  });
}

/** As long as JSON has room, people can read it in the function's environment. */
const MOST_CHARACTERS = 2_000;

/** What the function's environment has: JSON, or that compressed. */
export function variableOf(props: StagesProps): string {
  const json = jsonOf(props);
  return json.length <= MOST_CHARACTERS ? json : `${PACKED}${deflateRawSync(json).toString('base64')}`;
}

/** Everything wrong with the stages, in the names of the props. */
export function stagesFaults(props: StagesProps): readonly string[] {
  return faultsIn(() => parseSequence(jsonOf(props), nearest)).map(byProp);
}

const PROP_OF: Readonly<Record<string, string>> = {
  completeWithinHours: 'completeWithin',
  soakHours: 'soakTime',
  silentAfterHours: 'silentAfter',
};

function byProp(fault: string): string {
  return fault.replace(/^((?:stages\[\d+\]\.)?)(\w+Hours)\b/, (_, path, key) => path + (PROP_OF[key] ?? key));
}

export function faultsIn(parse: () => unknown): readonly string[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (!(error instanceof SequenceError)) throw error;
    return error.faults;
  }
}

/** The props that say what a sequence does. */
export function propsOf({ stages, haltsSiblings, silentAfterHours }: ParsedSequence): StagesProps {
  return {
    stages: stages.map(stageProps),
    haltsSiblings,
    silentAfter: Duration.hours(silentAfterHours),
  };
}

function stageProps(stage: ParsedSequence['stages'][number]): RolloutStage {
  const { members, completeWithinHours, soakHours, first, apart, beforeStage, whenEmpty, ...same } = stage;
  return {
    ...same,
    members: members.map(({ account, regions, stacks }) => ({
      account,
      ...(regions && { regions: [...regions] }),
      ...(stacks && { stacks: [...stacks] }),
    })),
    completeWithin: Duration.hours(completeWithinHours),
    soakTime: Duration.hours(soakHours),
    ...(first && { first: [...first] }),
    ...(apart && { apart: StacksApart.REGION }),
    ...(beforeStage && { beforeStage: BeforeStage.APPROVAL }),
    whenEmpty: whenEmpty === 'hold' ? WhenEmpty.HOLD : WhenEmpty.PASS,
  };
}

/** What a stage says that comes to nothing. */
export function idleSettings({ stages }: StagesProps): string[] {
  return stages.flatMap(({ name, maxConcurrent = 1, tolerate = 0 }) =>
    maxConcurrent > tolerate + 1
      ? [
          `The stage ${name} may have maxConcurrent ${maxConcurrent}, but with tolerate ${tolerate} no more than ${tolerate + 1} roll at once: each of them may fail.`,
        ]
      : [],
  );
}
