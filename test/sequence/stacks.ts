import { createAws } from '../../lambda/aws/clients.ts';
import { sequenceTable } from '../../lambda/aws/sequence-table.ts';
import { DEFAULT_STATE_KEY, MEMBERSHIP_ENVIRONMENT } from '../../lambda/contract.ts';
import type { GroupResult } from '../../lambda/core/result.ts';
import {
  type MemberName,
  memberKey,
  type Sequence,
  type SequenceOrder,
} from '../../lambda/core/sequence/model.ts';
import { describeDecision } from '../../lambda/core/text/decision.ts';
import { parseEvent } from '../../lambda/event.ts';
import type { Journal } from '../../lambda/invocation.ts';
import { findBegun } from '../../lambda/look/discover.ts';
import { rollOut } from '../../lambda/look-act-loop.ts';
import { membershipOf } from '../../lambda/sequence/membership.ts';
import { orderItem } from '../../lambda/sequence/memory-items.ts';
import { type PassDone, pass } from '../../lambda/sequence/pass.ts';
import type { ReadItems } from '../../lambda/sequence/read-items.ts';
import { readTable } from '../../lambda/sequence/store.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import { allClients, loadRare } from '../aws/all-clients.ts';
import { type Expectations, type Invariants, watchInvariants } from '../invariants/invariants.ts';
import { type SimulatedAccount, simulateAccount } from '../simulated-aws/account/account.ts';
import type { Interceptor } from '../simulated-aws/account/call.ts';
import { retryOnClock } from '../simulated-aws/account/client-options.ts';
import { retrying } from '../simulated-aws/account/retrying.ts';
import { shortcut } from '../simulated-aws/account/shortcut.ts';
import { type VirtualClock, virtualClock } from '../simulated-aws/clock/clock.ts';
import { type Scenario, type ScenarioOptions, standardScenario } from '../simulated-aws/world/scenario.ts';
import { createWorld, type World } from '../simulated-aws/world/world.ts';

await loadRare();

const START = Date.parse('2026-11-21T00:00:00Z');
const LAMBDA_SECONDS = 15 * 60;
/** As the deployments have it. */
const MEMBERS_LOOK_EVERY_SECONDS = 10 * 60;
/** Nobody asks for a roll: what only people are let do isn't done. */
const SCHEDULED = { source: 'aws.events', 'detail-type': 'Scheduled Event' };
const HUB = '999999999999';
const FAMILY = 'amazon-linux-2023';
export const LINE = `${FAMILY}/x86_64`;

export interface StackOptions {
  readonly account: string;
  readonly region?: string;
  readonly stack: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly expectations?: Expectations;
  /** Default: 2. */
  readonly instances?: number;
  readonly group?: ScenarioOptions['group'];
  /** How the group refers to its launch template. Default: it names no version. */
  readonly version?: string;
  /** How long an invocation may take. Default: Lambda's 15 minutes. */
  readonly lambdaSeconds?: number;
}

/** A stack: its own account, world and function. */
export class Stack {
  readonly name: MemberName;
  readonly world: World;
  readonly account: SimulatedAccount;
  readonly scenario: Scenario;
  readonly invariants: Invariants;
  environment: Record<string, string>;
  /** The function isn't invoked. */
  isSilent = false;
  /** How many invocations begin at each look: two where nothing reserves the function's concurrency. */
  atOnce = 1;
  readonly lambdaSeconds: number;
  interceptors: readonly Interceptor[] = [];
  results: readonly GroupResult[] = [];
  readonly warnings: string[] = [];

