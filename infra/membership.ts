import { Stack, Token } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import { MEMBERSHIP_ENVIRONMENT } from '../lambda/contract.ts';
import type { EcsAmiDeployProps } from './props.ts';

type MembershipProps = Pick<EcsAmiDeployProps, 'sequenceTableArn' | 'sequenceStackName' | 'acceptRevert'>;

export const TABLE_ARN = /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}$/;
export const MEMBER_NAME = /^[A-Za-z][\w-]{0,127}$/;
export const MEMBER_NAME_MAY_BE = '1 to 128 letters, digits, hyphens and underscores, the first a letter';

/** What tells the function that rolls that it is a member; nothing if it isn't. */
export function membershipEnvironment(scope: Construct, props: MembershipProps): Record<string, string> {
  const { sequenceTableArn, acceptRevert } = props;
  if (sequenceTableArn === undefined) return {};
  const { table, stack, acceptRevert: revert } = MEMBERSHIP_ENVIRONMENT;
  return {
    [table]: sequenceTableArn,
    [stack]: nameOf(scope, props),
    ...(acceptRevert && { [revert]: 'true' }),
  };
}

const nameOf = (scope: Construct, { sequenceStackName }: MembershipProps) =>
  sequenceStackName ?? Stack.of(scope).stackName;

export function membershipFaults(scope: Construct, props: MembershipProps): string[] {
  const { sequenceTableArn, sequenceStackName, acceptRevert } = props;
  if (sequenceTableArn === undefined)
    return [
      ...(sequenceStackName === undefined
        ? []
        : ['sequenceStackName was set; it does nothing without sequenceTableArn']),
      ...(acceptRevert ? ['acceptRevert was set; it does nothing without sequenceTableArn'] : []),
    ];
  return [
    ...fault('sequenceTableArn', sequenceTableArn, TABLE_ARN, 'the ARN of a DynamoDB table'),
    ...fault('sequenceStackName', sequenceStackName, MEMBER_NAME, MEMBER_NAME_MAY_BE),
    ...namesakeFaults(scope, props),
  ];
}

function fault(prop: string, value: string | undefined, pattern: RegExp, may: string): string[] {
  if (value === undefined || Token.isUnresolved(value) || pattern.test(value)) return [];
  return [`${prop} was "${value}"; it may be ${may}`];
}

/** Who goes by a name in a table, of those that the app has made. */
const named = new WeakMap<IConstruct, Map<string, string>>();

/** Two members of one name would write over each other's words. */
function namesakeFaults(scope: Construct, props: MembershipProps): string[] {
  const other = named.get(scope.node.root)?.get(keyOf(scope, props));
  if (other === undefined) return [];
  const name = nameOf(scope, props);
  const was = Token.isUnresolved(name) ? "the stack's name" : `"${name}"`;
  return [`sequenceStackName was ${was}; it may be another than that of ${other}`];
}

/** Takes the member's name. */
export function joinSequence(member: Construct, props: MembershipProps): void {
  if (props.sequenceTableArn === undefined) return;
  const names = named.get(member.node.root) ?? new Map<string, string>();
  named.set(member.node.root, names.set(keyOf(member, props), member.node.path));
}

function keyOf(scope: Construct, props: MembershipProps): string {
  const { account, region } = Stack.of(scope);
  return [props.sequenceTableArn, account, region, nameOf(scope, props)].join('#');
}
