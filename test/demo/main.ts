/**
 * `npm run demo`: rolls a simulated cluster by the built function, and kills it on the way. `--help` tells
 * the rest.
 */
import process from 'node:process';
import { Command, Option } from 'commander';
import '../quiet-sdk.ts';
import { anyNumber, pattern, wholeNumber } from '../simulated-aws/serve/values.ts';
import { BAD_IMAGES, parseKillAt, parseReportFile, parseSurge, type RollOptions } from './options.ts';

/** What the command takes. */
export interface DemoOptions extends RollOptions {
  readonly report?: string;
  readonly html?: string;
  readonly scaleIn?: boolean;
  readonly stages?: boolean;
  /** Whether to build the function first. */
  readonly build: boolean;
}

/** What would be left out without a word where no single roll is shown. */
const OF_ONE_ROLL = ['interactive', 'badImage', 'report', 'html'];

const program = new Command('npm run demo --')
  .description(
    'Rolls the ECS cluster of a simulated AWS onto a new image. The built function runs as a process of its own and ' +
      'reaches the simulated AWS over HTTP. It is killed once and invoked again, as the deployment would every five ' +
      'minutes. The exit status is 0 only if the roll was completed (rolled back, with --bad-image) and every invariant held.',
  )
  .option('--instances <count>', 'container instances to replace', wholeNumber(1, 250), 6)
  .option('--services <count>', 'services with replicas; a daemon comes on top', wholeNumber(1, 12), 3)
  .option('--speed <factor>', 'simulated seconds in a real one', anyNumber(1, 500), 40)
  .option(
    '--seed <number>',
    'the same number shows the same roll; another draws other delays of AWS',
    wholeNumber(0, 2 ** 31),
    1,
  )
  .addOption(
    new Option('--launch-spec <kind>', 'what the group launches from')
      .choices(['launch-configuration', 'launch-template'])
      .default('launch-template'),
  )
  .option(
    '--launch-template-version <version>',
    'how the group refers to it: 1, $Latest or $Default (default: names none)',
    pattern('1, the version that there is, $Latest or $Default', /^(1|\$Latest|\$Default)$/),
  )
  .addOption(
    new Option(
      '--kill-at <moment>',
      'half: as the next drains when half are replaced, or with --bad-image as the roll turns back; a number: after so ' +
        'many calls; none',
    )
      .argParser(parseKillAt)
      .default({ kind: 'half' }, 'half'),
  )
  .option('--surge <most>', 'instances detached at once: a number, or a percentage', parseSurge, '100%')
  .option('--drain-concurrency <count>', 'instances that drain at once', wholeNumber(1, 10), 1)
  .option('--canary <count>', 'instances replaced first, on trial; 0: no trial', wholeNumber(0, 250), 1)
  .addOption(
    new Option(
      '--bad-image <how>',
      'the new image is bad, so that the group goes back to the old one. agent: no ECS agent ever comes up on it; tasks: ' +
        'tasks crash on it; launch: launches of it fail',
    ).choices(BAD_IMAGES),
  )
  .addOption(
    new Option(
      '--scale-in',
      'no roll: Auto Scaling scales the group in by half, and the function of drainTerminations drains what it ends',
    ).conflicts(OF_ONE_ROLL),
  )
  .addOption(
    new Option(
      '--stages',
      'no roll of one cluster: three stacks in two stages, staging and production; a bad image is halted in the first, a good ' +
        'one goes through both. In virtual time, without a build',
    ).conflicts(['scaleIn', ...OF_ONE_ROLL]),
  )
  .option(
    '--interactive',
    'you have the levers, by the command line in a second terminal: the roll goes slowly, nobody kills it, and Ctrl-C ends it',
  )
  .option('--report <file>', 'write what the roll came to as JSON', parseReportFile)
  .option('--html <file>', 'write the roll as a picture, on a page of HTML', parseReportFile)
  .option('--no-build', 'roll the function that was built last')
  .allowExcessArguments(false)
  .showHelpAfterError('All options: npm run demo -- --help')
  .parse();

/** A roll of six instances takes two minutes and a half. */
const INTERACTIVE = { speed: 5, killAt: { kind: 'none' } } as const;

/** Hours of soaking in half a minute. */
const STAGES_SPEED = 300;

const given = program.opts<DemoOptions>();
const isDefault = (name: string) => program.getOptionValueSource(name) === 'default';
const options: DemoOptions = {
  ...given,
  ...(given.interactive && isDefault('speed') && { speed: INTERACTIVE.speed }),
  ...(given.stages && isDefault('speed') && { speed: STAGES_SPEED }),
  ...(given.interactive && isDefault('killAt') && { killAt: INTERACTIVE.killAt }),
};
if (options.launchTemplateVersion !== undefined && options.launchSpec !== 'launch-template')
  program.error("error: option '--launch-template-version' goes with '--launch-spec launch-template' only");

// Only now, so that help and complaints come at once.
const { demonstrate } = await import('./demonstrate.ts');
process.exitCode = await demonstrate(options);
