import { type Advanced, advance } from '../../../lambda/core/sequence/advance.ts';
import {
  type Allowance,
  type MemberName,
  type MemberStatus,
  memberKey,
  NOTHING_YET,
  type Sequence,
  type SequenceOrder,
  type SequenceSeen,
  type SequenceState,
  type Stage,
} from '../../../lambda/core/sequence/model.ts';

export const LINE = 'amazon-linux-2023/x86_64';

/** Releases in their order. */
export const releaseOf = (day: number, architecture = 'x86_64') =>
  `al2023-ami-ecs-hvm-2023.0.202601${String(day).padStart(2, '0')}-kernel-6.1-${architecture}`;

export function stageOf(name: string, account: string, more: Partial<Stage> = {}): Stage {
  return {
    name,
    members: [{ account }],
    maxConcurrent: 2,
    tolerate: 0,
    completeWithinHours: 48,
    soakHours: 24,
    whenEmpty: 'hold',
    quorum: 1,
    ...more,
  };
}

export function sequenceOf(stages: readonly Stage[], more: Partial<Sequence> = {}): Sequence {
  return { stages, haltsSiblings: true, silentAfterHours: 6, ...more };
}

/** A member as it is: what it does with what it may. */
export interface FleetMember {
  readonly name: MemberName;
  /** By line. */
  runs: Map<string, string>;
  newest: Map<string, string>;
  rolling: Map<string, { readonly release: string; readonly until: number }>;
  hindered?: string;
  beginsAt?: Date;
  /** It says that it can, and begins nothing. */
  rollsNothing?: boolean;
  isSilent: boolean;
  alarmSince?: Date;
  acceptsRevert: boolean;
  generation: number;
  readonly failed: Map<string, { readonly release: string; readonly at: Date; readonly why: string }>;
  readonly rollHours: number;
  /** What fails here. */
  readonly fails: ReadonlySet<string>;
}

/** When which member began what. */
export interface Beginning {
  readonly key: string;
  readonly release: string;
  readonly at: Date;
  readonly generation: number;
}

const HOUR = 3_600_000;

/** Members and a table in virtual time; every pass may be killed between any two of its writes. */
export class Fleet {
  now = new Date('2026-02-01T00:00:00Z');
  state: SequenceState = NOTHING_YET;
  version = 0;
  readonly statuses = new Map<string, MemberStatus>();
  readonly allowances = new Map<string, Allowance>();
  readonly orders: SequenceOrder[] = [];
  readonly members: FleetMember[] = [];
  readonly beginnings: Beginning[] = [];
  readonly events: Advanced['events'][number][] = [];
  last: Advanced | undefined;

