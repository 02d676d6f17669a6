import { Stack, Validations } from 'aws-cdk-lib';
import { type Conditions, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';

/** One row of what a role may do. A row with a wildcard says `why` no narrower resource would do. */
export interface Permission {
  readonly sid: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Conditions;
  readonly why?: string;
}

/** Adds the row to the role's policy, and for a wildcard tells cdk-nag the reason. */
export function grant(role: Role, { why, actions, resources, ...row }: Permission): void {
  role.addToPolicy(new PolicyStatement({ ...row, actions: [...actions], resources: [...resources] }));
  if (why === undefined) return;
  for (const resource of resources) {
    const finding = `Resource::${asNagWritesIt(Stack.of(role).resolve(resource))}`;
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason: why });
  }
}

/** cdk-nag names a finding by its resource, with CloudFormation's references in angle brackets. */
function asNagWritesIt(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  if (typeof resource !== 'object' || resource === null) return String(resource);
  if ('Ref' in resource) return `<${resource.Ref}>`;
  if ('Fn::GetAtt' in resource && Array.isArray(resource['Fn::GetAtt']))
    return `<${resource['Fn::GetAtt'].join('.')}>`;
  if ('Fn::Join' in resource && Array.isArray(resource['Fn::Join'])) {
    const [delimiter, parts] = resource['Fn::Join'];
    return parts.map(asNagWritesIt).join(delimiter);
  }
  return JSON.stringify(resource);
}
