import { Command, InvalidArgumentError, Option } from 'commander';
import { ORDERS } from '../lambda/contract.ts';
import { isAnswer } from '../lambda/orders/order.ts';
import { type HistoryOptions, history } from './commands/history.ts';
import { latestAmi } from './commands/latest-ami.ts';
import { listAll } from './commands/list-clusters.ts';
import { type LogsOptions, logs } from './commands/logs.ts';
import { order } from './commands/order.ts';
import { plan } from './commands/plan.ts';
import { continueRolls, type RollOptions, roll } from './commands/roll.ts';
import { status } from './commands/status.ts';
import { applyTo, type ChangeOptions, type Exit, type Options, type Terminal } from './session.ts';

/**
 * The command line.
 *
 * @param ended hears what a command has come to
 */
export function program(terminal: Terminal, version: string, ended: (exit: Exit) => void): Command {
  const made = new Command('ecs-ami-deploy')
    .description('Which images your ECS clusters run, and the levers of the function that rolls them.')
    .version(version)
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
    .configureHelp({ showGlobalOptions: true })
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
  addChanges(made, terminal, run);
  addOrders(made, terminal, run);
  return made;
}

const EXITS = `
Exit status:
  0  nothing to do, or done
  1  something failed or is blocked
  2  changes are planned or under way`;

type CommandBody<Taken extends Options> = (names: readonly string[], options: Taken) => Promise<Exit>;
type Runner = <Taken extends Options>(
  action: CommandBody<Taken>,
) => (...given: readonly unknown[]) => Promise<void>;

/** Options may stand before or after the command. */
function runner(ended: (exit: Exit) => void): Runner {
  return <Taken extends Options>(action: CommandBody<Taken>) =>
    // Commander passes the arguments that a command declares, its options and, last, the command.
    async (...given: readonly unknown[]) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<Taken>();
      applyTo(process.env, options);
      ended(await action(command.args, options));
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
    .description('the clusters of this Region, and which of them are rolled')
    .action(run((_, options: Options) => listAll(options, terminal)));
  made
    .command('history')
    .description('the rolls there have been, and how each ended')
    .option('--group <name>', 'only of this group')
    .addOption(new Option('--limit <count>', 'at most so many').argParser(countUpTo).default(20))
    .addOption(
      new Option('--since <time>', 'such as 12h or 365d').argParser(timeSpan).default(31_536_000, '365d'),
    )
    .option('--html <file>', 'draw them, on a page of HTML')
    .action(
      run((_, { since, ...options }: Omit<HistoryOptions, 'sinceSeconds'> & { readonly since: number }) =>
        history({ ...options, sinceSeconds: since }, terminal),
      ),
    );
  made
    .command('logs')
    .description('what the function has logged')
    .addOption(new Option('--since <time>', 'such as 30m, 2h or 7d').argParser(timeSpan).default(3600, '1h'))
    .option('--follow', 'and what it will log')
    .action(
      run((_, { since, ...options }: Omit<LogsOptions, 'sinceSeconds'> & { readonly since: number }) =>
        logs({ ...options, sinceSeconds: since }, terminal),
      ),
    );
}

function addChanges(made: Command, terminal: Terminal, run: Runner): void {
  made.commandsGroup('To roll:');
  changing(made.command('roll'))
    .description('roll what is outdated, and wait for the end')
    .option('--force', 'as if every instance were outdated')
    .option('--no-wait', "don't wait for the end")
    .action(run((names, options: RollOptions) => roll(names, options, terminal)));
  changing(made.command('continue'))
    .description('go on with rolls that have begun; the schedule does this every 5 minutes')
    .option('--no-wait', "don't wait for the end")
    .action(run((names, options: RollOptions) => continueRolls(names, options, terminal)));
}

const ORDERED: Readonly<Record<(typeof ORDERS)[number], string>> = {
  pause: 'finish the instance in hand, and begin nothing more',
  resume: 'lift a pause',
  abort: 'end rolls halfway; the groups keep launching the new image',
  rollback: 'give groups whose roll has begun their old image back',
  skip: 'call off rolls that are announced, before they begin',
  approve: 'let a roll go on that has asked',
  refuse: 'stop a roll that has asked, or turn it back',
};

function addOrders(made: Command, terminal: Terminal, run: Runner): void {
  made.commandsGroup('To steer:');
  for (const each of ORDERS) {
    const command = made.command(each).description(ORDERED[each]);
    if (isAnswer(each))
      command
        .argument('<group>', 'that asks')
        .argument('<question>', 'as the roll named it, such as 9c1f02ab', questionIn)
        .option('--yes', "don't ask")
        .action(
          run(([group = '', question = ''], options: ChangeOptions) =>
            order(each, [], options, terminal, { group, question }),
          ),
        );
    else
      changing(command).action(run((names, options: ChangeOptions) => order(each, names, options, terminal)));
  }
}

function questionIn(text: string): string {
  if (/^[0-9a-f]{8}$/.test(text)) return text;
  throw new InvalidArgumentError('It may be the eight signs that the roll named, such as 9c1f02ab.');
}

function changing(command: Command): Command {
  return command.argument('[clusters...]', 'default: all').option('--yes', "don't ask");
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

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function timeSpan(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (UNIT_SECONDS[unit] ?? 0);
  throw new InvalidArgumentError('It may be a number and s, m, h or d, such as 30m.');
}

function countUpTo(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError('It may be a whole number from 1 to 10000.');
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
