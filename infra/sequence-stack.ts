import { readFileSync } from 'node:fs';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { parseSequence } from '../lambda/settings/parse-sequence.ts';
import {
  byKey,
  malformedFault,
  malformedKeys,
  nonEmptyContext,
  SEQUENCE_KEY,
  unknownKeys,
} from './context.ts';
import { CONTEXT, DEPLOYMENT } from './context-keys.ts';
import { refuse } from './faults.ts';
import { nearest } from './nearest.ts';
import type { EcsAmiDeployProps } from './props.ts';
import { RolloutSequence, sequenceFaults } from './rollout-sequence.ts';
import type { RolloutSequenceProps } from './sequence-props.ts';
import { faultsIn, propsOf } from './stages.ts';

export interface SequenceStackProps extends StackProps {
  /**
   * The function's code, as in the construct's props.
   * @default the bundle that `npm run build` made
   */
  readonly code?: Code;
}

/** A sequence as a stack of its own: its stages are in the file that the context key `sequence` names. */
export class SequenceStack extends Stack {
  readonly sequence: RolloutSequence;

  /** @throws DeploymentError with every fault of the file and the context at once */
  constructor(scope: Construct, id: string, { code, ...props }: SequenceStackProps = {}) {
    const stackName = 'ecs-ami-deploy-sequence';
    super(scope, id, {
      description: 'Lets releases go from stage to stage (ecs-ami-deploy)',
      stackName,
      ...props,
    });
    this.sequence = new RolloutSequence(this, 'Default', { ...sequenceFromContext(this), code });
    new CfnOutput(this, 'TableArn', {
      description: 'What members have as sequenceTableArn. Outlives the stack',
      value: this.sequence.tableArn,
    });
    new CfnOutput(this, 'FunctionName', {
      description: 'The function that decides',
      value: this.sequence.function.functionName,
    });
  }
}

/** Keys of the context that a sequence has in common with a rollout. */
const COMMON = {
  alarmTopicArn: ({ alarmTopic }) => ({ alarmTopic }),
  events: ({ events }) => ({ events }),
  eventBusName: ({ eventBus }) => ({ eventBus }),
  reserveConcurrency: ({ reserveConcurrency }) => ({ reserveConcurrency }),
  logRetentionDays: ({ logRetention }) => ({ logRetention }),
  logRemovalPolicy: ({ logRemovalPolicy }) => ({ logRemovalPolicy }),
} as const satisfies Record<string, (props: Partial<EcsAmiDeployProps>) => Partial<RolloutSequenceProps>>;

/**
 * Reads a sequence's props from the context, in which a rollout's settings may be, too.
 *
 * @throws DeploymentError with every fault at once
 */
export function sequenceFromContext(scope: Construct): RolloutSequenceProps {
  const context = nonEmptyContext(scope);
  const malformed = malformedKeys(context).filter((key) => key in COMMON);
  const { file, text, faults: unread } = fileIn(scope);
  const faults = [
    ...unknownKeys(Object.keys(context), [...Object.keys(CONTEXT), SEQUENCE_KEY]),
    ...malformed.map((key) => malformedFault(context, key)),
    ...unread,
    ...(text === undefined ? [] : faultsIn(() => parseSequence(text, nearest))).map(
      (fault) => `${file}: ${fault}`,
    ),
  ];
  if (text === undefined || faults.length > 0) refuse(faults);
  let props: RolloutSequenceProps = propsOf(parseSequence(text));
  for (const [key, pick] of Object.entries(COMMON))
    if (key in context) props = { ...props, ...pick(DEPLOYMENT[key]?.read(scope, context[key]) ?? {}) };
  const further = sequenceFaults(scope, props).map(byKey);
  if (further.length > 0) refuse(further);
  return props;
}

/** The file that the key names, and what is in it. */
function fileIn(scope: Construct) {
  const file: unknown = scope.node.tryGetContext(SEQUENCE_KEY);
  const may = 'the path of a file with stages as JSON';
  if (typeof file !== 'string' || file === '')
    return { file: '', faults: [`${SEQUENCE_KEY} was ${JSON.stringify(file)}; it may be ${may}`] };
  try {
    return { file, text: readFileSync(file, 'utf8'), faults: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    return { file, faults: [`${SEQUENCE_KEY} was "${file}"; it may be ${may}: ${why}`] };
  }
}
