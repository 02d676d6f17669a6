import { Command, InvalidArgumentError, Option } from 'commander';
import { ORDERS } from '../lambda/contract.ts';
import { isAnswer } from '../lambda/orders/order.ts';
import { DOES } from '../lambda/status/words.ts';
import { history } from './commands/history.ts';
import { latestAmi } from './commands/latest-ami.ts';
import { listAll } from './commands/list-clusters.ts';
import { logs } from './commands/logs.ts';
import { order } from './commands/order.ts';
import { plan } from './commands/plan.ts';
import { continueRolls, roll } from './commands/roll.ts';
import { type SequenceOrderOptions, sequenceOrder } from './commands/sequence-order.ts';
import { sequencePlan } from './commands/sequence-plan.ts';
import { sequenceStatus } from './commands/sequence-status.ts';
import { status } from './commands/status.ts';
import { template } from './commands/template.ts';
import { type GivenOrder, ORDERED, type OrderKind } from './sequence/orders.ts';
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
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
      outputError: (text, write) => write(text.replace(COMMANDERS_WORDS, '$2 was "$1"')),
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
  const run = runner(terminal, ended);
  addReads(made, run);
  addChanges(made, run);
  addOrders(made, run);
  addSequence(made, run);
  addTemplate(made, run);
  return made;
}

const COMMANDERS_WORDS = /command-argument value '(.*)' is invalid for argument '(.*)'/s;

const EXITS = `
Exit status:
  0  nothing to do, or done
  1  something failed or is blocked
  2  changes are planned, under way or paused
  130  Ctrl-C; what the function is doing goes on`;

const OUTSIDE = "also onto what the stack's sequence doesn't allow; events tell of it";

type Runner = <Taken extends Options>(
  action: (options: Taken, terminal: Terminal, names: readonly string[]) => Promise<Exit>,
) => (...given: readonly unknown[]) => Promise<void>;

/** Options may stand before or after the command. */
function runner(terminal: Terminal, ended: (exit: Exit) => void): Runner {
  return (action) =>
    // Commander passes the arguments that a command declares, its options and, last, the command.
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<Parameters<typeof action>[0]>();
      applyTo(process.env, options);
      ended(await action(options, terminal, command.args));
    };
}

function addReads(made: Command, run: Runner): void {
  made.commandsGroup('To read:');
  looking(made.command('status').argument('[clusters...]', 'default: all'))
    .description('which image each group runs, how old it is, what is outdated')
    .addOption(watchOption())
    .action(run(status));
  looking(made.command('plan').argument('[clusters...]', 'default: all'))
    .description('what a roll would do, step by step')
    .option('--force', 'as if every instance were outdated')
    .option('--outside-sequence', OUTSIDE)
    .action(run(plan));
  made
    .command('latest-ami')
    .argument('[families...]', 'such as amazon-linux-2023, or an SSM parameter; default: all')
    .description('the newest images that AWS recommends for ECS')
    .action(run(latestAmi));
  made
    .command('list-clusters')
    .description('the clusters of this Region, with the counts of ECS, and which of them are rolled')
    .action(run(listAll));
  made
    .command('history')
    .description('the rolls there have been, and how each ended')
    .option('--group <name>', 'only of this group')
    .addOption(new Option('--limit <count>', 'at most so many').argParser(upTo(10_000)).default(20))
    .addOption(since('such as 12h or 365d', '365d'))
    .addOption(new Option('--html <file>', 'draw them, on a page of HTML').conflicts('terminations'))
    .option('--terminations', 'instead, what its groups ended outside rolls')
    .action(run(history));
  made
    .command('logs')
    .description('what the function has logged')
    .addOption(since('such as 30m, 2h or 7d', '1h'))
    .option('--follow', 'and what it will log')
    .action(run(logs));
}

function addChanges(made: Command, run: Runner): void {
  made.commandsGroup('To roll:');
  changing(made.command('roll'))
    .description('roll what is outdated, and wait for the end')
    .option('--force', 'as if every instance were outdated')
    .option('--no-wait', "don't wait for the end")
    .option('--outside-sequence', OUTSIDE)
    .action(run(roll));
  changing(made.command('continue'))
    .description('go on with rolls that have begun; the schedule does this every 5 minutes')
    .option('--no-wait', "don't wait for the end")
    .action(run(continueRolls));
}