  constructor(clock: VirtualClock, table: string, tables: World['state']['tables'], options: StackOptions) {
    const { account, region = 'eu-west-1', stack } = options;
    this.name = { account, region, stack };
    this.lambdaSeconds = options.lambdaSeconds ?? LAMBDA_SECONDS;
    this.world = createWorld({
      clock,
      seed: 1,
      account,
      region,
      tables,
      hmacKeyAlias: DEFAULT_STATE_KEY,
    });
    this.scenario = standardScenario({
      world: this.world,
      instances: options.instances ?? 2,
      services: 1,
      daemons: 0,
      version: options.version,
      ...(options.group && { group: options.group }),
    });
    this.account = simulateAccount({ clock, operations: this.world.operations, region });
    this.invariants = watchInvariants(this.world, options.expectations);
    this.environment = {
      CLUSTERS: 'demo',
      CANARY: '0',
      [MEMBERSHIP_ENVIRONMENT.table]: table,
      [MEMBERSHIP_ENVIRONMENT.stack]: stack,
      ...options.environment,
    };
  }

  get key(): string {
    return memberKey(this.name);
  }

  /** The names of the images that its members run. */
  runs(): string[] {
    const { instances, images } = this.world.state;
    const running = [...instances.values()].filter(({ state }) => state === 'running');
    return [...new Set(running.map(({ imageId }) => images.get(imageId)?.name ?? imageId))].sort();
  }

  newest(): string {
    return this.scenario.newImage.name;
  }
}

/** What a stack decided, or its sequence, as `<kind>: <text>` or `<kind> <release>`. */
interface Told {
  readonly hours: number;
  /** A stack's key, or a stage. */
  readonly where: string;
  readonly text: string;
}

/** Stacks, a sequence and its table in virtual time. */
export class Stacks {
  readonly clock = virtualClock(START);
  readonly hub: World;
  readonly hubAccount: SimulatedAccount;
  readonly table: string;
  readonly stacks: Stack[] = [];
  readonly sequence: Sequence;
  readonly told: Told[] = [];
  /** When the roll of which stack began, in hours, onto what. */
  readonly begun: { readonly key: string; readonly release: string; readonly hours: number }[] = [];
  last: PassDone | undefined;
  private orders = 0;
  private readonly everySeconds: number;

  /** @param everySeconds how often members look, and the sequence passes */
  constructor(sequence: Sequence, everySeconds = MEMBERS_LOOK_EVERY_SECONDS) {
    this.sequence = sequence;
    this.everySeconds = everySeconds;
    this.hub = createWorld({ clock: this.clock, seed: 1, account: HUB, region: 'eu-west-1' });
    this.table = this.hub.addTable('sequence', {
      expiryAttribute: 'expires',
      policy: { Statement: [{ Effect: 'Allow', Principal: { AWS: '*' }, Action: '*', Resource: '*' }] },
    }).arn;
    this.hubAccount = simulateAccount({
      clock: this.clock,
      operations: this.hub.operations,
      region: 'eu-west-1',
    });
  }

  add(options: StackOptions): Stack {
    const stack = new Stack(this.clock, this.table, this.hub.state.tables, options);
    this.stacks.push(stack);
    return stack;
  }

  /** A newer image comes out, in these stacks' Regions. */
  publish(stacks: readonly Stack[] = this.stacks, options: { readonly isBad?: boolean } = {}): string {
    const names = stacks.map(({ world }) => world.release(FAMILY, options).name);
    return names[0] ?? '';
  }

  /** What happened, a line each. */
  get log(): string[] {
    return this.told.map(({ hours, where, text }) => `${hours.toFixed(1)} ${where}: ${text}`);
  }

  get hours(): number {
    return (this.clock.now() - START) / 3_600_000;
  }

  /** One invocation of a stack's function. */
  async invoke(stack: Stack, event: object = SCHEDULED): Promise<readonly GroupResult[]> {
    const session = stack.account.session({ interceptors: stack.interceptors, afterKill: 'hangs' });
    const retryStrategy = retryOnClock(this.clock, 8);
    const settings = parseSettings(stack.environment);
    const aws = createAws({ ...session.clientOptions, retryStrategy }, {}, settings);
    shortcut(allClients(aws), retrying(session, retryStrategy));
    const { region, account } = stack.name;
    const functionArn = `arn:aws:lambda:${region}:${account}:function:ecs-ami-deploy`;
    const command = parseEvent(event, settings.clusters, functionArn);
    const began = this.clock.now();
    const { clock } = this;
    const own = { now: () => new Date(clock.now()), sleep: (seconds: number) => clock.sleep(seconds) };
    const warn = (text: string) => stack.warnings.push(text);
    const run = async () => {
      const given = { aws, settings, clock: own, command, functionArn, warn };
      const sequence = await membershipOf(given, stack.environment);
      const begun = await findBegun(aws, command);
      if (begun === undefined) return [];
      const results = await rollOut(
        {
          aws,
          settings,
          clock: own,
          sequence,
          journal: this.journalOf(stack),
          remainingSeconds: () => stack.lambdaSeconds - (clock.now() - began) / 1000,
        },
        command,
        begun,
      );
      await sequence.speak(results);
      return results;
    };
    stack.results = await Promise.race([run(), session.whenKilled.then(() => [])]);
    return stack.results;
  }

