import { describe, expect, it } from 'vitest';
import type { World } from '../simulated-aws/world/world.ts';
import { oneGroup } from './happenings.ts';
import { stage } from './stage.ts';

/** A group of two behind a target group and a classic load balancer, to be rolled. */
function behindBoth(world: World) {
  const { arn } = world.addTargetGroup({ name: 'web' });
  world.addLoadBalancer('classic');
  const group = { launchSpec: 'launch-configuration', instances: 2, maxSize: 4, tasks: 2 } as const;
  oneGroup(world, { ...group, targetGroupArns: [arn], loadBalancerNames: ['classic'] });
}

const targetGroupIn = ({ state }: World) => [...state.loadBalancing.targetGroups.keys()][0] ?? '';

describe('health that a load balancer cannot tell', () => {
  it.each(['target group', 'classic load balancer'])(
    'of a %s holds a roll up, but is no fault of the image',
    async (kind) => {
      const made = stage({
        furnish: behindBoth,
        environment: { READY_TIMEOUT_SECONDS: '300' },
        // The classic one serves each zone by itself: the group grows until none is emptied.
        expectations: { surplus: 2 },
      });
      const { world, clock, invariants } = made;
      const source = kind === 'target group' ? targetGroupIn(world) : 'classic';
      // The roll is recorded by then, and its first replacements come up.
      clock.schedule(60, () => world.loadBalancing.setKnown(source, false));
      await made.invoke();
      const seen = new Set<string>();
      for (let count = 0; count < 2; count++) {
        clock.advance(300);
        const outcome = await made.invoke({ action: 'continue' });
        if (outcome.kind === 'answered') for (const { state } of outcome.groups) seen.add(state);
      }
      expect([...seen]).toContain('blocked');
      expect(made.log.join('\n')).not.toMatch(/rolled back|rolls back|going back|course/);
      world.loadBalancing.setKnown(source, true);
      expect((await made.finish()).map(({ state }) => state)).toEqual(['completed']);
      invariants.assertFinished();
    },
  );
});

const NOT_THERE = {
  'target group': /unused in target group web \(Target is in an Availability Zone that is not/,
  'classic load balancer': /OutOfService in load balancer classic \(Instance is in the EC2 Availability Zone/,
} as const;

it.each(['target group', 'classic load balancer'] as const)(
  'a zone that a %s is not enabled in serves nobody, and that is no fault of the image',
  async (kind) => {
    const made = stage({
      furnish(world) {
        behindBoth(world);
      },
      environment: { READY_TIMEOUT_SECONDS: '300' },
      expectations: { surplus: 2 },
    });
    const { world, clock } = made;
    const source = kind === 'target group' ? targetGroupIn(world) : 'classic';
    // Where the first replacement comes up.
    const unsubscribe = world.state.subscribe((event) => {
      if (event.kind !== 'instance-launched') return;
      world.loadBalancing.disableZone(source, event.instance.availabilityZone);
      unsubscribe();
    });
    await made.invoke();
    const seen: string[] = [];
    for (let count = 0; count < 2; count++) {
      clock.advance(300);
      const outcome = await made.invoke({ action: 'continue' });
      if (outcome.kind === 'answered') for (const { state } of outcome.groups) seen.push(state);
    }
    expect(seen).toContain('blocked');
    expect(made.log.join('\n')).toMatch(NOT_THERE[kind]);
    expect(made.log.join('\n')).not.toMatch(/rolled back|rolls back|going back/);
  },
);
