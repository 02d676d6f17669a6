import { BUSY, type ErrorName } from './error-names.ts';
import { type AwsFault, faultOf, OwnError } from './faults.ts';

/** AWS refused a change because something has changed since we looked: look again and decide anew. */
export class StaleObservation extends OwnError {
  override readonly name = 'StaleObservation';
  override readonly fault: AwsFault = { kind: 'refused', retryable: true };

  /** AWS itself refused a call, rather than a check of ours before it. */
  get isRefusal(): boolean {
    return this.cause !== undefined;
  }

  /** AWS is busy with another change of the group. */
  get busy(): boolean {
    return hasCode(this.cause, ...BUSY);
  }
}

/** A configured cluster that ECS doesn't know. */
export class ClusterNotFound extends OwnError {
  override readonly name = 'ClusterNotFound';

  constructor(cluster: string, cause?: unknown) {
    super(`cluster ${cluster} does not exist in this account and Region; fix its name or create it`, {
      cause,
    });
  }
}

/** A successful answer that reports a failure. */
export class FailureAnswered extends OwnError {
  override readonly name = 'FailureAnswered';
}

/** Whether AWS answered with one of these errors. */
export function hasCode(error: unknown, ...names: readonly ErrorName[]): error is Error {
  return error instanceof Error && names.some((name) => name === error.name);
}

/** Runs a change; these errors mean that something else changed first. */
export async function orStale<Answer>(
  change: Promise<Answer>,
  ...names: readonly ErrorName[]
): Promise<Answer> {
  return translated(change, names, (error) => {
    throw new StaleObservation(`${error.name}: ${error.message}`, { cause: error });
  });
}

/**
 * Runs a change that names what EC2 may not find yet, or no longer: these errors refuse nothing, and what the
 * next look shows decides.
 */
export async function orNotYet<Answer>(
  change: Promise<Answer>,
  ...names: readonly ErrorName[]
): Promise<Answer> {
  return translated(change, names, (error) => {
    throw notYet(error);
  });
}

/** Runs a change; what these errors come to, `instead` says. */
async function translated<Answer>(
  change: Promise<Answer>,
  names: readonly ErrorName[],
  instead: (error: Error) => Answer,
): Promise<Answer> {
  try {
    return await change;
  } catch (error) {
    if (!hasCode(error, ...names)) throw error;
    return instead(error);
  }
}

/** Without a cause: nothing is refused. */
export function notYet({ name, message }: Error): StaleObservation {
  return new StaleObservation(`${name}: ${message}`);
}

/** Runs a change that may have taken effect earlier; these errors mean that it has. */
export async function orAlreadyDone(change: Promise<unknown>, ...names: readonly ErrorName[]): Promise<void> {
  await translated(change, names, () => undefined);
}

/** AWS's answer, or a sentence that says why there is none. */
export type Read<Answer> =
  | { readonly kind: 'read'; readonly answer: Answer }
  | { readonly kind: 'unread'; readonly because: string };

/**
 * Runs a read that a roll can do without, as it only improves its forecasts and limits. If AWS refuses,
 * fails or doesn't know the operation, the roll goes on. An internal error of ours is still thrown.
 */
export async function tryRead<Answer>(read: Promise<Answer>): Promise<Read<Answer>> {
  try {
    return { kind: 'read', answer: await read };
  } catch (error) {
    if (faultOf(error).kind === 'internal') throw error;
    return { kind: 'unread', because: explain(error) };
  }
}

/** An error for a person to read: AWS's code first, if any, and what to do about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OwnError) return error.message;
  const fault = faultOf(error);
  const code = error.name === 'Error' ? '' : `${error.name}: `;
  if (fault.kind === 'denied') return code + explainDenial(error, fault);
  if (!fault.retryable) return code + error.message;
  return `${code}${withoutStop(error.message)}; the next invocation tries again`;
}

/**
 * AWS says which policy to fix after `because` or `with an explicit deny`; EC2 appends text that nobody can
 * read.
 */
const REASON = / (?:because|with an explicit deny) .+?(?=\. |\.?$)/m;

/**
 * Auto Scaling tries a launch with the template, and its error names only its own call, not the permissions
 * that the launch needs.
 */
const OF_TEMPLATE = /not authorized to use launch template/i;

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-launch-template.html */
const TO_LAUNCH =
  "launch from it, which takes ec2:RunInstances, ec2:CreateTags and iam:PassRole of its instance profile's role";

function explainDenial({ message }: Error, fault: AwsFault): string {
  const { resource, action = 'do this' } = OF_TEMPLATE.test(message) ? { action: TO_LAUNCH } : fault;
  const what = resource === undefined ? action : `${action} on ${resource}`;
  const inItsWords = resource === undefined ? `, as AWS says: ${withoutStop(message)}` : '';
  return (
    `not allowed to ${what}${REASON.exec(message)?.[0] ?? inItsWords}; ` +
    "add it to the function's role: deploy it again, or look for a permissions boundary or an SCP that " +
    'forbids it'
  );
}

export function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
