import { GROUP_TAGS } from '../../lambda/contract.ts';
import { outcomeOf } from '../invariants/outcome.ts';
import { KINDS, type Kind, kindNamed } from '../rollout/kinds.ts';
import {
  MISHAPS,
  type MishapName,
  nameOf,
  newImages,
  optionsOf,
  type RollbackKind,
} from '../rollout/rollback-kinds.ts';
import { expectGroups } from '../rollout/rollback-play.ts';
import type { Outcome, Stage, StageOptions } from '../rollout/stage.ts';
import { BRISK } from '../rollout/sweep.ts';
import { TELLS } from '../rollout/told.ts';
import { FORGED_SCENARIOS } from './forged-scenarios.ts';

/** A course that a roll takes, to be killed at each of its calls, or struck after each of its writes. */
export interface Scenario {
  readonly name: string;
  readonly options: StageOptions;
  /** What befalls it in place of a kill. */
  strike?(stage: Stage): void;
  /** From the first invocation on. Any of its invocations may be killed: then it goes on with the next. */
  play(stage: Stage): Promise<void>;
  /** What is left to do afterwards, killed or not. Default: `finishRoll`. */
  finish?(stage: Stage): Promise<void>;
  /** Throws unless it has ended where it should, apart from invariants. */
  check(stage: Stage): void;
}

function ofKind({ name, replaces, environment, ...options }: Kind): Scenario {
  return {
    name,
    options: { ...BRISK, ...options, environment: { ...BRISK.environment, ...environment } },
    play: async ({ invoke }) => void (await invoke()),
    check({ invariants, world }) {
      const { instancesReplaced } = invariants.metrics();
      // A launch takes a warm instance in whatever zone: one more evens the zones out.
      const isWarm = [...world.state.groups.values()].some(({ warmPool }) => warmPool !== undefined);
      if (instancesReplaced < replaces || instancesReplaced > replaces + (isWarm ? 1 : 0))
        throw new Error(`${instancesReplaced} instances were replaced, not ${replaces}`);
    },
  };
}

/** Long enough to have its calls killed, and no longer. */
const TRIAL = { CANARY: '1', BAKE_SECONDS: '60' } as const;

/** The first member is tried out before the others follow. */
function onTrial(name: string): Scenario {
  const kind = kindNamed(name);
  return ofKind({ ...kind, name: `canary, ${name}`, environment: { ...kind.environment, ...TRIAL } });
}

/** An event bus is told of the roll. */
function telling(name: string): Scenario {
  const kind = kindNamed(name);
  return ofKind({ ...kind, name: `told, ${name}`, environment: { ...kind.environment, ...TRIAL, ...TELLS } });
}

