import { type Stage, stage } from '../rollout/stage.ts';
import { enforce } from '../simulated-aws/iam/permissions.ts';
import { resourceFacts } from '../simulated-aws/world/resource-facts.ts';
import type { World } from '../simulated-aws/world/world.ts';
import { clients, recorded } from './account.ts';
import { PARAMETERS } from './names.ts';
import type { Answered } from './recorder.ts';
import { roleByCalls } from './role.ts';
import { BrokenOff } from './runner.ts';
import { HOME, POLICIES, simulatedFunctions, simulatedLogs, simulatedStack } from './simulated-function.ts';
import type { Clock, Smoke } from './smoke.ts';

export interface SimulatedAccount {
  readonly smoke: Smoke;
  /** The same, which nobody breaks off. */
  readonly cleaner: Smoke;
  readonly stage: Stage;
  /** Moves time on for as long as the run waits for it. */
  drive<T>(run: Promise<T>): Promise<T>;
}

export interface SimulatedOptions {
  readonly say?: (line: string) => void;
  readonly tell?: (answered: Answered) => void;
  /** Breaks the run off. */
  readonly signal?: AbortSignal;
  /** Which of two readings of managed scaling holds. Default: they don't count. */
  readonly countsDetached?: boolean;
}

/**
 * A simulated account in virtual time, with stand-ins for what is not simulated: instead of CloudFormation
 * and Lambda the function runs in this process, with the policies of its synthesized role.
 */
export function simulatedAccount(options: SimulatedOptions = {}): SimulatedAccount {
  const environment: Record<string, string> = {};
  const staged = stage({ environment, shortcut: true, furnish: (world) => furnish(world, options) });
  const owner = staged.account.session({ name: 'smoke test' });
  const asRole = enforce(POLICIES.function, resourceFacts(staged.world));
  const role = staged.account.session({ name: 'role', interceptors: [asRole] });
  const smoke: Smoke = {
    aws: recorded(clients(owner.clientOptions), options.tell),
    clock: breakable(staged.clock, options.signal),
    say: options.say ?? (() => undefined),
    place: async () => `the simulated account ${HOME.account}, ${HOME.region}`,
    stack: simulatedStack(staged.world, environment),
    logs: simulatedLogs(staged.world),
    role: async () => roleByCalls(clients(role.clientOptions)),
    invoke: simulatedFunctions(staged),
  };
  const cleaner = { ...smoke, clock: staged.clock };
  return { smoke, cleaner, stage: staged, drive: (run) => staged.clock.drive(run) };
}

function breakable(clock: Clock, signal: AbortSignal | undefined): Clock {
  return {
    now: clock.now,
    async sleep(seconds) {
      await clock.sleep(seconds);
      if (signal?.aborted) throw new BrokenOff('stopped');
    },
  };
}

/** What AWS has published. */
function furnish(world: World, { countsDetached = false }: SimulatedOptions) {
  world.release('amazon-linux-2023', { ageDays: 90 });
  world.release('amazon-linux-2023', { ageDays: 40 });
  world.release('amazon-linux-2023', { ageDays: 3 });
  const plain = world.addImage('al2023-ami-2023.9.20261101.0-kernel-6.1-x86_64', {
    ownerId: '137112412989',
    ageDays: 20,
    isBad: true,
  });
  world.setParameter(PARAMETERS.plain, plain.id);
  world.setParameter(PARAMETERS.bootstrapVersion, '30');
  world.state.readings.countsDetached = countsDetached;
}
