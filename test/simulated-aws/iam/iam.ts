import {
  createValidatedPolicy,
  type ValidatedPolicy,
  validateIdentityPolicy,
  validateResourcePolicy,
} from '@cloud-copilot/iam-policy';
import { type EvaluationResult, runUnsafeSimulation, type Simulation } from '@cloud-copilot/iam-simulate';
import {
  type Check,
  type Context,
  leavesToIam,
  type PolicyDocument,
  SIMULATED_ROLE,
  type Statement,
  statementsOf,
} from './policy.ts';

export type Decision =
  /** By the first statement that allows it; by none of them, where the resource's policy alone does. */
  | { readonly kind: 'allowed'; readonly statement: Statement | undefined }
  /** `by` says whose policy should have allowed it. */
  | { readonly kind: 'denied'; readonly explicitly: boolean; readonly by: 'identity' | 'resource' };

type Decisions = Map<string, Decision>;

/** What was decided, by what was asked: the checks of a roll are many, but most of them are the same. */
const decided = new WeakMap<readonly PolicyDocument[], Decisions>();

/**
 * Decides as IAM does of a role. Of a resource in another account, both its policy and the role's have to
 * allow it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function evaluate(policies: readonly PolicyDocument[], check: Check): Decision {
  const decisions = decided.get(policies) ?? begin(policies);
  const asked = JSON.stringify(check);
  const decision = decisions.get(asked) ?? decide(policies, check);
  decisions.set(asked, decision);
  return decision;
}

function begin(policies: readonly PolicyDocument[]): Decisions {
  demandValid(policies);
  const decisions: Decisions = new Map();
  decided.set(policies, decisions);
  return decisions;
}

/** The simulation alone would take what is no policy for one that allows nothing. */
export function demandValid(policies: readonly PolicyDocument[], validate = validateIdentityPolicy): void {
  const errors = policies.flatMap((policy) => validate(policy));
  if (errors.length > 0) throw new Error(`not a policy: ${JSON.stringify(errors)}`);
}

function decide(policies: readonly PolicyDocument[], check: Check): Decision {
  const result = simulate(policies, check);
  const leftToIam = { ...check, resourcePolicy: leavesToIam(accountIn(principalOf(check))) };
  if (result !== 'Allowed') {
    const isAllowedByOwn = simulate(policies, leftToIam) === 'Allowed';
    const by = isAllowedByOwn ? 'resource' : 'identity';
    return { kind: 'denied', explicitly: result === 'ExplicitlyDenied', by };
  }
  const allows = (statement: Statement) => simulate([{ Statement: [statement] }], leftToIam) === 'Allowed';
  return { kind: 'allowed', statement: statementsOf(policies).find(allows) };
}

/** In a request the library takes a wildcard for all that it matches, IAM for a name like any other. */
function simulate(policies: readonly PolicyDocument[], check: Check): EvaluationResult {
  const simulation = simulationOf(policies, { ...check, resource: check.resource.replaceAll('*', '~') });
  return runUnsafeSimulation(simulation, {});
}

/** What the library is asked. */
export function simulationOf(policies: readonly PolicyDocument[], check: Check): Simulation {
  const { action, resource, context, resourcePolicy } = check;
  const accountId = accountOf(check);
  const contextVariables = Object.entries(context).map(([key, value]) => [key, copyOf(value)]);
  return {
    request: {
      principal: principalOf(check),
      action,
      resource: { resource, accountId },
      contextVariables: Object.fromEntries(contextVariables),
    },
    identityPolicies: policies.map((policy, index) => ({ name: `policy ${index + 1}`, policy })),
    serviceControlPolicies: [],
    resourceControlPolicies: [],
    resourcePolicy: resourcePolicy && ofResource(resourcePolicy),
  };
}

const copyOf = (value: Context[string]) => (typeof value === 'string' ? value : [...value]);

/** The library demands a name of it, which only such a wrapper hands over. */
function ofResource(policy: PolicyDocument): ValidatedPolicy<{ readonly name: string }> {
  demandValid([policy], validateResourcePolicy);
  return createValidatedPolicy(policy, () => [], { name: 'policy of the resource' });
}

/** What is in no account, such as AWS's own parameters, counts as in the caller's. */
function accountOf({ resource }: Check): string {
  return accountIn(resource) || '123456789012';
}

const accountIn = (arn: string) => arn.split(':')[4] ?? '';

function principalOf(check: Check): string {
  const { 'aws:PrincipalArn': named } = check.context;
  return String(named ?? `arn:aws:iam::${accountOf(check)}:role/${SIMULATED_ROLE}`);
}
