import type {
  CreateTagsRequest,
  DescribeInstanceAttributeRequest,
  TerminateInstancesRequest,
} from '@aws-sdk/client-ec2';
import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check, Context } from '../policy.ts';
import { arn, check, onAnything, passRole, requestTags, resourceTags, unmapped } from './checks.ts';

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html */
export function ec2Checks(call: Call, facts: ResourceFacts): readonly Check[] {
  if (call.operation === 'DescribeInstanceAttribute') {
    const { InstanceId = '' } = call.input as DescribeInstanceAttributeRequest;
    return [onResource(call, InstanceId, facts)];
  }
  if (call.operation.startsWith('Describe')) return onAnything(call);
  switch (call.operation) {
    case 'TerminateInstances': {
      const { InstanceIds = [] } = call.input as TerminateInstancesRequest;
      return InstanceIds.map((id) => onResource(call, id, facts));
    }
    case 'CreateTags':
    case 'DeleteTags': {
      const { Resources = [], Tags = [] } = call.input as CreateTagsRequest;
      const context = requestTags(Tags);
      return Resources.map((id) => onResource(call, id, facts, context));
    }
    case 'CreateLaunchTemplateVersion':
    case 'ModifyLaunchTemplate':
    case 'DeleteLaunchTemplateVersions': {
      const { LaunchTemplateId, LaunchTemplateName } = call.input as {
        LaunchTemplateId?: string;
        LaunchTemplateName?: string;
      };
      const template = LaunchTemplateId ?? LaunchTemplateName ?? '';
      return [onResource(call, template, facts)];
    }
    default:
      return unmapped(call);
  }
}

/** An instance or a launch template, by id; a template by name too. */
function onResource(call: Call, id: string, facts: ResourceFacts, context: Context = {}): Check {
  const resource = id.startsWith('i-')
    ? {
        arn: arn('ec2', `instance/${id}`, facts),
        tags: facts.instanceTags(id),
      }
    : (facts.launchTemplate(id) ?? {
        arn: arn('ec2', `launch-template/${id}`, facts),
        tags: {},
      });
  const tags = resourceTags(resource.tags, 'ec2');
  return check(call, resource.arn, { ...tags, ...context });
}

/**
 * What a launch from a template asks, on every kind of resource that it touches, of whoever points a group to
 * it. No page says what `ec2:IsLaunchTemplateResource` is then, so no policy may count on it.
 */
export function runInstances(template: string, facts: ResourceFacts): Check[] {
  const known = facts.launchTemplate(template);
  const { instanceProfileRoleArn: role, tagsOnLaunch, launchesWith = [] } = known ?? {};
  const templateArn = known?.arn ?? arn('ec2', `launch-template/${template}`, facts);
  const context = { 'ec2:LaunchTemplate': templateArn };
  const resources = [
    templateArn,
    ...LAUNCHED.map((kind) => arn('ec2', `${kind}/*`, facts)),
    `arn:aws:ec2:${facts.region}::image/*`,
  ];
  return [
    ...resources.map((resource) => ({ action: 'ec2:RunInstances', resource, context })),
    ...launchesWith.map((resource) => ({ action: 'ec2:RunInstances', resource, context: {} })),
    ...(tagsOnLaunch ? [tagOnLaunch(facts)] : []),
    ...(role ? [passRole(role)] : []),
  ];
}

const tagOnLaunch = (facts: ResourceFacts): Check => ({
  action: 'ec2:CreateTags',
  resource: arn('ec2', 'instance/*', facts),
  context: { 'ec2:CreateAction': 'RunInstances' },
});

const LAUNCHED = ['instance', 'network-interface', 'security-group', 'subnet', 'volume'];
