import { Command, InvalidArgumentError } from 'commander';
import { latestAmi } from './commands/latest-ami.ts';
import { listAll } from './commands/list-clusters.ts';
import { plan } from './commands/plan.ts';
import { status } from './commands/status.ts';
import { applyTo, type Exit, type Options, type Terminal } from './session.ts';

/**
 * The command line.
 *
 * @param ended hears what a command has come to
 */
export function program(terminal: Terminal, version: string, ended: (exit: Exit) => void): Command {
  const made = new Command('ecs-ami-deploy')
    .description('Which images your ECS clusters run, and the levers of the function that rolls them.')
    .version(version)
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
    .showHelpAfterError('--help lists every command and option')
    .addHelpText('after', EXITS)
    .optionsGroup('Where:')
    .option('--profile <name>', 'of the AWS configuration')
    .option('--region <name>', 'such as eu-west-1')
    .option('--endpoint <url>', 'of a simulated AWS')
    .option('--function <name>', 'of the deployed function, if there are several')
    .option('--stack <name>', 'that the function is deployed by, if there are several')
    .optionsGroup('How:')
    .option('--json', 'answer in JSON, for programs');
  const run = runner(ended);
  addReads(made, terminal, run);
  return made;
}

const EXITS = `
Exit status: 0 nothing to do, or done; 2 changes are planned or under way; 1 something failed or is blocked.`;

type Action<Taken extends Options> = (names: readonly string[], options: Taken) => Promise<Exit>;
type Runner = <Taken extends Options>(
  action: Action<Taken>,
) => (names: readonly string[], options: object, command: Command) => Promise<void>;

/** Options may stand before or after the command. */
function runner(ended: (exit: Exit) => void): Runner {
  return <Taken extends Options>(action: Action<Taken>) =>
    async (names: readonly string[], _: object, command: Command) => {
      const options = command.optsWithGlobals<Taken>();
      applyTo(process.env, options);
      ended(await action(names, options));
    };
}

function addReads(made: Command, terminal: Terminal, run: Runner): void {
  made.commandsGroup('To read:');
  looking(made.command('status').argument('[clusters...]', 'default: all'))
    .description('which image each group runs, how old it is, what is outdated')
    .option('--watch [seconds]', 'look again, and again', everySeconds)
    .action(
      run((names, options: Parameters<typeof status>[1] & { watch?: number | true }) =>
        status(names, watched(options), terminal),
      ),
    );
  looking(made.command('plan').argument('[clusters...]', 'default: all'))
    .description('what a roll would do, step by step')
    .option('--force', 'as if every instance were outdated')
    .action(run((names, options: Parameters<typeof plan>[1]) => plan(names, options, terminal)));
  made
    .command('latest-ami')
    .argument('[families...]', 'such as amazon-linux-2023, or an SSM parameter; default: all')
    .description('the newest images that AWS recommends for ECS')
    .action(run((names, options: Options) => latestAmi(names, options, terminal)));
  made
    .command('list-clusters')
    .argument('[none...]')
    .description('the clusters of this Region, and which of them are rolled')
    .action(run((_, options: Options) => listAll(options, terminal)));
}

/** Options of commands that can look without a function. */
function looking(command: Command): Command {
  return command
    .option('--local', 'look with your own credentials, not by the function')
    .option('--setting <NAME=value>', 'of the function, for a look from here; again for others', more);
}

function more(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

const DEFAULT_WATCH_SECONDS = 15;

function everySeconds(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 3600) return value;
  throw new InvalidArgumentError('It may be a number of seconds from 1 to 3600.');
}

function watched<Taken extends { readonly watch?: number | true }>({ watch, ...options }: Taken) {
  return {
    ...options,
    ...(watch !== undefined && { watch: watch === true ? DEFAULT_WATCH_SECONDS : watch }),
  };
}
