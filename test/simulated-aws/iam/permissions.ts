import type { Call, Interceptor } from '../account/call.ts';
import { AwsError, type Service } from '../account/operation.ts';
import { checksOf, type ResourceFacts } from './context.ts';
import { type Decision, demandValid, evaluate } from './iam.ts';
import {
  actionsOf,
  type Check,
  type PolicyDocument,
  SIMULATED_ROLE,
  type Statement,
  statementsOf,
} from './policy.ts';

/** Refuses every call that the policies don't allow. */
export interface Permissions extends Interceptor {
  before(call: Call): void;
  /** Actions that were asked for and allowed. */
  readonly used: ReadonlySet<string>;
  /** Allowed actions, as the statements write them, that no call has needed. */
  unused(): readonly string[];
}

export function enforce(policies: readonly PolicyDocument[], facts: ResourceFacts): Permissions {
  demandValid(policies);
  const used = new Set<string>();
  const usedOf = new Map<Statement, Set<string>>();

  function record(statement: Statement | undefined, action: string): void {
    used.add(action);
    if (statement === undefined) return;
    const actions = usedOf.get(statement) ?? new Set();
    usedOf.set(statement, actions.add(action));
  }

  return {
    used,
    before(call) {
      for (const check of checksOf(call, facts)) {
        const decision = evaluate(policies, check);
        if (decision.kind === 'denied') throw denied(call.service, check, decision, facts);
        record(decision.statement, check.action);
      }
    },
    unused: () =>
      statementsOf(policies)
        .filter(({ Effect }) => Effect === 'Allow')
        .flatMap((statement) =>
          actionsOf(statement).filter(
            (pattern) => ![...(usedOf.get(statement) ?? [])].some((action) => namesAction(pattern, action)),
          ),
        ),
  };
}

function namesAction(pattern: string, action: string): boolean {
  const policies: PolicyDocument[] = [{ Statement: [{ Effect: 'Allow', Action: pattern, Resource: '*' }] }];
  return evaluate(policies, { action, resource: '*', context: {} }).kind === 'allowed';
}

const CODES: Readonly<Record<Service, readonly [string, number]>> = {
  autoscaling: ['AccessDenied', 403],
  cloudwatch: ['AccessDenied', 403],
  cloudwatchlogs: ['AccessDeniedException', 400],
  dynamodb: ['AccessDeniedException', 400],
  ec2: ['UnauthorizedOperation', 403],
  ecs: ['AccessDeniedException', 400],
  elasticloadbalancing: ['AccessDenied', 403],
  elasticloadbalancingv2: ['AccessDenied', 403],
  eventbridge: ['AccessDeniedException', 400],
  iam: ['AccessDenied', 403],
  kms: ['AccessDeniedException', 400],
  lambda: ['AccessDeniedException', 403],
  resourcegroupstaggingapi: ['AccessDeniedException', 400],
  sns: ['AuthorizationError', 403],
  ssm: ['AccessDeniedException', 400],
  sts: ['AccessDenied', 403],
};

function denied(
  service: Service,
  { action, resource }: Check,
  { explicitly, by }: Extract<Decision, { kind: 'denied' }>,
  { accountId }: ResourceFacts,
): AwsError {
  const [code, statusCode] = CODES[service];
  const why = explicitly
    ? `with an explicit deny in ${by === 'identity' ? 'an identity' : 'a resource'}-based policy`
    : `because no ${by}-based policy allows the ${action} action`;
  const message = `User: arn:aws:sts::${accountId}:assumed-role/${SIMULATED_ROLE}/${SIMULATED_ROLE} is not authorized to perform: ${action} on resource: ${resource} ${why}`;
  return new AwsError(code, message, statusCode);
}
