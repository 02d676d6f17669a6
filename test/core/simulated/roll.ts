import { describeAction } from '../../../lambda/core/actions/actions.ts';
import type { Action, Decision } from '../../../lambda/core/actions/decision.ts';
import { NOT_WATCHED, watch } from '../../../lambda/core/group/steadiness.ts';
import type { Watch } from '../../../lambda/core/model/group.ts';
import type { Observation } from '../../../lambda/core/model/observation.ts';
import type { ReasonCode } from '../../../lambda/core/model/reason.ts';
import type { Order, Request } from '../../../lambda/core/model/request.ts';
import type { GroupSettings, Settings } from '../../../lambda/core/model/settings.ts';
import { describeDecision } from '../../../lambda/core/text/sentence.ts';
import { assessed, decideAll, groupOf } from '../builders.ts';
import { membersGivenUp, roomGivenUp, wrongAnyhow, wrongAsSeen } from './checks.ts';
import { type Beginning, SimulatedGroup } from './group.ts';
import { INTERFERENCES, type Ledger } from './interferences.ts';
import { asked } from './look.ts';

export interface Interference {
  /** Before the step of this number, a look or an action. */
  readonly at: number;
  readonly kind: keyof typeof INTERFERENCES | 'kill' | Order;
  readonly value: number;
}

export interface Play extends Beginning {
  readonly settings: Settings;
  readonly interferences: readonly Interference[];
  /** Which of the invocations takes the next step, over and over. */
  readonly turns: readonly number[];
  /** Settings to which interferences switch the group. */
  readonly switches: readonly Partial<GroupSettings>[];
}

/** One invocation: it looks and decides, and carries out one action after the other. */
interface Invocation {
  watch: Watch;
  pending: Action[];
  /** Nothing has been done since its look but by itself. */
  isUndisturbed: boolean;
  /** The actions that it decided upon last, and how often in a row. */
  tried: { actions: string; times: number };
  /** What somebody has invoked it with. */
  request: Request;
}

const POLL_SECONDS = 10;

/** As often as this the same may be tried without effect, or the invocation fails. */
const MOST_REPETITIONS = 10;

/** A roll from the first look to the last action, with all that others do to it, and what must hold at every step. */
export class SimulatedRoll {
  readonly group: SimulatedGroup;
  /** How many actions were carried out. */
  done = 0;
  private readonly log: string[] = [];
  private readonly ledger: Ledger;
  private readonly play: Play;
  private readonly invocations: Invocation[];
  private steps = 0;
  private end: 'undisturbed' | 'disturbed' | undefined;
  /** What the roll has come to. */
  ending: Extract<Decision, { kind: 'finish' }>['ending'] | undefined;
  private paused = 0;
  private readonly before: string;

  constructor(play: Play) {
    this.play = play;
    this.group = new SimulatedGroup(play);
    this.before = JSON.stringify(this.places());
    const { desiredCapacity, maxSize, minSize } = this.group;
    const suspended = new Set(play.suspended);
    this.ledger = { sizes: { desiredCapacity, maxSize }, minSize, isUnsure: false, suspended };
    const count = Math.max(...play.turns) + 1;
    this.invocations = Array.from({ length: count }, newInvocation);
  }

  /** @throws Error when something doesn't hold, with all that was done until then */
  run(): this {
    const { size, warm, interferences, turns } = this.play;
    const faulty = this.isFaultyPlay ? 3000 : 0;
    const most = (200 + faulty + 60 * (size + warm) + 40 * interferences.length) * this.invocations.length;
    while (this.end === undefined) {
      if (this.steps > most) this.fail('the roll does not come to an end');
      const invocation = this.invocations[turns[this.steps % turns.length] ?? 0] ?? newInvocation();
      for (const each of interferences) if (each.at === this.steps) this.interfere(each, invocation);
      this.steps++;
      this.step(invocation);
    }
    this.assertEnd();
    return this;
  }

  private step(invocation: Invocation): void {
    const action = invocation.pending.shift();
    if (action === undefined) this.look(invocation);
    else this.act(action, invocation);
  }

  private look(invocation: Invocation): void {
    this.group.pass(POLL_SECONDS);
    const observation = this.observe(invocation);
    this.assertSizes();
    const [decided] = decideAll(observation, this.play.settings, invocation.request);
    if (decided === undefined) throw new Error('nothing was decided');
    const { decision } = decided;
    this.log.push(`${this.invocations.indexOf(invocation)} ${decision.kind}: ${describeDecision(decision)}`);
    invocation.isUndisturbed = true;
    invocation.pending = 'actions' in decision ? [...decision.actions] : [];
    this.assertTried(invocation);
    if (decision.kind === 'finish') this.ending = decision.ending;
    const isOver = decision.kind === 'up-to-date' || decision.kind === 'skipped';
    if (isOver && invocation.request.begin) this.end = 'undisturbed';
    else if (isOver) this.startAnew();
    if (decision.kind === 'blocked') this.unblock(decision);
    if (decision.kind === 'paused') this.letGoOn();
    if (hasCode(decision, 'members-not-replaced-yet')) this.letReplace();
  }