  async passOnce(interceptors: readonly Interceptor[] = []): Promise<PassDone | undefined> {
    const session = this.hubAccount.session({ interceptors });
    const table = sequenceTable(createAws(session.clientOptions), this.table);
    const done = await Promise.race([
      pass(table, this.sequence, new Date(this.clock.now())),
      session.whenKilled.then(() => undefined),
    ]);
    if (done === undefined) return undefined;
    this.last = done;
    for (const event of done.isNew ? done.events : [])
      this.tell('stage' in event ? (event.stage ?? '*') : '*', `${event.kind} ${event.release}`);
    return done;
  }

  /** Looks of all stacks and passes of the sequence, each ten minutes. */
  async run(hours: number, each?: () => Promise<void> | void): Promise<void> {
    const until = this.clock.now() + hours * 3_600_000;
    while (this.clock.now() < until) {
      await this.clock.drive(this.look());
      await this.clock.drive(this.passOnce());
      await each?.();
    }
  }

  /** All stacks look at once, the slowest for as long as Lambda lets it. */
  private async look(): Promise<void> {
    const began = this.clock.now();
    const speaking = this.stacks.filter(({ isSilent }) => !isSilent);
    const invoked = speaking.flatMap((stack) => Array.from({ length: stack.atOnce }, () => stack));
    await Promise.all(invoked.map((stack) => this.invoke(stack)));
    const left = this.everySeconds - (this.clock.now() - began) / 1000;
    if (left > 0) await this.clock.sleep(left);
  }

  async order(order: { readonly kind: SequenceOrder['kind'] } & Record<string, unknown>): Promise<void> {
    const given = { id: `order-${this.orders++}`, by: 'ann', at: new Date(this.clock.now()) };
    const table = sequenceTable(createAws(this.hubAccount.clientOptions), this.table);
    await this.clock.drive(table.write(orderItem({ ...given, ...order } as SequenceOrder)));
  }

  /** Everything in the table, as the command line reads it. */
  inTable(): Promise<ReadItems> {
    const table = sequenceTable(createAws(this.hubAccount.clientOptions), this.table);
    return this.clock.drive(readTable(table, this.sequence));
  }

  /** Every group is whole, and no rule of a roll was broken. */
  assertSound(): void {
    for (const stack of this.stacks) {
      stack.invariants.assertFinished();
      if (stack.account.bugs.length > 0) throw stack.account.bugs[0];
    }
  }

  viewOf(stage: string) {
    return this.last?.views.find((view) => view.stage === stage && view.line === LINE);
  }

  private tell(where: string, text: string): void {
    this.told.push({ hours: this.hours, where, text });
  }

  private journalOf(stack: Stack): Journal {
    return {
      decided: (_, { decision }) => this.tell(stack.key, `${decision.kind}: ${describeDecision(decision)}`),
      acting: (_, __, action) => {
        if (action.kind !== 'record-roll' || !action.begins) return;
        const [imageId = ''] = action.roll.imageIds;
        const release = stack.world.state.images.get(imageId)?.name ?? imageId;
        this.begun.push({ key: stack.key, release, hours: this.hours });
      },
      overtaken() {},
      untold() {},
      failed: (_, group, error) => this.tell(stack.key, `${group} failed: ${String(error)}`),
    };
  }
}
