import { AutoScalingClient, CreateOrUpdateTagsCommand } from '@aws-sdk/client-auto-scaling';
import { CreateTagsCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { rolePolicies } from '../infra/role-policies.ts';
import { DEFAULT_REGION } from '../simulated-aws/account/client-options.ts';
import type { ResourceFacts } from '../simulated-aws/iam/context.ts';
import { enforce } from '../simulated-aws/iam/permissions.ts';
import { resourceFacts } from '../simulated-aws/world/resource-facts.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { stage } from './stage.ts';

const HOME = { account: '123456789012', region: DEFAULT_REGION };
const [OURS, THEIRS] = ['demo-ecs', 'payroll'];
const REFUSED = { name: expect.stringMatching(/^(UnauthorizedOperation|AccessDenied)$/) };

const mark = (group: string) => ({
  [INSTANCE_TAGS.group]: group,
  [INSTANCE_TAGS.terminate]: 'true',
  [INSTANCE_TAGS.cluster]: 'demo',
});

type Role = ReturnType<typeof fooled>;

/**
 * What a function that was fooled might ask for, in an account with another group, by the role as
 * synthesized.
 */
function fooled(autoScalingGroupNames?: readonly string[]) {
  let facts: ResourceFacts | undefined;
  const policies = rolePolicies(HOME, { clusters: ['demo'], autoScalingGroupNames });
  const { world, account } = stage({
    account: {
      get permissions() {
        if (facts === undefined) throw new Error('the stage is not furnished yet');
        return enforce(policies, facts);
      },
    },
    furnish(world) {
      facts = resourceFacts(world);
      const { oldImage } = standardScenario({
        world,
        instances: 1,
        services: 1,
        launchSpec: 'launch-configuration',
      });
      world.addGroup({ name: THEIRS, cluster: 'demo', image: oldImage, instances: 1 });
    },
  });
  const memberOf = (group: string) => {
    const [member] = world.state.groups.get(group)?.members.values() ?? [];
    if (member === undefined) throw new Error(`${group} has no member`);
    return member.instance;
  };
  const ec2 = new EC2Client(account.clientOptions);
  const autoScaling = new AutoScalingClient(account.clientOptions);
  return {
    /** Marks the member of a group as one of some group. */
    mark: (group: string, as = group) => {
      const Tags = Object.entries(mark(as)).map(([Key, Value]) => ({ Key, Value }));
      return ec2.send(new CreateTagsCommand({ Resources: [memberOf(group).id], Tags }));
    },
    /** Ends the member of a group, on which somebody has put the tags of a mark. */
    endForged: (group: string, as = group) => {
      const { id, tags } = memberOf(group);
      for (const [key, value] of Object.entries(mark(as))) tags.set(key, value);
      return ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    },
    /** Makes a group one that the role may change. */
    adopt: (group: string) => {
      const tag = { ResourceId: group, ResourceType: 'auto-scaling-group', PropagateAtLaunch: false };
      const Tags = [{ ...tag, Key: GROUP_TAGS.cluster, Value: 'demo' }];
      return autoScaling.send(new CreateOrUpdateTagsCommand({ Tags }));
    },
  };
}

describe('a role that may roll one group', () => {
  test.each([
    ['mark members of another', (role: Role) => role.mark(THEIRS)],
    ['mark them as members of its own', (role: Role) => role.mark(THEIRS, OURS)],
    ['mark its own as members of another', (role: Role) => role.mark(OURS, THEIRS)],
    ['end them, whatever tags somebody has put there', (role: Role) => role.endForged(THEIRS)],
    ['adopt another', (role: Role) => role.adopt(THEIRS)],
  ])('may not %s', async (_, attempt) => {
    await expect(attempt(fooled([OURS]))).rejects.toMatchObject(REFUSED);
  });

  test('may mark and terminate members of that group', async () => {
    const role = fooled([OURS]);
    await expect(role.mark(OURS)).resolves.toBeDefined();
    await expect(role.endForged(OURS)).resolves.toBeDefined();
    await expect(role.adopt(OURS)).resolves.toBeDefined();
  });
});

test('a role without a named group may do all that to any group, and synth warns about it', async () => {
  const role = fooled();
  await expect(role.mark(THEIRS)).resolves.toBeDefined();
  await expect(role.endForged(THEIRS)).resolves.toBeDefined();
  await expect(role.adopt(THEIRS)).resolves.toBeDefined();
});