  private observe(invocation: Invocation): Observation {
    const observation = asked(this.group.observe(), this.play.settings);
    invocation.watch = watch(assessed(observation, this.play.settings), invocation.watch);
    return { ...observation, groups: [{ ...groupOf(observation), watch: invocation.watch }] };
  }

  private act(action: Action, invocation: Invocation): void {
    const { isUndisturbed } = invocation;
    const checked = { group: this.group, ledger: this.ledger, settings: this.play.settings };
    this.check(wrongAnyhow(action, checked));
    if (isUndisturbed) this.check(wrongAsSeen(action, checked));
    const { surplus, changes } = this.group;
    const isDone = this.group.perform(action);
    this.log.push(`${isDone ? '' : 'refused: '}${describeAction(action)}`);
    for (const other of this.invocations) if (other !== invocation) other.isUndisturbed = false;
    if (!isDone) {
      invocation.pending = [];
      return;
    }
    this.done++;
    if (isUndisturbed && this.group.surplus > Math.max(0, surplus)) this.fail('makes the group end members');
    if (action.kind === 'record-changes') this.noteGivenUp(action, changes, isUndisturbed);
    if (action.kind === 'clear-roll') this.end = isUndisturbed ? 'undisturbed' : 'disturbed';
  }

  /** What is no longer counted as ours is others' from now on. */
  private noteGivenUp(
    { changes }: Extract<Action, { kind: 'record-changes' }>,
    before: typeof changes,
    isUndisturbed: boolean,
  ): void {
    if (before.addedSizes.change !== undefined) return;
    const { sizes } = this.ledger;
    const members = before.addedSizes.desiredCapacity - changes.addedSizes.desiredCapacity;
    const room = before.addedSizes.maxSize - changes.addedSizes.maxSize;
    if (members > 0 && isUndisturbed) this.check(membersGivenUp(before, this.group));
    if (room > 0 && isUndisturbed) this.check(roomGivenUp(before, this.group));
    sizes.desiredCapacity += members;
    sizes.maxSize += room;
  }

  /** Its owner does what the reason asks for, and the next invocation begins anew. */
  private unblock(decision: Decision): void {
    const { group, ledger } = this;
    if (hasCode(decision, 'no-room')) {
      INTERFERENCES.maximum({ ...this.play, group, ledger, value: 1 });
    } else if (hasCode(decision, 'left-out-while-leaving')) {
      for (const machine of group.machines) machine.excluded = false;
    } else if (
      describeDecision(decision).includes('is unhealthy in the group') &&
      ledger.suspended.has('ReplaceUnhealthy')
    ) {
      this.letReplace();
    } else if (!this.isFaultyPlay) this.fail(`blocked: ${describeDecision(decision)}`);
    this.startAnew();
    // What was aborted launches the new image still: who finds that it is bad has it taken back.
    if (group.isFaulty && group.identity?.course.kind === 'abort')
      for (const each of this.invocations) each.request = { begin: false, order: 'rollback' };
  }

  // BUG 5: nobody is ever told, as it only waits.
  /** Whoever keeps the group from replacing what runs no more lets it in the end. */
  private letReplace(): void {
    for (const machine of this.group.members)
      if (!machine.healthy && this.ledger.suspended.has('ReplaceUnhealthy')) machine.state = 'Terminating';
  }

  /** The invocation has come to rest, and the next is as any other. */
  private startAnew(): void {
    for (const each of this.invocations) Object.assign(each, newInvocation(), { isUndisturbed: false });
  }

  /** Whoever has paused it lets it go on in the end. */
  private letGoOn(): void {
    this.startAnew();
    this.paused++;
    if (this.paused % 5 > 0) return;
    this.group.pausedSince = undefined;
  }

  private get isFaultyPlay(): boolean {
    const { fault, interferences } = this.play;
    const kinds = ['stick', 'ring', 'pause', 'resume', 'abort', 'rollback'];
    return fault !== undefined || interferences.some(({ kind }) => kinds.includes(kind));
  }

  private places(): unknown {
    return this.group.launch.sources(undefined, undefined).map(({ place, imageId }) => ({ place, imageId }));
  }

  private interfere({ kind, value }: Interference, invocation: Invocation): void {
    const isBetweenLooks = this.invocations.every(({ pending }) => pending.length === 0);
    // What he suspends between our look and our record can't be told from what we suspend.
    if (kind === 'suspend a process' && !isBetweenLooks) return;
    // AWS takes no size on the condition that it is still what was seen: what he sets before our write is lost with that.
    if (kind === 'minimum' && this.invocations.some(({ pending }) => pending.some(setsMinSize))) return;
    this.log.push(`-- ${kind} ${value}`);
    for (const each of this.invocations) each.isUndisturbed = false;
    if (kind === 'kill') Object.assign(invocation, newInvocation());
    else if (isOrder(kind)) Object.assign(invocation, newInvocation({ begin: false, order: kind }));
    else INTERFERENCES[kind]({ ...this.play, group: this.group, ledger: this.ledger, value });
  }

