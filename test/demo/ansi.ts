/** How a stretch of text looks. */
export interface Style {
  readonly color: string | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly inverse: boolean;
}

/** A stretch of one look, from a column on. */
export interface Run {
  readonly column: number;
  readonly text: string;
  readonly style: Style;
}

const PLAIN: Style = { color: undefined, bold: false, dim: false, inverse: false };

const COLORS: Readonly<Record<number, string>> = {
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
};

/** The codes that picocolors writes: https://en.wikipedia.org/wiki/ANSI_escape_code#Select_Graphic_Rendition_parameters */
function styleAfter(style: Style, code: number): Style {
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 7 || code === 27) return { ...style, inverse: code === 7 };
  return { ...style, color: COLORS[code] };
}

/** A line with control codes as stretches of text, without the blanks between them. */
export function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let [column, style] = [0, PLAIN];
  const [first = '', ...others] = line.split('\u001b[');
  for (const part of [`m${first}`, ...others]) {
    const [, code = '', text = ''] = /^(\d*)m(.*)$/.exec(part) ?? [];
    if (code !== '') style = styleAfter(style, Number(code));
    for (const { index, 0: words } of text.matchAll(/\S+(?: \S+)*/g))
      runs.push({ column: column + index, text: words, style });
    column += text.length;
  }
  return runs;
}
