/**
 * One of the rollers as a program, against a simulated AWS that runs:
 *
 *     npm run serve -- --port 4570 --speed 30
 *     npx tsx test/strangers/main.ts ancestor --endpoint http://127.0.0.1:4570 --speed 30
 */
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { Argument, Command } from 'commander';
import { anyNumber } from '../simulated-aws/serve/values.ts';
import { clientsWith } from './roller.ts';
import { ROLLERS } from './rollers.ts';

interface Options {
  readonly endpoint: string;
  readonly region: string;
  readonly cluster: string;
  readonly speed: number;
}

const program = new Command('tsx test/strangers/main.ts')
  .description('Rolls a cluster of a simulated AWS as other people do. Never point it at a real one.')
  .addArgument(new Argument('<roller>', 'whose algorithm').choices(ROLLERS.map(({ name }) => name)))
  .requiredOption('--endpoint <url>', 'of the simulated AWS')
  .option('--region <name>', 'of its ARNs', 'eu-central-1')
  .option('--cluster <name>', 'of ECS', 'demo')
  .option('--speed <factor>', 'of the simulated AWS', anyNumber(1, 500), 1)
  .parse();

const { endpoint, region, cluster, speed } = program.opts<Options>();
const roller = ROLLERS.find(({ name }) => name === program.args[0]);
const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
const sleep = (seconds: number) => setTimeout((seconds * 1000) / speed);
process.stdout.write(`${roller?.name}, after ${roller?.source}\n`);
await roller?.roll({ ...clientsWith({ region, credentials, endpoint }), cluster, sleep });