/** The course of a roll that somebody orders, or fate; what isn't said is not so. */
interface Setback {
  readonly kind: string;
  readonly mishap: MishapName;
  readonly provider?: boolean;
  readonly room?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What fails is given up soon: what is waited for makes the same calls over and over. */
const IMPATIENT = { ...TRIAL, READY_TIMEOUT_SECONDS: '120' } as const;

function setback({ kind, mishap, provider = false, room = false, environment }: Setback): Scenario {
  const row: RollbackKind = { kind: kindNamed(kind), mishap: MISHAPS[mishap], provider, room };
  const { options, before, endedUndrained } = optionsOf(row);
  return {
    name: nameOf(row),
    options: { ...options, environment: { ...options.environment, ...IMPATIENT, ...environment } },
    play: async ({ invoke }) => void (await invoke()),
    check(staged) {
      // If it was killed before it began, the roll begins after the order that should end it.
      const isLate = staged.log.some((line) => line.endsWith(NOTHING_BEGUN)) && isCompleted(staged);
      const come = isLate ? { ...row, mishap: { ...row.mishap, ending: 'completed' as const } } : row;
      expectGroups({ row: come, staged, before, endedUndrained, rejected: newImages(staged.world) });
    },
  };
}

const isCompleted = ({ world }: Stage) =>
  [...world.state.groups.values()].every((group) => outcomeOf(group) === 'completed');

type Order = 'abort' | 'rollback' | 'pause';

interface Ordered extends Omit<Setback, 'mishap'> {
  readonly order: Order;
  /** How long the roll has been under way by then. */
  readonly afterSeconds: number;
}

/** Somebody gives an order during the roll; a paused roll they resume later. */
function ordered({ order, afterSeconds, ...rest }: Ordered): Scenario {
  const { name, ...scenario } = setback({ ...rest, mishap: order });
  return {
    ...scenario,
    name: name.replace(/: .*/, `: ${order} after ${afterSeconds} s`),
    async play(staged) {
      const [, first] = await staged.invokeTogether([{ action: 'roll' }, { action: order }], afterSeconds);
      const answered = first?.kind === 'answered' ? first : await insist(staged, { action: order });
      if (answered.groups.every(({ group }) => group === '*')) staged.tell('order', NOTHING_BEGUN);
      if (order !== 'pause') return;
      staged.clock.advance(PAUSED_SECONDS);
      await staged.invoke({ action: 'continue' });
      await insist(staged, { action: 'resume' });
    },
  };
}

const NOTHING_BEGUN = 'there is no roll yet';

const PAUSED_SECONDS = 300;

type Answered = Extract<Outcome, { kind: 'answered' }>;

/**
 * For a scenario: an order that somebody repeats until it is answered, because a killed invocation leaves
 * them in doubt.
 */
export async function insist(staged: Stage, event: object): Promise<Answered> {
  const outcome = await staged.invoke(event);
  return outcome.kind === 'killed' ? insist(staged, event) : outcome;
}

/**
 * New instances lack an attribute that somebody put on the old ones: a service of two tasks stays where it is
 * until they have it.
 */
function stranding(): Scenario {
  const kind = kindNamed('launch template by 1');
  const attribute = (world: Stage['world']) => {
    for (const instance of world.state.instances.values())
      if (instance.containerInstance) world.owner.putAttribute(instance, 'stack', 'blue');
  };
  return {
    ...ofKind({
      ...kind,
      environment: { ...kind.environment, CANARY: '0', DRAIN_TIMEOUT_SECONDS: '300' },
      furnish(world) {
        kind.furnish(world);
        attribute(world);
        const expressions = ['attribute:stack == blue'];
        world.addService('demo', { name: 'tied', desiredCount: 2, minimumHealthyPercent: 50, expressions });
      },
    }),
    name: 'a service tied to what new instances lack',
    async play(staged) {
      for (let count = 0; count < 8; count++) {
        // Killed before it began, it begins with the next schedule: while new instances lack the attribute
        // still.
        await staged.invoke({ action: hasBegun(staged) ? 'continue' : 'roll' });
        staged.clock.advance(300);
      }
      attribute(staged.world);
      await insist(staged, { action: 'roll' });
    },
  };
}

const hasBegun = ({ world }: Stage) =>
  [...world.state.groups.values()].some(({ tags }) => tags.has(GROUP_TAGS.cluster));

export const SCENARIOS: readonly Scenario[] = [
  ...KINDS.map(ofKind),
  stranding(),
  ...['launch template by 1', 'no surge'].map(telling),
  ...['launch configuration', 'launch template by 1', 'target group, within the maximum', 'no surge'].map(
    onTrial,
  ),
  setback({ kind: 'launch configuration', mishap: 'agents' }),
  setback({ kind: 'launch template by $Latest', mishap: 'agents', provider: true }),
  setback({ kind: 'launch template by 1', mishap: 'launches' }),
  setback({ kind: 'launch template by $Default', mishap: 'launches', provider: true, room: true }),
  setback({ kind: 'launch template by no version', mishap: 'crashes' }),
  setback({ kind: 'target group, within the maximum', mishap: 'crashes', provider: true }),
  setback({ kind: 'classic load balancer', mishap: 'agents', room: true }),
  setback({ kind: 'no surge', mishap: 'crashes' }),
  setback({ kind: 'warm pool, Stopped', mishap: 'agents' }),
  setback({ kind: 'mixed instances with images of overrides', mishap: 'crashes' }),
  setback({ kind: 'batches', mishap: 'later', provider: true }),
  ordered({
    kind: 'launch template by 1',
    order: 'rollback',
    afterSeconds: 200,
    environment: { CANARY: '2' },
  }),
  ordered({
    kind: 'launch template by $Latest',
    order: 'rollback',
    afterSeconds: 290,
    provider: true,
    environment: { CANARY: '2' },
  }),
  ordered({ kind: 'target group, within the maximum', order: 'rollback', afterSeconds: 330 }),
  ordered({ kind: 'launch configuration', order: 'abort', afterSeconds: 200 }),
  ordered({
    kind: 'target group, above the maximum',
    order: 'abort',
    afterSeconds: 330,
    environment: { CANARY: '0' },
  }),
  ordered({
    kind: 'launch template by $Default',
    order: 'pause',
    afterSeconds: 200,
    environment: { CANARY: '2' },
  }),
  ...FORGED_SCENARIOS,
];

export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
  return scenario;
}
