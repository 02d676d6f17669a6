import { isHalted, stageIn } from './line.ts';
import { place, type Standings } from './members.ts';
import type { LineState, MemberName, Sequence, SequenceSeen, Stage } from './model.ts';
import { hoursAfter, membersOf, overdueAt, type Scene } from './scene.ts';
import { emptiness, obstacleToComplete } from './stage.ts';

/** How a stage stands to the release that it takes, and what it waits for: somebody reads it. */
export interface StageView {
  readonly line: string;
  readonly stage: string;
  readonly release?: string;
  readonly phase: 'idle' | 'asking' | 'rolling' | 'soaking' | 'qualified' | 'halted';
  /** Who or what is waited for; empty where nothing is. */
  readonly waitsFor: string;
  /** When it goes on by itself, whoever is waited for. */
  readonly until?: Date;
  /** It is the first, and has got nothing through for too long. */
  readonly isStarved?: true;
  readonly members: readonly Standings[];
}

/** How the stages stand by what is remembered, before the next pass takes orders and goes on. */
export function viewsNow(
  sequence: Sequence,
  { state, statuses, allowances, generation }: SequenceSeen,
  now: Date,
): { readonly views: readonly StageView[]; readonly strangers: readonly MemberName[] } {
  const placed = place(sequence, state, statuses);
  const common = { sequence, placed, allowances, generation, now, events: [] };
  return {
    views: [...state.lines].flatMap(([line, each]) => viewsOf(each, { ...common, line })),
    strangers: placed.strangers,
  };
}

export function viewsOf(line: LineState, scene: Scene): StageView[] {
  return scene.sequence.stages.map((stage, index, stages) => viewOf(line, stage, stages[index - 1], scene));
}

function viewOf(line: LineState, stage: Stage, previous: Stage | undefined, scene: Scene): StageView {
  const state = stageIn(line, stage.name);
  const { release, since, completedAt, qualified, asked, approved } = state;
  const members = membersOf(stage, line, scene);
  const isStarved = state.starvedAt !== undefined && (release === undefined || release !== qualified);
  const about = { line: scene.line, stage: stage.name, members, ...(isStarved && { isStarved }) };
  if (asked !== undefined && asked !== approved && asked !== release && !isHalted(line, asked))
    return { ...about, release: asked, phase: 'asking', waitsFor: 'somebody who approves it' };
  if (release === undefined || since === undefined)
    return { ...about, phase: 'idle', waitsFor: sourceOf(stage, previous, members) };
  const halted = line.halts.find((each) => each.release === release);
  if (halted !== undefined)
    return { ...about, release, phase: 'halted', waitsFor: `a newer release, or a resume: ${halted.why}` };
  if (release === qualified) return { ...about, release, phase: 'qualified', waitsFor: '' };
  if (completedAt !== undefined) {
    const until = hoursAfter(completedAt, stage.soakHours);
    return { ...about, release, phase: 'soaking', waitsFor: 'the end of its soak', until };
  }
  const waitsFor = obstacleToComplete(line, stage, scene) ?? '';
  return { ...about, release, phase: 'rolling', waitsFor, until: overdueAt(stage, since) };
}

/** Where the first release of a stage will come from. */
function sourceOf(stage: Stage, previous: Stage | undefined, members: readonly Standings[]): string {
  if (previous !== undefined) return `a release that is through ${previous.name}`;
  return members.length === 0 ? emptiness(stage) : 'a release that its members find';
}
