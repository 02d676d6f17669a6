import { Command, Option } from 'commander';
import { DEFAULT_REGION } from '../account/client-options.ts';
import type { Expectations } from '../invariants/expectations.ts';
import type { OwnInvariant } from '../invariants/own.ts';
import type { LaunchSpec } from '../world/autoscaling/model.ts';
import type { ScenarioOptions } from '../world/scenario.ts';
import { anyNumber, pattern, wholeNumber } from './values.ts';

/** What is in the world. */
export interface Furnishing {
  readonly cluster: string;
  readonly instances: number;
  /** Of the group. Default: room for as many again. */
  readonly maxSize?: number;
  readonly services: number;
  readonly daemons: number;
  readonly loadBalanced: number;
  readonly placement?: ScenarioOptions['placement'];
  readonly standaloneTasks: number;
  /** Until each of them ends by itself; 0: never. */
  readonly standaloneSeconds: number;
  readonly targetGroups: number;
  readonly launchSpec: LaunchSpec['kind'];
  /** Without it the group names no version. */
  readonly launchTemplateVersion?: string;
  readonly namesRootSnapshot: boolean;
  readonly managedScaling: boolean;
  readonly managedDraining: boolean;
}

/** What goes wrong for callers, and in the cluster. */
export interface Trouble {
  readonly throttling: boolean;
  /** In percent of all calls. */
  readonly serverErrors: number;
  readonly lostAnswers: number;
  readonly lagSeconds: number;
  /** One member of the group dies each time this many seconds have passed. 0: none does. */
  readonly deathSeconds: number;
}

export interface ServeOptions extends Furnishing, Trouble {
  readonly port: number;
  readonly region: string;
  readonly account: string;
  /** Simulated seconds in a real one. */
  readonly speed: number;
  readonly seed: number;
  /** `anybody`, or one of `Own.rollers`. */
  readonly roller: string;
  /** How many members may be missing at once, because the roller replaces in place. */
  readonly inPlace: number;
  /** Alias of a KMS key for MACs. */
  readonly hmacKey?: string;
}

/** How a roller is judged. */
export interface Judged {
  readonly expectations: Expectations;
  readonly invariants: readonly OwnInvariant[];
}

/** What a command of your own adds to this one. */
export interface Own {
  /** As `--help` calls it. */
  readonly command: string;
  /** By the names that `--roller` takes beside `anybody`. */
  readonly rollers: Readonly<Record<string, Judged>>;
  /** Default of `--hmac-key`. */
  readonly hmacKey?: string;
  /** A line to paste that calls it with a command of your own. */
  readonly tries?: (at: { readonly url: string; readonly region: string }) => string;
}

const NOTHING_OWN: Own = { command: 'simulated-aws-ecs', rollers: {} };

const clusterName = pattern('the name of an ECS cluster', /^[A-Za-z][\w-]{0,200}$/);
const regionName = pattern('such as eu-west-1', /^[a-z]{2}(-[a-z]+)+-\d$/);
const percent = anyNumber(0, 100);
const seconds = anyNumber(0, 86_400);

/** The command, with all its options. */
export function serveCommand(own: Own = NOTHING_OWN): Command {
  const command = new Command(own.command).description(
    'Serves a simulated AWS on a local port, with an ECS cluster in it that runs an old image, and judges whoever replaces ' +
      'the instances. GET /_report shows how it stands (JSON; /_report.txt to read). SIGINT or SIGTERM ends it and prints ' +
      'the last report; the exit status is 1 if an invariant broke.',
  );
  addCluster(command);
  addTrouble(command);
  addServer(command, own);
  addJudgement(command, own);
  return command.allowExcessArguments(false).showHelpAfterError('--help lists every option');
}

function addJudgement(command: Command, { rollers }: Own): Command {
  return command
    .optionsGroup('Judgement:')
    .addOption(
      new Option('--roller <whose>', 'whose tags and strategy are expected')
        .choices(['anybody', ...Object.keys(rollers)])
        .default('anybody'),
    )
    .option(
      '--in-place <count>',
      'members that may be missing at once, for a roller that replaces them in place; 0: none',
      wholeNumber(0, 250),
      0,
    );
}

function addServer(command: Command, { hmacKey }: Own): Command {
  return command
    .optionsGroup('Server:')
    .option('--port <number>', '0 takes any that is free', wholeNumber(0, 65_535), 0)
    .option('--region <name>', 'of its ARNs', regionName, DEFAULT_REGION)
    .option('--account <id>', 'of its ARNs', pattern('12 digits', /^\d{12}$/), '123456789012')
    .option('--speed <factor>', 'simulated seconds in a real one', anyNumber(1, 500), 1)
    .option('--seed <number>', 'another number draws other ids and other trouble', wholeNumber(0, 2 ** 31), 1)
    .option(
      '--hmac-key <alias>',
      'a KMS key for MACs, by its alias',
      pattern('such as alias/state', /^alias\/[\w/-]+$/),
      hmacKey,
    );
}

function addCluster(command: Command): Command {
  return command
    .optionsGroup('Cluster:')
    .option('--cluster <name>', 'its name; its group is <name>-ecs', clusterName, 'demo')
    .option('--instances <count>', 'container instances, one Auto Scaling group', wholeNumber(1, 250), 6)
    .option('--max-size <count>', 'of the group (default: twice the instances)', wholeNumber(1, 500))
    .option('--services <count>', 'services with replicas', wholeNumber(1, 12), 3)
    .option('--daemons <count>', 'daemon services', wholeNumber(0, 5), 1)
    .option('--load-balanced <count>', 'of the services, behind a load balancer', wholeNumber(0, 12), 1)
    .addOption(
      new Option('--placement <strategy>', 'of all services (default: every third packs bins)').choices([
        'spread',
        'binpack',
      ]),
    )
    .option('--standalone-tasks <count>', 'tasks of no service', wholeNumber(0, 50), 0)
    .option('--standalone-seconds <seconds>', 'until each ends by itself; 0: never', seconds, 0)
    .option('--target-groups <count>', 'that the group itself is attached to', wholeNumber(0, 5), 0)
    .addOption(
      new Option('--launch-spec <kind>', 'what the group launches from')
        .choices(['launch-configuration', 'launch-template', 'mixed-instances'])
        .default('launch-template'),
    )
    .option(
      '--launch-template-version <version>',
      'how the group names it (default: not at all)',
      pattern('$Latest, $Default or 1', /^(\$Latest|\$Default|1)$/),
    )
    .option('--names-root-snapshot', "the launch spec names the snapshot of its image's root volume", false)
    .option('--managed-scaling', 'by a capacity provider', false)
    .option('--managed-draining', 'by a capacity provider', false);
}

function addTrouble(command: Command): Command {
  return command
    .optionsGroup('Trouble:')
    .option('--throttling', "by AWS's token buckets, of real seconds", false)
    .option('--server-errors <percent>', 'calls that end in a 5xx, with or without effect', percent, 0)
    .option('--lost-answers <percent>', 'calls whose connection breaks after their effect', percent, 0)
    .option('--lag-seconds <seconds>', 'how long a read may not see a write, in real seconds', seconds, 0)
    .option('--death-seconds <seconds>', 'between two deaths of members; 0: none dies', seconds, 0);
}
