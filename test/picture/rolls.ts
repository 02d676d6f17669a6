import type { InstanceCourse, RollPicture } from '../../lambda/picture/model.ts';

/** One instance that is replaced by another, and a service. */
export const ROLL: RollPicture = {
  cluster: 'web',
  group: 'web-ecs',
  facts: [['Onto', 'ami-2']],
  seconds: 600,
  waitsFor: 'i-0000000000000000a drains',
  services: [
    {
      name: 'api',
      desired: 4,
      least: 2,
      points: [
        { at: 0, healthy: 4 },
        { at: 300, healthy: 3 },
        { at: 330, healthy: 4 },
      ],
    },
  ],
  instances: [
    {
      instanceId: 'i-0000000000000000a',
      isOld: true,
      stretches: [
        { phase: 'serving', from: 0, to: 300 },
        { phase: 'draining', from: 300, to: 450 },
      ],
    },
    {
      instanceId: 'i-0000000000000000b',
      isOld: false,
      stretches: [
        { phase: 'launched', from: 60, to: 120 },
        { phase: 'registered', from: 120, to: 180 },
        { phase: 'serving', from: 180, to: 600 },
      ],
    },
  ],
  moments: [{ at: 240, text: 'The canary has passed', isTrouble: false }],
};

export const many = (count: number): InstanceCourse[] =>
  Array.from({ length: count }, (_, index) => ({
    instanceId: `i-${index.toString(16).padStart(17, '0')}`,
    isOld: index % 2 === 0,
    stretches: ROLL.instances[index % 2]?.stretches ?? [],
  }));
