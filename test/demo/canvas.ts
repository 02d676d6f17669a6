import type { Colors } from 'picocolors/types.js';

/** Where a frame is to fit in. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly colors: Colors;
}

/** One line: a tab or a line break would shift whatever stands beside or below it. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function shorten(text: string, width: number): string {
  const line = oneLine(text);
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
}

/** As many lines as it takes. */
export function wrapAll(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = oneLine(text);
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Two lines at the most. */
export function wrap(text: string, width: number): string[] {
  const line = oneLine(text);
  if (line.length <= width) return [line];
  const space = line.lastIndexOf(' ', width);
  const end = space > 0 ? space : width;
  return [line.slice(0, end), shorten(line.slice(end).trimStart(), width)];
}
