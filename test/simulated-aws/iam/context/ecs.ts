import type { Call } from '../../account/call.ts';
import type { ResourceFacts } from '../context.ts';
import type { Check } from '../policy.ts';
import { arn, check, onAnything, unmapped } from './checks.ts';

/** The members that name resources, of all the operations below. */
interface EcsInput {
  readonly capacityProviders?: readonly string[];
  readonly cluster?: string;
  readonly clusters?: readonly string[];
  readonly containerInstance?: string;
  readonly containerInstances?: readonly string[];
  readonly service?: string;
  readonly serviceDeploymentArns?: readonly string[];
  readonly services?: readonly string[];
  readonly task?: string;
  readonly tasks?: readonly string[];
}

/**
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonelasticcontainerservice.html
 */
export function ecsChecks(call: Call, facts: ResourceFacts): readonly Check[] {
  const input: EcsInput = call.input;
  const { cluster = 'default' } = input;
  const clusterArn = arnOf('cluster', cluster);
  const inCluster = { 'ecs:cluster': clusterArn };

  function arnOf(kind: string, idOrArn: string): string {
    return idOrArn.startsWith('arn:') ? idOrArn : arn('ecs', `${kind}/${idOrArn}`, facts);
  }

  /**
   * The ids are within the cluster, and so are their ARNs:
   * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-account-settings.html#ecs-resource-ids
   */
  function each(kind: string, idsOrArns: readonly string[] = []): Check[] {
    const [, clusterName] = clusterArn.split('/');
    return idsOrArns
      .map((id) => (id.startsWith('arn:') ? id : arnOf(kind, `${clusterName}/${id}`)))
      .map((resource) => check(call, resource, inCluster));
  }

  switch (call.operation) {
    case 'ListClusters':
    case 'DescribeTaskDefinition':
      return onAnything(call);
    case 'ListServices':
      return onAnything(call, inCluster);
    case 'DescribeClusters':
      return (input.clusters ?? ['default']).map((name) => check(call, arnOf('cluster', name)));
    case 'DescribeCapacityProviders':
      // Whoever names none asks for all.
      return input.capacityProviders?.length
        ? input.capacityProviders.map((name) => check(call, arnOf('capacity-provider', name)))
        : onAnything(call);
    case 'ListContainerInstances':
    case 'ListAttributes':
    case 'DeregisterContainerInstance':
      return [check(call, clusterArn)];
    case 'DescribeContainerInstances':
    case 'UpdateContainerInstancesState':
      return each('container-instance', input.containerInstances);
    case 'DescribeServices':
      return each('service', input.services);
    case 'ListServiceDeployments':
      return each('service', [input.service ?? '']);
    case 'DescribeServiceDeployments':
      return (input.serviceDeploymentArns ?? []).map((one) => check(call, one, inCluster));
    case 'StopTask':
      return each('task', [input.task ?? '']);
    case 'DescribeTasks':
    case 'GetTaskProtection':
      return each('task', input.tasks);
    case 'ListTasks':
      // Bound to a container instance or to nothing, though the answer is of one cluster:
      // https://github.com/cdklabs/construct-hub/pull/1207
      return input.containerInstance
        ? each('container-instance', [input.containerInstance])
        : onAnything(call, inCluster);
    default:
      return unmapped(call);
  }
}
