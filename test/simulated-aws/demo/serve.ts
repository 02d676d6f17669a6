/**
 * The simulated AWS alone, until it is killed: for the AWS CLI, or for a function in an emulator.
 *
 *     npx tsx test/simulated-aws/demo/serve.ts --port 4570 --cluster web
 *     aws --no-sign-request --region eu-west-1 --endpoint-url http://127.0.0.1:4570 \
 *       ecs list-container-instances --cluster web
 */
import process from 'node:process';
import { Command, Option } from 'commander';
import { simulateAccount } from '../account.ts';
import { DEFAULT_REGION } from '../client-options.ts';
import { spedUpClock } from '../clock.ts';
import { standardScenario } from '../world/scenario.ts';
import { createWorld, type World } from '../world/world.ts';
import { anyNumber, pattern, type RollOptions, wholeNumber } from './options.ts';

interface ServeOptions extends Pick<RollOptions, 'instances' | 'services' | 'speed' | 'seed' | 'launchSpec'> {
  readonly port: number;
  readonly cluster: string;
  readonly region: string;
  readonly account: string;
}

const program = new Command('serve')
  .description('Serves a simulated AWS on a local port, with one ECS cluster in it that runs an old image.')
  .option('--port <number>', '0 takes any that is free', wholeNumber(0, 65_535), 0)
  .option(
    '--cluster <name>',
    'its name',
    pattern('the name of an ECS cluster', /^[A-Za-z][\w-]{0,254}$/),
    'demo',
  )
  .option(
    '--region <name>',
    'of its ARNs',
    pattern('such as eu-west-1', /^[a-z]{2}(-[a-z]+)+-\d$/),
    DEFAULT_REGION,
  )
  .option('--account <id>', 'of its ARNs', pattern('12 digits', /^\d{12}$/), '123456789012')
  .option('--instances <count>', 'container instances', wholeNumber(1, 250), 6)
  .option('--services <count>', 'services with replicas; a daemon comes on top', wholeNumber(1, 12), 3)
  .option('--speed <factor>', 'simulated seconds in a real one', anyNumber(1, 500), 1)
  .option('--seed <number>', 'another number draws other ids', wholeNumber(0, 2 ** 31), 1)
  .addOption(
    new Option('--launch-spec <kind>', 'what the group launches from')
      .choices(['launch-configuration', 'launch-template'])
      .default('launch-template'),
  )
  .allowExcessArguments(false)
  .showHelpAfterError('Every option is told by --help')
  .parse();

const { port, cluster, region, account, speed, ...scenario } = program.opts<ServeOptions>();
const clock = spedUpClock(speed);
const world = createWorld({ clock, seed: scenario.seed, account, region });
standardScenario({ ...scenario, world: naming(world, cluster) });
const simulated = simulateAccount({ clock, operations: world.operations, region });

try {
  const { url, close } = await simulated.listen(port);
  process.stdout.write(`The simulated AWS is at ${url}: cluster ${cluster}, ${region}, account ${account}\n`);
  const aws = `aws --no-sign-request --region ${region} --endpoint-url ${url}`;
  process.stdout.write(`Try: ${aws} ecs list-container-instances --cluster ${cluster}\n`);
  // A second signal, which npm and tsx may pass on, finds it closed already.
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => void close().catch(() => undefined));
} catch (error) {
  program.error(
    `error: port ${port} can't be had: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** The standard scenario calls its cluster `demo`. */
function naming(world: World, name: string): World {
  return {
    ...world,
    addCluster: () => world.addCluster(name),
    addService: (_, service) => world.addService(name, service),
  };
}
