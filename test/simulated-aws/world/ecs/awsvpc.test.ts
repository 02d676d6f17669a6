import { describe, expect, it } from 'vitest';
import { READINGS } from '../readings.ts';
import { setUpService } from './set-up.ts';

const IN_A = 'subnet-0000000000000000a';

describe('tasks with network interfaces of their own', () => {
  it.each(READINGS.awsvpcHosts)('run in the zone of its subnet alone, %s', (awsvpcHosts) => {
    const { world } = setUpService();
    world.state.readings.awsvpcHosts = awsvpcHosts;
    const { tasks } = world.addService('demo', { name: 'tied', desiredCount: 3, subnetIds: [IN_A] });
    const zones = [...tasks].map(({ containerInstance }) => containerInstance.instance.availabilityZone);
    expect(zones).toEqual(['eu-central-1a', 'eu-central-1a', 'eu-central-1a']);
  });

  it.each([
    ['in-zones', 3],
    ['in-subnets', 0],
  ] as const)('and %s: in a zone whose instances are in another subnet run %d', (awsvpcHosts, count) => {
    const { world, clock } = setUpService();
    world.state.readings.awsvpcHosts = awsvpcHosts;
    const subnetIds = [world.addSubnet('a').id];
    const tied = world.addService('demo', { name: 'tied', desiredCount: 3, subnetIds, isSteady: false });
    clock.advance(300);
    expect(tied.healthyCount).toBe(count);
  });

  it('run anywhere if their subnets are in all zones', () => {
    const { service } = setUpService({ definition: { networkMode: 'awsvpc' } });
    expect(service.tasks.size).toBe(3);
    expect(new Set([...service.tasks].map(({ containerInstance }) => containerInstance)).size).toBe(3);
  });
});

it('is shown with its subnets, of controller EXTERNAL by its task sets', () => {
  const shown = {
    networkConfiguration: { awsvpcConfiguration: { subnets: [IN_A], assignPublicIp: 'DISABLED' } },
  };
  expect(setUpService({ subnetIds: [IN_A] }).describeService()).toMatchObject(shown);
  const external = setUpService({ subnetIds: [IN_A], controller: 'EXTERNAL' }).describeService();
  expect(external?.networkConfiguration).toBeUndefined();
  expect(external?.taskSets).toMatchObject([shown]);
  expect(setUpService().describeService()?.networkConfiguration).toBeUndefined();
});
