import { DescribeSubnetsCommand, DescribeVpcsCommand } from '@aws-sdk/client-ec2';
import { CreateLoadBalancerCommand as CreateClassicCommand } from '@aws-sdk/client-elastic-load-balancing';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { type Clients, NAMES, present } from './account.ts';

/** A target group, in use by a load balancer, and a classic load balancer. */
export async function createLoadBalancing(clients: Clients): Promise<string> {
  const targetGroup = await createTargetGroup(clients);
  await createListener(clients, targetGroup);
  await clients.elb.send(
    new CreateClassicCommand({
      LoadBalancerName: NAMES.loadBalancer,
      Listeners: [{ Protocol: 'HTTP', LoadBalancerPort: 80, InstanceProtocol: 'HTTP', InstancePort: 80 }],
      AvailabilityZones: ['eu-central-1a'],
    }),
  );
  return targetGroup;
}

async function createTargetGroup({ ec2, elbV2 }: Clients): Promise<string> {
  const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
  const { TargetGroups = [] } = await elbV2.send(
    new CreateTargetGroupCommand({
      Name: NAMES.targetGroup,
      Protocol: 'HTTP',
      Port: 80,
      VpcId: present(Vpcs[0]?.VpcId, 'VPC'),
    }),
  );
  return present(TargetGroups[0]?.TargetGroupArn, 'target group');
}

async function createListener({ ec2, elbV2 }: Clients, TargetGroupArn: string): Promise<void> {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  const { LoadBalancers = [] } = await elbV2.send(
    new CreateLoadBalancerCommand({
      Name: NAMES.targetGroup,
      Subnets: Subnets.slice(0, 2).flatMap(({ SubnetId }) => SubnetId ?? []),
    }),
  );
  await elbV2.send(
    new CreateListenerCommand({
      LoadBalancerArn: present(LoadBalancers[0]?.LoadBalancerArn, 'load balancer'),
      Protocol: 'HTTP',
      Port: 80,
      DefaultActions: [{ Type: 'forward', TargetGroupArn }],
    }),
  );
}
