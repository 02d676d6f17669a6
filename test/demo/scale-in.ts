import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BUNDLE, DRAIN_HOOK, DRAIN_HOOK_MINUTES, TERMINATIONS_ENVIRONMENT } from '../../lambda/contract.ts';
import { type Invocation, invokeFunction, logged } from '../bundle/invoke.ts';
import { addDrainHook } from '../rollout/terminations.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { pacedClock } from '../simulated-aws/clock/paced-clock.ts';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import type { RollOptions } from './options.ts';
import { CLUSTER } from './settings.ts';

const [FILE = '', EXPORTED] = BUNDLE.terminations.split('.');
const BUNDLE_FILE = fileURLToPath(new URL(`../../${BUNDLE.folder}/${FILE}.js`, import.meta.url));
const TICK_SECONDS = 300;
/** While it drains. */
const KILLED_AFTER_SECONDS = 15;

type ScaleInOptions = Pick<RollOptions, 'instances' | 'services' | 'speed' | 'seed' | 'killAt'>;

/**
 * A scale-in by half, which Auto Scaling does as it likes: the built function drains what it ends, and is
 * killed in the middle.
 *
 * @param tell hears what happens, a line each
 * @returns how many tasks of services were lost
 */
export async function scaleIn(
  { instances, services, speed, seed, killAt }: ScaleInOptions,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const clock = pacedClock(Date.now(), speed);
  const release = clock.hold();
  const world = createWorld({ clock, seed, delays: { jitterFraction: 0.2 } });
  const { group } = standardScenario({ world, instances, services });
  addDrainHook(world, group.name);
  const endpoint = await simulateAccount({ clock, operations: world.operations, seed }).listen();
  const begun = clock.now();
  const say = (text: string) => {
    const seconds = Math.round((clock.now() - begun) / 1000);
    tell(`${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}  ${text}`);
  };
  let lost = 0;
  let isKilled = killAt.kind === 'none';
  let running: Invocation | undefined;

  /** It has one slot. */
  function invoke(why: string) {
    if (running !== undefined) return;
    say(why);
    running = invokeFunction({
      bundle: BUNDLE_FILE,
      exported: EXPORTED,
      endpoint: endpoint.url,
      environment: {
        CLUSTERS: CLUSTER,
        [TERMINATIONS_ENVIRONMENT.groups]: group.name,
        [TERMINATIONS_ENVIRONMENT.timeoutMinutes]: String(DRAIN_HOOK_MINUTES),
      },
      event: {},
      time: clock,
      onLine: (line) => {
        for (const { message } of logged([line]) as { message?: string }[]) if (message) say(`  ${message}`);
      },
    });
    void running.outcome.then((outcome) => {
      running = undefined;
      if (!('killed' in outcome) && !outcome.ok) say(`  failed: ${outcome.error.message}`);
    });
  }

  world.subscribe((event) => {
    if (event.kind === 'host-lost')
      lost += event.tasks.filter(({ service }) => service?.strategy === 'REPLICA').length;
    if (event.kind !== 'lifecycle-action' || event.hook.name !== DRAIN_HOOK) return;
    say(`Auto Scaling ends ${event.member.instance.id}`);
    invoke('an event wakes the function');
    if (isKilled) return;
    isKilled = true;
    clock.schedule(KILLED_AFTER_SECONDS, () => {
      say('the function is killed');
      running?.kill();
    });
  });
  const tick = () => {
    invoke('the tick of every five minutes wakes the function');
    clock.schedule(TICK_SECONDS, tick);
  };
  clock.schedule(TICK_SECONDS, tick);
  const left = Math.ceil(instances / 2);
  say(`${instances} members: the desired capacity goes down to ${left}`);
  world.owner.setSizes(group.name, { desiredCapacity: left });
  release();
  try {
    while (group.members.size > left) await sleep(50, undefined, { signal });
  } finally {
    running?.kill();
    clock.end();
    await endpoint.close();
  }
  say(`${left} members are left; tasks of services that were lost: ${lost}`);
  return lost;
}
