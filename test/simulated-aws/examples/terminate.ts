import process from 'node:process';
import { EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import * as simulated from '../index.ts';

const clock = simulated.virtualClock(Date.parse('2026-11-22T00:00:00Z'));
const world = simulated.createWorld({ clock, seed: 1 });
const launchSpec = 'launch-template';
const { group } = simulated.standardScenario({ world, instances: 4, services: 3, launchSpec });
const account = simulated.simulateAccount({ clock, operations: world.operations });
const invariants = simulated.watchInvariants(world, simulated.OF_ANYBODY);

const ec2 = new EC2Client(account.clientOptions);
const [first = ''] = group.members.keys();
await ec2.send(new TerminateInstancesCommand({ InstanceIds: [first] }));
clock.advance(600);

for (const { at, invariant, what } of invariants.violations)
  process.stdout.write(`${at} ${invariant}. ${what}\n`);
