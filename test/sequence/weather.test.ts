import { type AttributeValue, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { sequenceTable, type TableItem } from '../../lambda/aws/sequence-table.ts';
import { PARTITIONS } from '../../lambda/contract.ts';
import {
  type Allowance,
  type MemberStatus,
  memberKey,
  NOTHING_YET,
  type SequenceState,
  type Stage,
} from '../../lambda/core/sequence/model.ts';
import { allowanceIn, memberIn, statusItem } from '../../lambda/sequence/items.ts';
import { orderItem, STATE_KEY_IN_TABLE, stateIn } from '../../lambda/sequence/memory-items.ts';
import { pass } from '../../lambda/sequence/pass.ts';
import { Fleet, type FleetMember, LINE, releaseOf, sequenceOf, stageOf } from '../core/sequence/fleet.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { randomNumbers } from '../simulated-aws/weather/faults.ts';
import { directCalls } from '../simulated-aws/world/direct-calls.ts';
import { createWorld } from '../simulated-aws/world/world.ts';

const ACCOUNTS = ['111111111111', '222222222222', '333333333333'] as const;
const HOUR = 3_600_000;

/** So many in a whole run; a sample of them in a hurry. */
const FLEETS = process.env.SAMPLE ? 20 : 80;

const anyWeather = fc.record({
  seed: fc.nat(),
  serverErrors: fc.constantFrom(0, 0.1, 0.4),
  lostAnswers: fc.constantFrom(0, 0.1, 0.4),
  throttledEvery: fc.constantFrom(undefined, 2, 3, 7),
  /** How often a member can't read what it may, and how often it can't say how it is. */
  unread: fc.constantFrom(0, 0.3),
  unsaid: fc.constantFrom(0, 0.3),
});

const anyStage = fc.record({
  maxConcurrent: fc.integer({ min: 1, max: 2 }),
  tolerate: fc.integer({ min: 0, max: 1 }),
  soakHours: fc.integer({ min: 0, max: 3 }),
});

const anyMember = fc.record({
  stage: fc.nat(2),
  rollHours: fc.integer({ min: 1, max: 3 }),
  fails: fc.constantFrom<readonly number[]>([], [], [], [2], [3]),
});

/** What happens in an hour, besides what always does; and how many passes begin within seconds. */
const anyHour = fc.record({
  what: fc.constantFrom('nothing', 'nothing', 'publish', 'halt', 'resume', 'hinder'),
  passes: fc.constantFrom(1, 1, 2, 3),
});

const anyFleet = fc.record({
  weather: anyWeather,
  stages: fc.array(anyStage, { minLength: 2, maxLength: 3 }),
  members: fc.array(anyMember, { minLength: 2, maxLength: 5 }),
  hours: fc.array(anyHour, { minLength: 6, maxLength: 14 }),
});

type AnyFleet = typeof anyFleet extends fc.Arbitrary<infer T> ? T : never;
type Attributes = Readonly<Record<string, AttributeValue>>;

const itemIn = ({ pk, sk, version, body }: Attributes): TableItem => ({
  pk: pk?.S ?? '',
  sk: sk?.S ?? '',
  version: Number(version?.N),
  body: body?.S ?? '',
});

/** A fleet whose table is beyond bad weather, and what must hold of each thing that is written there. */
class FleetInWeather extends Fleet {
  readonly clock = virtualClock(this.now.getTime());
  readonly world = createWorld({ clock: this.clock, seed: 1 });
  readonly arn = this.world.addTable('sequence').arn;
  readonly call = directCalls(this.world);
  readonly breaches: string[] = [];
  private memory: SequenceState = NOTHING_YET;
  /** By its version, which allowances that were decided with it have, too. */
  private readonly decided = new Map<number, SequenceState>();
  private readonly allowed = new Map<string, Allowance>();
  private readonly taken = new Set<string>();
  private readonly haltedAt = new Map<string, number>();
  private readonly completedAt = new Map<string, Date>();
  private readonly qualified = new Set<string>();
  readonly told: string[] = [];
  private readonly random: () => number;
  private readonly weather: AnyFleet['weather'];
  private isCalm = false;
  private table: ReturnType<typeof sequenceTable>;

  constructor({ weather, stages, members }: AnyFleet) {
    const named = stages.map(
      (each, index): Stage =>
        stageOf(`stage-${index}`, ACCOUNTS[index] ?? '', {
          ...each,
          completeWithinHours: 6,
          whenEmpty: 'pass',
        }),
    );
    super(sequenceOf(named));
    this.weather = weather;
    this.random = randomNumbers(weather.seed);
    for (const [index, { stage, rollHours, fails }] of members.entries())
      this.add(ACCOUNTS[index === 0 ? 0 : stage % stages.length] ?? '', `s${index}`, {
        rollHours,
        fails: new Set(fails.map((day) => releaseOf(day))),
      });
    this.table = this.open(weather);
  }

  private open({ seed, serverErrors, lostAnswers, throttledEvery }: Partial<AnyFleet['weather']>) {
    const account = simulateAccount({
      clock: this.clock,
      operations: this.world.operations,
      latencySeconds: () => this.random() * 0.5,
      faults: { serverErrors: serverErrors ?? 0, lostAnswers: lostAnswers ?? 0 },
      ...(seed !== undefined && { seed }),
      ...(throttledEvery && { throttling: { everyNth: throttledEvery } }),
    });
    const session = account.session({ interceptors: [this.witness()] });
    return sequenceTable(createAws(session.clientOptions), this.arn);
  }

  calm(): void {
    this.isCalm = true;
    this.table = this.open({});
  }

  /** Sees what takes effect, whether or not anybody is told so. */
  private witness(): Interceptor {
    return {
      after: ({ input }) => {
        if (!('Item' in input)) return;
        const item = itemIn(input.Item as Attributes);
        if (item.sk === STATE_KEY_IN_TABLE) this.remember(stateIn(item), item.version);
        else if (item.pk.startsWith(PARTITIONS.allowed('')))
          this.allow(memberKey(memberIn(item)), allowanceIn(item));
      },
    };
  }

  private remember(state: SequenceState, version: number): void {
    this.rememberOrders(state);
    for (const { name, soakHours } of this.sequence.stages) this.rememberStage(state, name, soakHours);
    this.memory = state;
    this.decided.set(version, state);
  }

  private rememberOrders({ taken, lines }: SequenceState): void {
    for (const id of taken.filter((each) => !this.memory.taken.includes(each))) {
      if (this.taken.has(id)) this.breaches.push(`${id} is taken again`);
      this.taken.add(id);
    }
    for (const { why, at } of lines.get(LINE)?.halts ?? []) {
      const before = this.haltedAt.get(why) ?? at.getTime();
      this.haltedAt.set(why, before);
      if (why.startsWith('order-') && before !== at.getTime()) this.breaches.push(`it halts again: ${why}`);
    }
  }

  private rememberStage({ lines }: SequenceState, stage: string, soakHours: number): void {
    const { qualified, release, completedAt } = lines.get(LINE)?.stages.get(stage) ?? {};
    if (completedAt) this.completedAt.set(`${stage} ${release}`, completedAt);
    const about = `${stage} ${qualified}`;
    if (qualified === undefined || this.qualified.has(about)) return;
    this.qualified.add(about);
    // One that needn't soak is completed and qualified at once; of passes within seconds, one is ahead.
    const now = this.now.getTime() + 2;
    const soaked = now - (this.completedAt.get(about)?.getTime() ?? now);
    if (soaked < soakHours * HOUR) this.breaches.push(`${about} is qualified after ${soaked / HOUR} hours`);
  }

  /** What is allowed was remembered before; or it is what the member has already. */
  private allow(key: string, allowance: Allowance): void {
    const before = this.allowed.get(key);
    this.allowed.set(key, allowance);
    if (before && before.generation >= allowance.generation) this.breaches.push(`${key}: an older allowance`);
    const { release } = allowance.lines.get(LINE) ?? {};
    const member = this.members.find(({ name }) => memberKey(name) === key);
    const stage = member && this.stageOf(member);
    if (release === undefined || stage === undefined || before?.lines.get(LINE)?.release === release) return;
    const decided = this.decided.get(allowance.generation);
    const { release: taken, slots } = decided?.lines.get(LINE)?.stages.get(stage.name) ?? {};
    const slot = slots?.get(key);
    const isRemembered = taken === release && slot !== undefined && slot.withdrawnBy === undefined;
    const hasIt = member?.rolling.get(LINE)?.release === release || (member?.runs.get(LINE) ?? '') >= release;
    if (!isRemembered && !hasIt) this.breaches.push(`${key} may roll ${release}, and nobody remembers`);
  }

  private stageOf({ name }: FleetMember): Stage | undefined {
    return this.sequence.stages.find(({ members }) =>
      members.some(({ account }) => account === name.account),
    );
  }

  private put({ pk, sk, version, body }: TableItem): void {
    const Item = { pk: { S: pk }, sk: { S: sk }, version: { N: String(version) }, body: { S: body } };
    this.call(PutItemCommand, { TableName: this.arn, Item });
  }

  speakInTable(): void {
    const [unread, unsaid] = this.isCalm ? [0, 0] : [this.weather.unread, this.weather.unsaid];
    for (const account of ACCOUNTS) {
      const { Items = [] } = this.call(QueryCommand, {
        TableName: this.arn,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: PARTITIONS.allowed(account) } },
      });
      for (const item of Items.map(itemIn))
        if (this.random() >= unread) this.allowances.set(memberKey(memberIn(item)), allowanceIn(item));
    }
    const before = this.beginnings.length;
    this.speak();
    for (const { key, release } of this.beginnings.slice(before)) this.checkBeginning(key, release);
    this.checkSlots();
    for (const { name } of this.members)
      if (this.random() >= unsaid) this.put(statusItem(this.statuses.get(memberKey(name)) as MemberStatus));
  }

  private checkBeginning(key: string, release: string): void {
    const own = this.sequence.stages.findIndex(({ members }) =>
      members.some(({ account }) => key.startsWith(account)),
    );
    for (const { name } of this.sequence.stages.slice(0, own))
      if (!this.qualified.has(`${name} ${release}`))
        this.breaches.push(`${key} begins ${release} before ${name} is through`);
  }

  private checkSlots(): void {
    for (const stage of this.sequence.stages) {
      const rolling = this.members.filter((each) => each.rolling.size > 0 && this.stageOf(each) === stage);
      if (rolling.length > Math.min(stage.maxConcurrent, stage.tolerate + 1))
        this.breaches.push(`${rolling.length} roll at once in ${stage.name}`);
    }
  }

  orderInTable(kind: 'halt' | 'resume', release: string): void {
    const id = `order-${this.orders.length}`;
    const order = { id, by: id, at: this.now, kind, release, line: LINE };
    this.orders.push(order);
    this.put(orderItem(order));
  }

  /** Passes that begin within seconds, and members that speak in between. */
  private async passInTable(passes: number): Promise<void> {
    const one = async (moment: number) => {
      if (!this.isCalm) await this.clock.sleep(this.random() * 3);
      try {
        const now = new Date(this.now.getTime() + moment);
        const { isNew, events } = await pass(this.table, this.sequence, now);
        for (const each of isNew ? events : [])
          if (each.kind !== 'ReleaseHalted') this.told.push(`${each.kind} ${each.stage} ${each.release}`);
      } catch (error) {
        if (this.isCalm) throw error;
      }
    };
    const speaking = async () => {
      await this.clock.sleep(this.random() * 3);
      this.speakInTable();
    };
    const all = Array.from({ length: passes }, (_, index) => one(index));
    await this.clock.drive(Promise.all([...all, ...(this.isCalm ? [] : [speaking()])]));
  }

  async hour({ what, passes }: AnyFleet['hours'][number], published: { day: number }): Promise<void> {
    this.speakInTable();
    if (what === 'publish') this.publish(releaseOf(++published.day));
    if (what === 'halt') this.orderInTable('halt', releaseOf(published.day));
    if (what === 'resume') this.orderInTable('resume', releaseOf(published.day));
    const member = this.members[Math.floor(this.random() * this.members.length)];
    if (what === 'hinder' && member)
      member.hindered = member.hindered === undefined ? 'is paused' : undefined;
    await this.passInTable(passes);
    this.wait(1);
  }
}

test('nothing begins before its stage, no order is taken twice, nothing is allowed that nobody remembers', async () => {
  await fc.assert(
    fc.asyncProperty(anyFleet, async (any) => {
      const fleet = new FleetInWeather(any);
      const published = { day: 2 };
      fleet.publish(releaseOf(2));
      for (const what of any.hours) {
        await fleet.hour(what, published);
        expect(fleet.breaches).toEqual([]);
      }
      expect(fleet.told).toEqual([...new Set(fleet.told)]);
      fleet.calm();
      for (const member of fleet.members) member.hindered = undefined;
      const last = releaseOf(28);
      fleet.publish(last);
      for (let hour = 0; hour < 60 && fleet.members.some(({ runs }) => runs.get(LINE) !== last); hour++) {
        await fleet.hour({ what: 'nothing', passes: 1 }, published);
        expect(fleet.breaches).toEqual([]);
      }
      expect(fleet.members.map(({ runs }) => runs.get(LINE))).toEqual(fleet.members.map(() => last));
    }),
    { numRuns: FLEETS },
  );
});
