import { createAws } from '../../lambda/aws/clients.ts';
import { type SequenceTable, sequenceTable } from '../../lambda/aws/sequence-table.ts';
import { PARTITIONS } from '../../lambda/contract.ts';
import { memberKey, type Sequence } from '../../lambda/core/sequence/model.ts';
import { allowanceIn, memberIn, statusItem } from '../../lambda/sequence/items.ts';
import { type PassDone, pass } from '../../lambda/sequence/pass.ts';
import { readTable } from '../../lambda/sequence/store.ts';
import { Fleet, type FleetMember } from '../core/sequence/fleet.ts';
import { type SimulatedAccount, simulateAccount } from '../simulated-aws/account/account.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { type VirtualClock, virtualClock } from '../simulated-aws/clock/clock.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';

/** A fleet whose items are in a simulated table, which real passes read and write. */
export class FleetInTable extends Fleet {
  readonly clock: VirtualClock;
  readonly world: World;
  readonly account: SimulatedAccount;
  readonly arn: string;

  constructor(sequence: Sequence) {
    super(sequence);
    this.clock = virtualClock(this.now.getTime());
    this.world = createWorld({ clock: this.clock, seed: 1 });
    this.arn = this.world.addTable('sequence', { expiryAttribute: 'expires' }).arn;
    this.account = simulateAccount({ clock: this.clock, operations: this.world.operations });
  }

  table(interceptors: readonly Interceptor[] = []): SequenceTable {
    const session = this.account.session({ interceptors });
    return sequenceTable(createAws(session.clientOptions), this.arn);
  }

  passInTable(interceptors?: readonly Interceptor[]): Promise<PassDone> {
    return this.clock.drive(pass(this.table(interceptors), this.sequence, this.now));
  }

  /** What each member has to say goes into the table, after it has read there what it may. */
  async speakInTable(): Promise<void> {
    const table = this.table();
    const accounts = [...new Set(this.members.map(({ name }) => name.account))];
    for (const account of accounts)
      for (const item of (await this.clock.drive(table.query(PARTITIONS.allowed(account)))).items)
        this.allowances.set(memberKey(memberIn(item)), allowanceIn(item));
    this.speak();
    const said = this.members.filter(({ isSilent }) => !isSilent);
    await this.clock.drive(Promise.all(said.map((each) => table.write(statusItem(this.statusIn(each))))));
  }

  private statusIn({ name }: FleetMember) {
    const status = this.statuses.get(memberKey(name));
    if (status === undefined) throw new Error('it has not spoken');
    return status;
  }

  async runInTable(hours: number, each?: () => Promise<void>): Promise<void> {
    for (let half = 0; half < hours * 2; half++) {
      await this.speakInTable();
      this.last = await this.passInTable();
      if (this.last.events.length > 0) this.events.push(...this.last.events);
      await each?.();
      this.wait(0.5);
    }
  }

  async stateInTable() {
    return (await this.clock.drive(readTable(this.table(), this.sequence))).seen;
  }
}
