import { oneLine } from './canvas.ts';
import { type Progress, type Row, rowsOf, standing, timeOf } from './progress.ts';
import type { Told } from './told.ts';

/** What is new since `before`, in lines for a pipe or a file: no colors, nothing said twice. */
export function newLines(before: Progress | undefined, after: Progress): string[] {
  const known = new Map(before && rowsOf(before).map((row) => [row.id, stateText(row)]));
  // None changes by a newer image alone, which makes old ones of all.
  const changed = rowsOf(after).filter((row) => known.get(row.id) !== stateText(row));
  const time = timeOf(after.elapsedSeconds);
  return [
    ...(before ? [] : [titleLine(after)]),
    ...after.told.slice(before?.told.length ?? 0).map(toldLine),
    ...changed.map((row) => `${time}      ${row.id} (${row.image}): ${stateText(row)}, ${tasksText(row)}`),
    ...countLine(before, after),
  ];
}

function titleLine({ cluster, newImage, flaw, oldIds, speed }: Progress): string {
  const what = `${oldIds.length} instances of cluster ${cluster} onto ${newImage.id} (${newImage.name}${flaw ? `: ${flaw}` : ''})`;
  return `Rolling ${what}, at ${speed} times the speed`;
}

function stateText({ group, ec2, ecs }: Row): string {
  return `group ${group}, EC2 ${ec2}, ECS ${ecs}`;
}

function tasksText({ tasks }: Row): string {
  return tasks.length === 1 ? '1 task' : `${tasks.length} tasks`;
}

function toldLine({ atSeconds, number, kind, text }: Told): string {
  return `${timeOf(atSeconds)}  #${number}  ${kind === 'killed' ? `*** ${text} ***` : oneLine(text)}`;
}

function countLine(before: Progress | undefined, after: Progress): string[] {
  if (before === undefined || standing(before) === standing(after)) return [];
  return [`${timeOf(after.elapsedSeconds)}      ${standing(after)}`];
}