function addTemplate(made: Command, run: Runner): void {
  made.commandsGroup('To deploy:');
  made
    .command('template')
    .option('-c, --context <key=value>', 'a setting, such as clusters=web,jobs; again for others', more)
    .description('write what CloudFormation alone deploys')
    .action(run(template));
}

function addOrders(made: Command, run: Runner): void {
  made.commandsGroup('To steer:');
  for (const each of ORDERS) {
    const command = made.command(each).description(DOES[each]);
    if (isAnswer(each))
      command
        .argument('<group>', 'that asks')
        .argument('<question>', 'as the roll named it, such as 9c1f02ab', questionIn)
        .option('--yes', "don't ask")
        .action(
          run((options: ChangeOptions, terminal, [group = '', question = '']) =>
            order(each, options, terminal, [], { group, question }),
          ),
        );
    else changing(command).action(run((options: ChangeOptions, ...rest) => order(each, options, ...rest)));
  }
}

function addSequence(made: Command, run: Runner): void {
  made.commandsGroup('Across stacks:');
  const parent = made.command('sequence').description('stages: which release may be rolled where, and when');
  parent.commandsGroup('To read:');
  parent
    .command('status')
    .description('which release each stage takes, who failed or is late, what it waits for')
    .option('--wide', 'list every stack')
    .addOption(watchOption())
    .action(run(sequenceStatus));
  parent.command('plan').description('what the next pass would do').action(run(sequencePlan));
  parent.commandsGroup('To steer:');
  const add = (
    kind: OrderKind,
    names: string,
    given: (names: readonly string[], isNow?: true) => GivenOrder,
  ) =>
    parent
      .command(`${kind} ${names}`)
      .description(ORDERED[kind])
      .option('--yes', "don't ask")
      .action(
        run((options: SequenceOrderOptions, terminal, words) =>
          sequenceOrder(given(words, options.now), options, terminal),
        ),
      );
  const inLine = (command: Command) => command.option('--line <name>', 'only of this line; default: all');
  inLine(add('halt', '[release]', ([release], isNow) => ({ kind: 'halt', release, isNow }))).option(
    '--now',
    'rolls under way stop at their next batch, too',
  );
  inLine(add('resume', '<release>', ([release = '']) => ({ kind: 'resume', release })));
  inLine(add('expedite', '<release>', ([release = '']) => ({ kind: 'expedite', release })));
  inLine(add('skip-soak', '<stage>', ([stage = '']) => ({ kind: 'skip-soak', stage })));
  inLine(
    add('approve', '<stage> [release]', ([stage = '', release]) => ({ kind: 'approve', stage, release })),
  );
  inLine(
    add('revert', '<stage> <release>', ([stage = '', release = '']) => ({ kind: 'revert', stage, release })),
  );
  add('leave-out', '<stack>', ([stack = '']) => ({ kind: 'leave-out', stack }));
  add('take-in', '<stack>', ([stack = '']) => ({ kind: 'take-in', stack }));
}

const watchOption = () =>
  new Option('--watch [seconds]', 'look again, and again').preset('15').argParser(upTo(3600));

function questionIn(text: string): string {
  if (/^[0-9a-f]{8}$/.test(text)) return text;
  throw new InvalidArgumentError('It may be the eight characters that the roll named, such as 9c1f02ab.');
}

function changing(command: Command): Command {
  return command.argument('[clusters...]', 'default: all').option('--yes', "don't ask");
}

/** Options of commands that can look without a function. */
function looking(command: Command): Command {
  return command
    .option('--local', 'look with your own credentials, not by the function')
    .option('--wide', 'list instances and steps one by one')
    .option('--setting <NAME=value>', 'of the function, for a look from here; again for others', more);
}

function more(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

function since(examples: string, otherwise: string): Option {
  const option = new Option('--since <time>', examples).argParser(millisecondsIn);
  return option.default(millisecondsIn(otherwise), otherwise);
}

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

function millisecondsIn(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (UNIT_MILLISECONDS[unit] ?? 0);
  throw new InvalidArgumentError('It may be a number and s, m, h or d, such as 30m.');
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`It may be a whole number from 1 to ${most}.`);
  };
}
