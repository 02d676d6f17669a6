import { DEFAULT_STATE_KEY } from '../../lambda/contract.ts';
import { type DeployedFunctions, deployFunctions } from '../bundle/deploy.ts';
import { type Invocation, invokeFunction } from '../bundle/invoke.ts';
import { environmentAt } from '../demo/settings.ts';
import { BUNDLE_FILE } from '../demo/stage.ts';
import { OURS } from '../serve/ours.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { LostAnswer } from '../simulated-aws/account/call.ts';
import { AwsError } from '../simulated-aws/account/operation.ts';
import { spedUpClock } from '../simulated-aws/clock/clock.ts';
import { furnish } from '../simulated-aws/serve/furnish.ts';
import { type ServeOptions, serveCommand } from '../simulated-aws/serve/options.ts';
import type { State } from '../simulated-aws/world/state.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import { type Ran, type Running, run, start } from './run.ts';

/** A simulated AWS with our functions in it, and the command line pointed at it. */
export interface Deployed extends DeployedFunctions {
  readonly url: string;
  /** All functions that there are; a test may change them. */
  readonly functions: State['functions'];
  /** All topics that there are; a test may change them. */
  readonly topics: State['topics'];
  /** What the functions were invoked with. */
  readonly events: unknown[];
  /** The functions that run. */
  readonly running: Set<Invocation>;
  /** Whether somebody else holds the one slot of the function that rolls. */
  busy: boolean;
  /** Whether the connection breaks before the next answer of a function comes. */
  losesAnswer: boolean;
  /** Whether the caller may use the key of the seals. */
  keyDenied: boolean;
  command(...line: string[]): Promise<Ran>;
  begin(...line: string[]): Running;
  json(...line: string[]): Promise<{ status: number | null; notes: string; told: ToldJson }>;
  /** As it was at first. */
  restore(): void;
  end(): Promise<void>;
}

/** What a command answers to a program, as far as tests look at it. */
export interface ToldJson {
  readonly source?: string;
  readonly function?: string;
  readonly groups: readonly { readonly cluster: string; readonly state: string }[];
}

const DENIED = 'User: arn:aws:iam::123456789012:user/reader is not authorized to perform: kms:GenerateMac';

/** @param line options of the simulated AWS */
export async function deploy(speed: number, ...line: string[]): Promise<Deployed> {
  const clock = spedUpClock(speed);
  const world = createWorld({ clock, seed: 1, hmacKeyAlias: DEFAULT_STATE_KEY });
  furnish(world, serveCommand(OURS).parse(line, { from: 'user' }).opts<ServeOptions>());
  const account = simulateAccount({
    clock,
    operations: world.operations,
    interceptors: [
      {
        before({ operation }) {
          if (deployed.keyDenied && operation === 'GenerateMac')
            throw new AwsError('AccessDeniedException', DENIED);
        },
        after({ operation }) {
          if (!deployed.losesAnswer || operation !== 'Invoke') return;
          deployed.losesAnswer = false;
          throw new LostAnswer();
        },
      },
    ],
  });
  const { url, close } = await account.listen();
  const running = new Set<Invocation>();
  const events: unknown[] = [];
  const made = deployFunctions(world, {
    stack: 'Platform',
    environment: environmentAt(speed),
    isBusy: () => deployed.busy,
    async run(exported, event, environment) {
      events.push(event);
      const onLine = (message: string) => made.log.events.push({ atMs: clock.now(), message });
      const [bundle, endpoint, remainingMillis] = [BUNDLE_FILE, url, 90_000];
      const all = { bundle, endpoint, remainingMillis, exported, environment, event, onLine };
      const invocation = invokeFunction(all);
      running.add(invocation);
      return await invocation.outcome.finally(() => running.delete(invocation));
    },
  });
  const { functions, topics } = world.state;
  const command = (...words: string[]) => run(['--endpoint', url, ...words]);
  const deployed: Deployed = {
    ...made,
    url,
    functions,
    topics,
    events,
    running,
    busy: false,
    losesAnswer: false,
    keyDenied: false,
    command,
    begin: (...words) => start(['--endpoint', url, ...words]),
    async json(...words) {
      const { out, ...rest } = await command(...words, '--json');
      return { ...rest, told: JSON.parse(out) };
    },
    restore() {
      functions.clear();
      topics.clear();
      for (const each of [made.roll, made.orders]) functions.set(each.arn, each);
      events.splice(0);
      deployed.busy = false;
      deployed.losesAnswer = false;
      deployed.keyDenied = false;
    },
    end: close,
  };
  return deployed;
}