  /** What is left of the sizes without what is ours is as others have it. */
  private assertSizes(): void {
    const { changes, desiredCapacity, maxSize } = this.group;
    if (changes.addedSizes.change !== undefined) return;
    const theirs = {
      desiredCapacity: desiredCapacity - changes.addedSizes.desiredCapacity,
      maxSize: maxSize - changes.addedSizes.maxSize,
    };
    // Two invocations may take each other's changes for a stranger's.
    if (this.ledger.isUnsure || this.invocations.length > 1) Object.assign(this.ledger.sizes, theirs);
    this.ledger.isUnsure = false;
    const [found, wanted] = [JSON.stringify(theirs), JSON.stringify(this.ledger.sizes)];
    if (found !== wanted) this.fail(`without ours the sizes are ${found}, not ${wanted}`);
  }

  private assertTried(invocation: Invocation): void {
    const actions = invocation.pending.map(describeAction).join('; ');
    const { tried } = invocation;
    invocation.tried = { actions, times: tried.actions === actions ? tried.times + 1 : 1 };
    if (actions !== '' && invocation.tried.times > MOST_REPETITIONS)
      this.fail('tries the same over and over');
  }

  private assertEnd(): void {
    const { group, ledger } = this;
    this.assertSizes();
    if (group.minSize !== ledger.minSize)
      this.fail(`the minimum size is ${group.minSize}, not ${ledger.minSize}`);
    if (group.identity !== undefined) this.fail('the tags are left');
    const [found, wanted] = [[...group.suspended].sort().join(), [...ledger.suspended].sort().join()];
    if (found !== wanted) this.fail(`suspended is ${found}, not ${wanted}`);
    const marked = group.machines.filter(({ mark, alive }) => mark !== undefined && alive);
    if (marked.length > 0) this.fail(`${marked.map(({ id }) => id)} are still marked`);
    const orphans = group.machines.filter(({ state, alive }) => state === null && alive);
    if (orphans.length > 0) this.fail(`${orphans.map(({ id }) => id)} run on, in no group`);
    const draining = group.machines.filter(({ ecs, alive }) => ecs === 'DRAINING' && alive);
    const going = draining.filter(({ state }) => state !== null && !/^Terminating/.test(state));
    if (going.length > 0) this.fail(`${going.map(({ id }) => id)} drain still`);
    if (this.end === 'disturbed') return;
    if (this.ending === 'rolled-back') this.assertRolledBack();
    if (this.ending === 'aborted' || this.ending === 'rolled-back') this.assertNotBegunAnew();
    else this.assertRolled();
  }

  private assertRolled(): void {
    const { group } = this;
    const outdated = group.launched.filter(
      ({ imageId, excluded }) => !group.targets.includes(imageId) && !excluded,
    );
    if (outdated.length > 0) this.fail(`${outdated.map(({ id }) => id)} are outdated`);
  }

  /** The group launches what it did, and no member is left that the roll has launched. */
  private assertRolledBack(): void {
    const { group, before } = this;
    const found = JSON.stringify(this.places());
    if (found !== before) this.fail(`launches from ${found}, not ${before}`);
    const failed = [...group.launched, ...group.pool].filter(
      ({ imageId, excluded }) => group.targets.includes(imageId) && !excluded,
    );
    if (failed.length > 0) this.fail(`${failed.map(({ id }) => id)} were left by the roll`);
  }

  /** What was given up is on record, and the next scheduled invocation leaves the group alone. */
  private assertNotBegunAnew(): void {
    const { group, play } = this;
    const missing = group.targets.filter((imageId) => !group.rejection?.imageIds.includes(imageId));
    if (missing.length > 0) this.fail(`${missing} is not rejected`);
    // What gets too old is replaced by what the group launches, whatever that is; and an alarm may ring still.
    const { drift } = play.settings;
    if (drift.includes('age') || group.isFaulty) return;
    // Aborted on its way back, a group launches what it did before, from which its newest members were not launched.
    if (drift.includes('launch-spec') && JSON.stringify(this.places()) === this.before) return;
    const [decided] = decideAll(asked(group.observe(), play.settings), play.settings, { begin: true });
    if (decided?.decision.kind !== 'skipped' && decided?.decision.kind !== 'up-to-date')
      this.fail(`begins anew: ${decided && describeDecision(decided.decision)}`);
  }

  private check(wrong: string | undefined): void {
    if (wrong !== undefined) this.fail(wrong);
  }

  private fail(what: string): never {
    const log = this.log.filter((line, index) => line !== this.log[index - 1]);
    throw new Error(`${what}, after\n${log.slice(-60).join('\n')}`);
  }
}

function setsMinSize(action: Action): boolean {
  return action.kind === 'set-sizes' && action.minSize !== undefined;
}

function isOrder(kind: Interference['kind']): kind is Order {
  return kind === 'pause' || kind === 'resume' || kind === 'abort' || kind === 'rollback';
}

function newInvocation(request: Request = { begin: true }): Invocation {
  return { watch: NOT_WATCHED, pending: [], isUndisturbed: true, tried: { actions: '', times: 0 }, request };
}

function hasCode({ reason }: Decision, code: ReasonCode): boolean {
  return reason.code === code;
}
