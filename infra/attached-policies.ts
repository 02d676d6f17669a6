import { CfnResource, Stack } from 'aws-cdk-lib';
import {
  CfnManagedPolicy,
  CfnPolicy,
  CfnRole,
  type IRole,
  ManagedPolicy,
  Policy,
  type PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import {
  AROUND_STATEMENTS,
  type Guess,
  jsonLength,
  LONGEST,
  MOST_INLINE,
  MOST_MANAGED,
  MOST_MANAGED_POLICIES,
  SHORTEST,
} from './policy-length.ts';

/** Of a role's inline policies, for what the app itself allows the role. */
const LEFT_TO_THE_APP = 512;

const OWN = 'Permissions';

/** Documents of a role's policies, and how many managed ones are attached by their ARN. */
interface AttachedPolicies {
  readonly inline: readonly unknown[];
  readonly managed: readonly CfnManagedPolicy[];
  readonly byArn: number;
}

/** The policies that the template gives a role; of an imported one only these can be known. */
function attachedTo(role: IRole): AttachedPolicies {
  const resources = role.node.findAll().filter((child) => CfnResource.isCfnResource(child));
  const resolve = (value: unknown) => Stack.of(role).resolve(value);
  const [created] = resources.filter((child) => child instanceof CfnRole);
  const within: readonly { policyDocument: unknown }[] = resolve(created?.policies) ?? [];
  return {
    inline: [
      ...within.map(({ policyDocument }) => policyDocument),
      ...resources
        .filter((child) => child instanceof CfnPolicy)
        // Of an empty one nothing is rendered.
        .flatMap(({ policyDocument }) => resolve(policyDocument) ?? []),
    ],
    managed: resources.filter((child) => child instanceof CfnManagedPolicy),
    byArn: resolve(created?.managedPolicyArns)?.length ?? 0,
  };
}

/** The inline policy of ours; two functions may share a role. Undefined if the role takes none. */
export function ownPolicy(role: IRole): Policy | undefined {
  const known = role.node.tryFindChild(OWN);
  if (known instanceof Policy) return known;
  const created = new Policy(constructOf(role), OWN);
  role.attachInlinePolicy(created);
  const { defaultChild } = created.node;
  const roles = defaultChild instanceof CfnPolicy ? Stack.of(role).resolve(defaultChild.roles) : undefined;
  return roles === undefined ? undefined : created;
}

/** How many characters of statements have room: in the inline policy first, then in managed ones. */
export function roomsOf(role: IRole): number[] {
  const { inline, managed, byArn } = attachedTo(role);
  const own = MOST_INLINE - LEFT_TO_THE_APP - AROUND_STATEMENTS - lengthOf(inline, LONGEST);
  const further = Math.max(0, MOST_MANAGED_POLICIES - managed.length - byArn);
  return [Math.max(0, own), ...Array(further).fill(MOST_MANAGED - AROUND_STATEMENTS)];
}

/**
 * Attaches managed policies. Each is updated after those behind it: with a further cluster a statement moves
 * to one of these, and is there before it goes from where it was.
 */
export function continueIn(role: IRole, policies: readonly (readonly PolicyStatement[])[]): void {
  const before = attachedTo(role).managed.length;
  const created = policies.map((statements, index) => {
    const id = `${OWN}${before + index + 2}`;
    const description = 'Continues the policy of the role (ecs-ami-deploy)';
    return new ManagedPolicy(constructOf(role), id, {
      description,
      statements: [...statements],
      roles: [role],
    });
  });
  const inOrder = [...role.node.findAll().filter((child) => child instanceof CfnPolicy), ...created];
  for (const [index, next] of inOrder.slice(1).entries()) inOrder[index]?.node.addDependency(next);
}

/** What IAM refuses of the policies as rendered, whatever CloudFormation finds the names to be. */
export function lengthFaults(role: IRole): string[] {
  const { inline, managed, byArn } = attachedTo(role);
  const own = lengthOf(inline, SHORTEST);
  const tooLong = managed
    .map(({ node, policyDocument }) => ({
      id: node.path,
      length: jsonLength(Stack.of(role).resolve(policyDocument), SHORTEST),
    }))
    .filter(({ length }) => length > MOST_MANAGED);
  const count = managed.length + byArn;
  return [
    ...(own > MOST_INLINE
      ? [
          `its inline policies have ${own} characters, and IAM takes ${MOST_INLINE}: attach what the app adds as a managed policy`,
        ]
      : []),
    ...tooLong.map(
      ({ id, length }) => `the managed policy ${id} has ${length} characters, and IAM takes ${MOST_MANAGED}`,
    ),
    ...(count > MOST_MANAGED_POLICIES
      ? [
          `it has ${count} managed policies, and IAM may take no more than ${MOST_MANAGED_POLICIES}: attach fewer, or deploy its clusters in several stacks`,
        ]
      : []),
  ];
}

const lengthOf = (documents: readonly unknown[], guess: Guess) =>
  documents.reduce<number>((sum, document) => sum + jsonLength(document, guess), 0);

function constructOf(role: IRole): Construct {
  if (!Construct.isConstruct(role)) throw new Error('a role is no construct');
  return role;
}
