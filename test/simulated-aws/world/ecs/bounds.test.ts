import { describe, expect, it } from 'vitest';
import { AWS_DEFAULTS } from '../delays.ts';
import type { Readings } from '../readings.ts';
import { setUpService } from './set-up.ts';

// https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service_definition_parameters.html
describe('of a service that may have one task more, three of whose tasks move', () => {
  /** The seconds between the start of the first and of the last that takes another's place. */
  function lapse(stoppingInMaximum: Readings['stoppingInMaximum']): number {
    const { clock, world, first, drain, service } = setUpService(
      { desiredCount: 9, isLoadBalanced: true, maximumPercent: 112 },
      { delays: AWS_DEFAULTS },
    );
    world.state.readings.stoppingInMaximum = stoppingInMaximum;
    const startedAtMs: number[] = [];
    world.state.subscribe((event) => {
      if (event.kind === 'task-placed') startedAtMs.push(clock.now());
    });
    drain(first);
    clock.advance(1200);
    expect([first.tasks.size, service.healthyCount, startedAtMs.length]).toEqual([0, 9, 3]);
    return (Math.max(...startedAtMs) - Math.min(...startedAtMs)) / 1000;
  }

  it('the next starts once the one before is told to stop, if only RUNNING and PENDING count', () => {
    expect(lapse('no')).toBeLessThan(120);
  });

  it('the next starts once the one before has stopped, if STOPPING counts too', () => {
    expect(lapse('counts')).toBeGreaterThan(2 * (300 + 30));
  });
});
