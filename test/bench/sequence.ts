import type { GetItemOutput, QueryOutput } from '@aws-sdk/client-dynamodb';
import { createAws } from '../../lambda/aws/clients.ts';
import { sequenceTable } from '../../lambda/aws/sequence-table.ts';
import { advance } from '../../lambda/core/sequence/advance.ts';
import type { Sequence } from '../../lambda/core/sequence/model.ts';
import { statusItem } from '../../lambda/sequence/items.ts';
import { pass } from '../../lambda/sequence/pass.ts';
import { readTable } from '../../lambda/sequence/store.ts';
import { Fleet, releaseOf, sequenceOf, stageOf } from '../core/sequence/fleet.ts';
import { processorTime } from '../processor-time.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import type { Operation } from '../simulated-aws/account/operation.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { type Attributes, sizeOf } from '../simulated-aws/world/dynamodb/values.ts';
import { createWorld } from '../simulated-aws/world/world.ts';
import type { FunctionFigures } from './results.ts';

type PassFigures = NonNullable<FunctionFigures['sequence']>[number];

export const STACKS = [10, 1000, 10_000];
export const QUICK_STACKS = [10, 100];

const STACKS_AN_ACCOUNT = 10;
/** The first is one account, the second a tenth of all. */
const STAGES = 3;

export async function measureSequence(sizes: readonly number[]): Promise<PassFigures[]> {
  const found: PassFigures[] = [];
  for (const stacks of sizes) {
    const fleet = new BenchFleet(stacks);
    await fleet.settle();
    found.push(await fleet.measure(false));
    fleet.publish(releaseOf(2));
    await fleet.speakInTable();
    found.push(await fleet.measure(true));
  }
  return found;
}

class BenchFleet extends Fleet {
  private readonly clock = virtualClock(this.now.getTime());
  private readonly world = createWorld({ clock: this.clock, seed: 1 });
  private readonly arn = this.world.addTable('sequence').arn;
  private readonly billed = { calls: 0, readUnits: 0, writeUnits: 0 };
  private readonly table = sequenceTable(
    createAws(
      simulateAccount({
        clock: this.clock,
        operations: this.world.operations.map((each) => billedTo(this.billed, each)),
      }).clientOptions,
    ),
    this.arn,
  );
  private readonly accounts: readonly string[];

  constructor(stacks: number) {
    const accounts = accountsFor(stacks);
    super(sequenceFor(accounts));
    this.accounts = accounts;
    for (let index = 0; index < stacks; index++)
      this.add(accounts[index % accounts.length] ?? '', `cluster-${index}`, {
        region: index % 2 === 0 ? 'eu-west-1' : 'us-east-1',
      });
  }

  async speakInTable(): Promise<void> {
    this.speak();
    const items = [...this.statuses.values()].map(statusItem);
    await this.clock.drive(Promise.all(items.map((item) => this.table.write(item))));
  }

  /** Each stage has taken what its stacks run, and nothing is left to do. */
  async settle(): Promise<void> {
    await this.speakInTable();
    for (let hour = 0; hour < STAGES * 2 + 1; hour++) {
      await this.passInTable();
      this.wait(1);
    }
    await this.speakInTable();
  }

  private async passInTable() {
    return await this.clock.drive(pass(this.table, this.sequence, this.now));
  }

  async measure(isNewRelease: boolean): Promise<PassFigures> {
    const decideSeconds = await this.decideSeconds();
    Object.assign(this.billed, { calls: 0, readUnits: 0, writeUnits: 0 });
    const millis = processorTime();
    await this.passInTable();
    const processorSeconds = millis() / 1000;
    const { length: stacks } = this.members;
    return {
      stacks,
      accounts: this.accounts.length,
      isNewRelease,
      ...this.billed,
      processorSeconds: rounded(processorSeconds),
      decideSeconds: rounded(decideSeconds),
    };
  }

  private async decideSeconds(): Promise<number> {
    const { seen } = await this.clock.drive(readTable(this.table, this.sequence));
    const millis = processorTime();
    advance(this.sequence, seen, this.now);
    return millis() / 1000;
  }
}

function accountsFor(stacks: number): string[] {
  const count = Math.max(STAGES, Math.ceil(stacks / STACKS_AN_ACCOUNT));
  return Array.from({ length: count }, (_, index) => String(100_000_000_000 + index));
}

function sequenceFor(accounts: readonly string[]): Sequence {
  const few = Math.max(2, Math.ceil(accounts.length / 10));
  const stages = [accounts.slice(0, 1), accounts.slice(1, few), accounts.slice(few)];
  return sequenceOf(
    stages.map((each, index) =>
      stageOf(`stage-${index}`, '', {
        members: each.map((account) => ({ account })),
        maxConcurrent: 50,
        tolerate: 50,
        soakHours: 1,
      }),
    ),
  );
}

/**
 * The operation, which writes down what it would be billed.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
function billedTo(billed: { calls: number; readUnits: number; writeUnits: number }, operation: Operation) {
  const [, , name] = operation.schema;
  const handle = (input: never) => {
    const output = operation.handle(input);
    billed.calls++;
    if (name === 'PutItem') billed.writeUnits += unitsOf([(input as { Item: Attributes }).Item], 1024);
    else billed.readUnits += unitsOf(itemsIn(output as QueryOutput & GetItemOutput), 4096);
    return output;
  };
  return { ...operation, handle } as Operation;
}

const itemsIn = ({ Items, Item }: QueryOutput & GetItemOutput) =>
  (Items ?? (Item ? [Item] : [])) as readonly Attributes[];

/** Even nothing takes a unit. */
const unitsOf = (items: readonly Attributes[], bytes: number) =>
  Math.max(1, Math.ceil(items.reduce((sum, item) => sum + sizeOf(item), 0) / bytes));

const rounded = (figure: number) => Math.round(figure * 1000) / 1000;
