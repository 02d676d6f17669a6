import { type ContextEntry, type IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { AWS_GROUP_TAG, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { NAME } from './names.ts';
import type { Right, Role } from './smoke.ts';

interface Question {
  readonly action: string;
  readonly resource?: string;
  readonly context?: readonly ContextEntry[];
}

/** Asks IAM about the role's policies, if nobody may call as the role. It must be told a resource's tags. */
export function roleBySimulation(iam: IAMClient, roleArn: string, instanceArn: (id: string) => string): Role {
  const ask = async ({ action, resource = '*', context = [] }: Question): Promise<Right> => {
    const { EvaluationResults = [] } = await iam.send(
      new SimulatePrincipalPolicyCommand({
        PolicySourceArn: roleArn,
        ActionNames: [action],
        ResourceArns: [resource],
        ContextEntries: [...context],
      }),
    );
    return EvaluationResults.every(({ EvalDecision }) => EvalDecision === 'allowed') ? 'allowed' : 'denied';
  };
  return {
    by: 'iam:SimulatePrincipalPolicy',
    mayTerminate: (id) => ask({ action: 'ec2:TerminateInstances', resource: instanceArn(id) }),
    mayTag: (id) => ask({ action: 'ec2:CreateTags', resource: instanceArn(id), context: taggingContext() }),
    mayRead: () => ask({ action: 'ec2:DescribeInstances' }),
  };
}

function taggingContext(): ContextEntry[] {
  const { cluster, group } = INSTANCE_TAGS;
  const entry = (key: string, ...values: string[]): ContextEntry => ({
    ContextKeyName: key,
    ContextKeyValues: values,
    ContextKeyType: values.length > 1 ? 'stringList' : 'string',
  });
  return [
    entry('aws:TagKeys', cluster, group),
    entry(`aws:RequestTag/${cluster}`, NAME),
    entry(`aws:RequestTag/${group}`, NAME),
    entry(`aws:ResourceTag/${AWS_GROUP_TAG}`, NAME),
  ];
}
