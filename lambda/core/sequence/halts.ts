import { halt, isHalted, stageIn } from './line.ts';
import {
  type Halt,
  type LineState,
  memberKey,
  type SequenceEvent,
  type SequenceState,
  type Stage,
} from './model.ts';
import { isNewer, isSibling } from './release.ts';
import { membersOf, type Scene } from './scene.ts';

/** What orders have halted. */
export function haltsBetween(before: SequenceState, after: SequenceState): SequenceEvent[] {
  return [...after.lines].flatMap(([line, { halts }]) =>
    halts
      .filter((each) => !before.lines.get(line)?.halts.includes(each))
      .map(({ release, why }) => ({ kind: 'ReleaseHalted', line, release, why }) as const),
  );
}

/**
 * Halts what was withdrawn, or fails in more members of a stage than it tolerates, even after it was
 * qualified there.
 */
export function judge(before: LineState, scene: Scene): LineState {
  let line = before;
  for (const stage of scene.sequence.stages) {
    const { release } = stageIn(line, stage.name);
    if (release === undefined || isHalted(line, release)) continue;
    const why = whyToHalt(line, stage, scene);
    if (why === undefined) continue;
    scene.events.push({ kind: 'ReleaseHalted', line: scene.line, stage: stage.name, release, why });
    line = halt(line, [{ release, at: scene.now, why }]);
  }
  return line;
}

function whyToHalt(line: LineState, stage: Stage, scene: Scene): string | undefined {
  if (isWithdrawn(line, stage, scene)) return 'nobody finds its image any more';
  const failed = membersOf(stage, line, scene).filter(({ standing }) => standing === 'failed');
  if (failed.length <= stage.tolerate) return undefined;
  const [first] = failed;
  const name = first ? memberKey(first.status.member) : '';
  return `${failed.length} failed in ${stage.name}, the first: ${name} (${first?.why ?? ''})`;
}

/** Whoever looks for images finds older ones than that which the stage took, and which isn't through all. */
function isWithdrawn(line: LineState, stage: Stage, { sequence, placed, line: name }: Scene): boolean {
  const { release, isBack } = stageIn(line, stage.name);
  const last = sequence.stages.at(-1);
  const isThrough = last !== undefined && stageIn(line, last.name).qualified === release;
  if (release === undefined || isBack || isThrough) return false;
  // Somebody has resumed it all the same.
  if ([...line.stages.values()].some((each) => each.release === release && each.forgivenAt)) return false;
  const own = [...placed.byStage.values()].flat().flatMap(({ lines }) => lines.get(name) ?? []);
  const found = new Set(own.flatMap(({ newest }) => newest ?? []));
  // While it goes back, a member doesn't look.
  const isUnsure = own.some(({ newest, rolling }) => newest === undefined && rolling !== undefined);
  return !isUnsure && found.size > 0 && [...found].every((each) => isNewer(release, each, line.known));
}

type NamedLine = readonly [string, LineState];

/**
 * Halts a release where the same one was in another line, or one of another architecture; but once: whoever
 * resumes it isn't overruled.
 */
export function haltSiblings(lines: readonly NamedLine[], { now, events }: Omit<Scene, 'line'>): NamedLine[] {
  const halts = lines.flatMap(([, line]) => line.halts);
  return lines.map(([name, line]) => {
    const own = line.known.flatMap((each): Halt[] => {
      const before = line.halts.find(({ release }) => release === each.name);
      const causes = halts.filter(
        (cause) =>
          cause !== before &&
          (cause.at >= now || each.since >= now) &&
          (cause.release === each.name || isSibling(each.name, cause.release)),
      );
      const cause = causes.find(({ isNow }) => isNow) ?? causes[0];
      // One that is halted already can only be stopped, too.
      if (cause === undefined || (before !== undefined && (before.isNow || !cause.isNow))) return [];
      const why = `${cause.release} was halted`;
      return [{ release: each.name, at: now, why, ...(cause.isNow && { isNow: true }) }];
    });
    events.push(
      ...own.map(({ release, why }) => ({ kind: 'ReleaseHalted', line: name, release, why }) as const),
    );
    return [name, halt(line, own)] as const;
  });
}
