import { expect, it } from 'vitest';
import { detach, drain, tagAll, useNewImage } from './roll-by-hand.ts';
import { setUp } from './set-up.ts';

/**
 * What a drain of the host of a zone's last targets breaks while another instance, of its own group or of a
 * second one, is detached as well and is not the last of its zone.
 */
function drainsLast(of: 'its own group' | 'another group', othersDrainToo = false) {
  const { clock, world, cluster, group, newImage, oldImage, broken } = setUp({}, { services: 0 });
  const second = world.addGroup({ name: 'second', cluster: cluster.name, image: oldImage, instances: 2 });
  world.addService(cluster.name, { name: 'net', balancer: 'network', desiredCount: 6 });
  clock.advance(120);
  const [other] = of === 'its own group' ? group.members.values() : second.members.values();
  const last = [...group.members.values()].find(({ instance }) => instance.availabilityZone.endsWith('c'));
  if (!other || !last) throw new Error('no such members');
  for (const each of [group, second]) {
    useNewImage(world, each, newImage);
    const instances = [other.instance, last.instance].filter(({ id }) => each.members.has(id));
    tagAll(world, each, instances);
    for (const { id } of instances) detach(world, each, [id]);
  }
  clock.advance(120);
  const third = [...group.members.values()].find((each) => each !== other && each !== last);
  if (othersDrainToo && third) world.owner.setContainerInstanceStatus(third.instance.id, 'DRAINING');
  drain(world, last.instance);
  return broken().filter((line) => line.includes('the last targets'));
}

it('1 reports that the last targets of a zone drain before another instance of the group', () => {
  expect(drainsLast('its own group')).toEqual([
    expect.stringMatching(/^1. i-\w+ drains with the last targets of net in .*c$/),
  ]);
});

it('1 lets a group drain its own whatever another group still has: each rolls in its own turn', () => {
  expect(drainsLast('another group')).toEqual([]);
});

it('1 lets it drain when somebody drains another host of the service just then: nobody sees that in time', () => {
  expect(drainsLast('its own group', true)).toEqual([]);
});