  readonly sequence: Sequence;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
  }

  add(account: string, stack: string, more: Partial<FleetMember> & { region?: string; at?: string } = {}) {
    const { region = 'eu-west-1', at = releaseOf(1), ...rest } = more;
    const member: FleetMember = {
      name: { account, region, stack },
      runs: new Map([[LINE, at]]),
      newest: new Map([[LINE, at]]),
      rolling: new Map(),
      isSilent: false,
      acceptsRevert: false,
      generation: 0,
      failed: new Map(),
      rollHours: 1,
      fails: new Set(),
      ...rest,
    };
    this.members.push(member);
    return member;
  }

  /** A release comes out, everywhere at once. */
  publish(release: string, line = LINE, members = this.members): void {
    for (const { newest, runs } of members) if (runs.has(line)) newest.set(line, release);
  }

  /**
   * One pass of the sequence.
   *
   * @param writes how many writes it makes before it is killed
   * @returns what it decided
   */
  pass(writes = Number.POSITIVE_INFINITY): Advanced {
    const read = this.read();
    return this.write(read, advance(this.sequence, read, this.now), writes);
  }

  /** Two at once: both read before either writes. */
  passTwice(): void {
    const reads = [this.read(), this.read()];
    for (const read of reads) this.write(read, advance(this.sequence, read, this.now));
  }

  private read() {
    return { ...this.seen(), version: this.version };
  }

  seen(): SequenceSeen {
    return {
      state: this.state,
      statuses: [...this.statuses.values()],
      allowances: new Map(this.allowances),
      orders: [...this.orders],
      generation: this.version + 1,
    };
  }

  private write(
    read: ReturnType<Fleet['read']>,
    advanced: Advanced,
    writes = Number.POSITIVE_INFINITY,
  ): Advanced {
    this.last = advanced;
    let left = writes;
    if (left-- <= 0 || this.version !== read.version) return advanced;
    this.state = advanced.state;
    this.version++;
    this.events.push(...advanced.events);
    for (const [key, allowance] of advanced.allowances) {
      const before = read.allowances.get(key);
      if (before?.generation === allowance.generation) continue;
      if (left-- <= 0) return advanced;
      if ((this.allowances.get(key)?.generation ?? 0) < allowance.generation)
        this.allowances.set(key, allowance);
    }
    return advanced;
  }

  /** Every member that speaks reads what it may, does it, and says so. */
  speak(): void {
    for (const member of this.members) if (!member.isSilent) this.speakOf(member);
  }

  private speakOf(member: FleetMember): void {
    const key = memberKey(member.name);
    const allowance = this.allowances.get(key);
    member.generation = allowance?.generation ?? 0;
    for (const line of member.rolling.keys()) this.finish(member, line, allowance);
    for (const line of allowance?.lines.keys() ?? []) this.begin(member, line, allowance);
    this.statuses.set(key, this.statusOf(member));
  }

  private finish(member: FleetMember, line: string, allowance?: Allowance): void {
    const { release = '', until = 0 } = member.rolling.get(line) ?? {};
    if (until > this.now.getTime() || allowance?.lines.get(line)?.stops) return;
    member.rolling.delete(line);
    if (member.fails.has(release)) member.failed.set(line, { release, at: this.now, why: 'tasks crash' });
    else member.runs.set(line, release);
  }

  private begin(member: FleetMember, line: string, allowance?: Allowance): void {
    const { release = '', isBack } = allowance?.lines.get(line) ?? {};
    const [runs = '', newest = ''] = [member.runs.get(line), member.newest.get(line)];
    const mayBack = isBack && member.acceptsRevert;
    const isWanted = mayBack ? release !== runs : release > runs && release <= newest;
    const isRejected = member.failed.get(line)?.release === release;
    if (
      member.rollsNothing ||
      !isWanted ||
      isRejected ||
      member.hindered !== undefined ||
      member.rolling.has(line)
    )
      return;
    member.rolling.set(line, { release, until: this.now.getTime() + member.rollHours * HOUR });
    const { generation } = member;
    this.beginnings.push({ key: memberKey(member.name), release, at: this.now, generation });
  }

  statusOf(member: FleetMember): MemberStatus {
    const { name, generation, alarmSince, acceptsRevert, beginsAt, hindered } = member;
    return {
      member: name,
      spokeAt: this.now,
      generation,
      ...(alarmSince && { alarmSince }),
      acceptsRevert,
      lines: new Map(
        [...member.runs].map(([line, runs]) => {
          const [newest, rolling, failed] = [
            member.newest.get(line),
            member.rolling.get(line)?.release,
            member.failed.get(line),
          ];
          return [
            line,
            {
              runs: { oldest: runs, newest: runs },
              ...(newest !== undefined && { newest }),
              ...(rolling !== undefined && { rolling }),
              ...(beginsAt && { beginsAt }),
              ...(hindered !== undefined && { hindered }),
              ...(failed && { failed }),
            },
          ];
        }),
      ),
    };
  }

  wait(hours: number): void {
    this.now = new Date(this.now.getTime() + hours * HOUR);
  }

  /** Hours of members and passes in turn, each every half an hour. */
  run(hours: number, each?: () => void): void {
    for (let half = 0; half < hours * 2; half++) {
      this.speak();
      this.pass();
      each?.();
      this.wait(0.5);
    }
  }

  order(
    order: { [K in keyof SequenceOrder]?: SequenceOrder[K] } & { kind: SequenceOrder['kind'] } & Record<
        string,
        unknown
      >,
  ) {
    const id = `order-${this.orders.length}`;
    this.orders.push({ id, by: 'ann', at: this.now, ...order } as SequenceOrder);
  }

  viewOf(stage: string, line = LINE) {
    const view = this.last?.views.find((each) => each.stage === stage && each.line === line);
    if (view === undefined) throw new Error(`no view of ${stage}`);
    return view;
  }

  kinds(): string[] {
    return this.events.map((each) => `${each.kind} ${'stage' in each ? (each.stage ?? '*') : '*'}`);
  }
}
