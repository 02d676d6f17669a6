import type { Allowed } from '../model/permit.ts';
import { isHalted, stageIn } from './line.ts';
import type { Standings } from './members.ts';
import { type Allowance, type LineState, memberKey, type Stage } from './model.ts';
import { isNewer } from './release.ts';
import { membersOf, type Scene } from './scene.ts';
import { counts } from './slots.ts';

export function allowancesFrom(
  lines: ReadonlyMap<string, LineState>,
  common: Omit<Scene, 'line'>,
): ReadonlyMap<string, Allowance> {
  const { sequence, placed, allowances, generation } = common;
  const nothing = new Map();
  // What they were allowed before they were of no stage any more.
  const ofNoStage = [...placed.leftOut, ...placed.strangers].flatMap((member) => {
    const key = memberKey(member);
    const before = allowances.get(key);
    return before === undefined ? [] : [[key, nextAllowance(before, nothing, 0, generation)] as const];
  });
  return new Map([
    ...ofNoStage,
    ...sequence.stages.flatMap((stage) => {
      const allowed = allowedInStage(lines, stage, common);
      return (placed.byStage.get(stage.name) ?? []).map(({ member }) => {
        const key = memberKey(member);
        const own = new Map(allowed.flatMap(([line, by]) => keyed(line, by.get(key))));
        const withdrawn = withdrawnBy(lines, stage, key);
        return [key, nextAllowance(allowances.get(key), own, withdrawn, generation)] as const;
      });
    }),
  ]);
}

/** By line, what each member of the stage may have, by its key. */
function allowedInStage(
  lines: ReadonlyMap<string, LineState>,
  stage: Stage,
  common: Omit<Scene, 'line'>,
): (readonly [string, ReadonlyMap<string, Allowed>])[] {
  return [...lines].map(([line, state]) => {
    const scene = { ...common, line };
    const members = membersOf(stage, state, scene);
    const allowed = members.flatMap((each) =>
      keyed(memberKey(each.status.member), allowedIn(state, stage, each, scene)),
    );
    return [line, new Map(allowed)];
  });
}

const keyed = <Value>(key: string, value: Value | undefined) =>
  value === undefined ? [] : [[key, value] as const];

/** Raised even if nothing else changes where the last grant was never written: a slot waits to be read. */
function nextAllowance(
  before: Allowance = { generation: 0, lines: new Map() },
  lines: Allowance['lines'],
  withdrawn: number,
  generation: number,
): Allowance {
  const isSame = JSON.stringify([...before.lines].sort()) === JSON.stringify([...lines].sort());
  return isSame && before.generation >= withdrawn ? before : { generation, lines };
}

function withdrawnBy(lines: ReadonlyMap<string, LineState>, stage: Stage, key: string): number {
  return Math.max(
    0,
    ...[...lines.values()].map((line) => stageIn(line, stage.name).slots.get(key)?.withdrawnBy ?? 0),
  );
}

/** What a member may have: what its stage takes, once it has a slot; until then what it had before. */
function allowedIn(
  line: LineState,
  stage: Stage,
  { standing, status }: Standings,
  scene: Scene,
): Allowed | undefined {
  const { release, before, slots, isBack } = stageIn(line, stage.name);
  const { rolling, runs } = status.lines.get(scene.line) ?? {};
  const isStopped = line.halts.some((each) => each.release === rolling && each.isNow);
  // A newer release that the stage takes meanwhile doesn't let it go on.
  if (rolling !== undefined && rolling !== release && isStopped) return { release: rolling, stops: true };
  const slot = slots.get(memberKey(status.member));
  const isGranted = slot !== undefined && counts(slot) && slot.withdrawnBy === undefined;
  if (release !== undefined && (isGranted || standing === 'done' || standing === 'rolling')) {
    const stops = standing === 'rolling' && isStopped;
    return { release, ...(isBack && { isBack }), ...(stops && { stops }) };
  }
  const oldest = runs?.oldest;
  const hasHad = before !== undefined && oldest !== undefined && !isNewer(before, oldest, line.known);
  return hasHad && !isHalted(line, before) ? { release: before } : undefined;
}
