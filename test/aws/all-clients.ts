import { loadBalancingOf } from '../../lambda/aws/classic-load-balancing.ts';
import type { Aws } from '../../lambda/aws/clients.ts';
import { cloudWatchOf } from '../../lambda/aws/cloudwatch.ts';
import { eventBridgeOf } from '../../lambda/aws/events.ts';
import { lambdaOf } from '../../lambda/aws/hooks.ts';
import { iamOf } from '../../lambda/aws/iam.ts';
import { rare } from '../../lambda/aws/rare.ts';
import { ssmOf } from '../../lambda/aws/ssm.ts';
import { loadBalancingV2Of } from '../../lambda/aws/target-groups.ts';
import { snsOf } from '../../lambda/aws/topics.ts';
import { openings } from '../../lambda/look/windows.ts';

const RARE = [cloudWatchOf, eventBridgeOf, iamOf, lambdaOf, loadBalancingOf, loadBalancingV2Of, snsOf, ssmOf];

/** Those of the function's first calls, and those that it makes later. */
export function allClients(aws: Aws) {
  const { autoScaling, ec2, ecs, kms } = aws;
  return [autoScaling, ec2, ecs, kms, ...RARE.map((clientOf) => clientOf(aws))];
}

/** To load a module takes real time, which virtual time wouldn't wait for: load them before a roll begins. */
export const loadRare = () => Promise.all([...Object.values(rare), openings].map((load) => load()));
