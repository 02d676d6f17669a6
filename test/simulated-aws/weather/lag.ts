import { AwsError, type Operation } from '../account/operation.ts';
import type { Clock } from '../clock/clock.ts';
import { randomNumbers } from './faults.ts';

/**
 * Reads that don't see yet what was written, as those of EC2, Auto Scaling and ECS may not, and those of
 * DynamoDB that don't ask for more:
 * https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
 */
export interface Lag {
  /** The longest time after a write for which a read may answer as before it. */
  readonly seconds: number;
  /** The same of EC2, which speaks of "a few minutes". Default: as of the others. */
  readonly secondsOfEc2?: number;
  /** How often a read falls behind a write, 0 to 1. */
  readonly share: number;
  readonly seed: number;
  /** Called for each stale answer. */
  readonly onBehind?: () => void;
}

/**
 * What is asked again within this time is a read that may lag; of what was never asked, nothing past is
 * known.
 */
const REMEMBERED_SECONDS = 180;

/** While it lags, a read reaches now a copy that has the write and now one that has not. */
const BEHIND_SHARE = 0.5;

/** One question: an operation with its input. */
interface Read {
  readonly seconds: number;
  readonly ask: () => object;
  askedAtMs: number;
  /** As it would have been answered right before a write, while it may still be answered so. */
  past: Past[];
}

interface Past {
  readonly untilMs: number;
  readonly answer: () => object;
}

/**
 * The same operations, of which the reads lag. The world has no past, so that before each write the questions
 * of late are asked, and their answers kept. What changes by itself as time passes is kept back with them.
 */
export function lagging(clock: Clock, operations: readonly Operation[], lag: Lag): Operation[] {
  const random = randomNumbers(lag.seed);
  const reads = new Map<string, Read>();

  /** Called before a write takes effect. */
  const keepPast = () => {
    const now = clock.now();
    for (const [key, read] of reads) {
      if (now - read.askedAtMs > REMEMBERED_SECONDS * 1000) reads.delete(key);
      else if (random() < lag.share)
        read.past.push({ untilMs: now + random() * read.seconds * 1000, answer: kept(read.ask) });
    }
  };

  const read = (name: string, seconds: number, handle: Operation['handle'], input: object) => {
    if (isConsistent(input)) return handle(input);
    const now = clock.now();
    const key = `${name} ${JSON.stringify(input)}`;
    const asked: Read = reads.get(key) ?? { seconds, ask: () => handle(input), askedAtMs: now, past: [] };
    reads.set(key, asked);
    asked.askedAtMs = now;
    asked.past = asked.past.filter(({ untilMs }) => untilMs > now);
    const { past } = asked;
    const behind = random() < BEHIND_SHARE ? past[Math.floor(random() * past.length)] : undefined;
    if (!behind) return handle(input);
    lag.onBehind?.();
    return behind.answer();
  };

  return operations.map((operation) => {
    const { schema, handle } = operation;
    const name = `${schema[1]}.${schema[2]}`;
    const seconds = name.startsWith(OF_EC2) ? (lag.secondsOfEc2 ?? lag.seconds) : lag.seconds;
    if (isRead(schema[2])) return { ...operation, handle: (input) => read(name, seconds, handle, input) };
    return {
      ...operation,
      handle(input) {
        keepPast();
        return handle(input);
      },
    };
  });
}

const OF_EC2 = 'com.amazonaws.ec2.';

const isRead = (operation: string) => /^(Describe|Generate|Get|List|Query)/.test(operation);

const isConsistent = (input: object) => 'ConsistentRead' in input && input.ConsistentRead === true;

/** The answer as it is now, or the refusal, to be given as often as is wanted. */
function kept(ask: () => object): () => object {
  try {
    const answer = structuredClone(ask());
    return () => answer;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return () => {
      throw error;
    };
  }
}
