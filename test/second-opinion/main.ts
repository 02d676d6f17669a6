/**
 * A second opinion on the simulated AWS: moto gets the same calls, and whatever the simulated AWS answers,
 * moto is to answer too. Ends with status 1 when it doesn't, for a reason that `known-faults.ts` doesn't
 * have.
 *
 *     npx tsx test/second-opinion/main.ts --moto http://localhost:5000
 */
import process from 'node:process';
import { Command } from 'commander';
import type { Account } from './account.ts';
import { type Difference, differences, tell } from './compare.ts';
import { KNOWN_FAULTS, type KnownFault } from './known-faults.ts';
import { motoAccount } from './moto-account.ts';
import { simulatedAccount } from './simulated-account.ts';
import { GROUP_STEPS } from './steps/autoscaling.ts';
import { CAPACITY_PROVIDER_STEPS } from './steps/capacity-providers.ts';
import { DYNAMODB_STEPS } from './steps/dynamodb.ts';
import { EC2_STEPS, TERMINATION_STEPS } from './steps/ec2.ts';
import { ECS_STEPS } from './steps/ecs.ts';
import { INSTANCE_TYPE_STEPS } from './steps/instance-types.ts';
import { LAUNCH_CONFIGURATION_STEPS } from './steps/launch-configurations.ts';
import { LAUNCH_TEMPLATE_STEPS } from './steps/launch-templates.ts';
import { LOAD_BALANCING_STEPS, TRAFFIC_STEPS } from './steps/load-balancing.ts';
import { MEMBER_REFUSAL_STEPS, MEMBER_STEPS } from './steps/members.ts';
import { MIXED_STEPS } from './steps/mixed-instances.ts';
import { PREFLIGHT_STEPS } from './steps/preflight.ts';
import { PROCESS_STEPS } from './steps/processes.ts';
import { SIZE_STEPS } from './steps/sizes.ts';
import { SSM_STEPS } from './steps/ssm.ts';
import type { Step } from './steps/step.ts';
import { WARM_POOL_STEPS } from './steps/warm-pools.ts';

const STEPS: Readonly<Record<string, readonly Step[]>> = {
  Preflight: PREFLIGHT_STEPS,
  ECS: ECS_STEPS,
  'Capacity providers': CAPACITY_PROVIDER_STEPS,
  EC2: EC2_STEPS,
  'Instance types': INSTANCE_TYPE_STEPS,
  'Launch templates': LAUNCH_TEMPLATE_STEPS,
  'Auto Scaling': GROUP_STEPS,
  Processes: PROCESS_STEPS,
  Sizes: SIZE_STEPS,
  'Mixed instances': MIXED_STEPS,
  'Load balancing': LOAD_BALANCING_STEPS,
  Members: MEMBER_STEPS,
  Traffic: TRAFFIC_STEPS,
  Refusals: MEMBER_REFUSAL_STEPS,
  'Warm pools': WARM_POOL_STEPS,
  'Launch configurations': LAUNCH_CONFIGURATION_STEPS,
  Termination: TERMINATION_STEPS,
  'Systems Manager': SSM_STEPS,
  DynamoDB: DYNAMODB_STEPS,
};

const { moto: url } = new Command('second-opinion')
  .requiredOption('--moto <url>', 'address of a moto server; what it holds is lost')
  .parse()
  .opts<{ readonly moto: string }>();

const simulated = await simulatedAccount();
const moto = await motoAccount(url, simulated);
const met = new Set<KnownFault>();
let unknown = 0;
let compared = 0;

for (const [title, steps] of Object.entries(STEPS)) {
  say(`\n${title}`);
  for (const step of steps) {
    compared++;
    const found = await compare(step, simulated, moto);
    const judged = found.map((difference) => ({ difference, fault: faultOf(step, difference) }));
    const isKnown = judged.every(({ fault }) => fault !== undefined);
    say(`  ${found.length === 0 ? 'same   ' : isKnown ? 'known  ' : 'DIFFERS'}  ${step.title}`);
    for (const { difference, fault } of judged) {
      if (fault === undefined) unknown++;
      else met.add(fault);
      if (fault === undefined) say(describe(difference));
    }
  }
}

const unmet = KNOWN_FAULTS.filter((fault) => !met.has(fault));
say(`\nFaults of moto that account for what is known:`);
for (const { reason } of met) say(`  - ${reason}`);
for (const { reason } of unmet) say(`No longer met, so take it off the list: ${reason}`);
say(`\n${compared} calls compared, ${unknown} differences that nothing accounts for`);
await simulated.close();
process.exitCode = unknown === 0 && unmet.length === 0 ? 0 : 1;

async function compare(step: Step, ...[ours, theirs]: readonly [Account, Account]): Promise<Difference[]> {
  const [told, toldByMoto] = [await tell(ours, step.call), await tell(theirs, step.call)];
  ours.settle();
  return differences(told, toldByMoto);
}

function faultOf(step: Step, { path }: Difference): KnownFault | undefined {
  return KNOWN_FAULTS.find((fault) => fault.steps.test(step.title) && fault.path.test(path));
}

function describe({ path, simulated: ours, moto: theirs }: Difference): string {
  return `             ${path}: simulated ${JSON.stringify(ours)}, moto ${JSON.stringify(theirs)}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
