import { expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { killEverywhere } from './sweep.ts';

test.each(['launch-configuration', 'launch-template'] as const)(
  '%s',
  async (launchSpec) => {
    const t0 = Date.now();
    const sweep = await killEverywhere(
      {
        environment: { POLL_SECONDS: '60', STABLE_SECONDS: '20' },
        delays: { deregistrationSeconds: 5, healthCheckSeconds: 3, agentSeconds: 5, bootSeconds: 5 },
        shortcut: true,
        furnish: (world) => standardScenario({ world, instances: 4, services: 2, launchSpec, version: '1' }),
      },
      ({ invariants }) => {
        invariants.assertFinished();
        expect(invariants.metrics().instancesReplaced).toBe(4);
      },
    );
    console.log(sweep, Date.now() - t0);
  },
  200000,
);
