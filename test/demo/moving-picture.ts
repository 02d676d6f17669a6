import { type Run, runsOf, type Style } from './ansi.ts';

/** What a terminal shows from a moment on. */
export interface Frame {
  readonly atSeconds: number;
  readonly lines: readonly string[];
}

export interface PictureOptions {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** How long the last frame stays, before the first comes again. */
  readonly restSeconds: number;
}

/** In pixels. A character is as wide as DejaVu Sans Mono's at this size; other fonts are stretched to it. */
const [CHARACTER, LINE, MARGIN] = [7.83, 17, 16] as const;
const FONT =
  'font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace';
/** On a panel of its own, so that it can be read on a light page and on a dark one. */
const PANEL = '#161b22';
const PALETTE: Readonly<Record<string, string>> = {
  red: '#ff7b72',
  green: '#56d364',
  yellow: '#e3b341',
  blue: '#79c0ff',
  magenta: '#d2a8ff',
  cyan: '#39c5cf',
};
const PLAIN = '#e6edf3';
const DIM = '#8b949e';

/**
 * An SVG that moves by itself, by styles alone, as GitHub runs no scripts: the frames stand side by side, and
 * the one whose time has come is moved in. A line that many frames have is drawn once.
 */
export function movingPicture(frames: readonly Frame[], options: PictureOptions): string {
  const { title, columns, rows, restSeconds } = options;
  const width = Math.round(columns * CHARACTER + 2 * MARGIN);
  const height = rows * LINE + 2 * MARGIN;
  const seconds = (frames.at(-1)?.atSeconds ?? 0) + restSeconds;
  const steps = frames.map(
    ({ atSeconds }, index) =>
      `${figure((atSeconds / seconds) * 100)}%{transform:translateX(${-index * width}px)}`,
  );
  const last = `transform:translateX(${-(frames.length - 1) * width}px)`;
  const lines = new Map<string, string>();
  const idOf = (line: string) => {
    const id = lines.get(line) ?? `l${lines.size.toString(36)}`;
    lines.set(line, id);
    return id;
  };
  const strip = frames.map(({ lines: shown }, index) => {
    const uses = shown.flatMap((line, row) =>
      runsOf(line).length === 0 ? [] : [`<use href="#${idOf(line)}" y="${row * LINE}"/>`],
    );
    return `<g transform="translate(${index * width})">${uses.join('')}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{${FONT};fill:${PLAIN};white-space:pre}.b{font-weight:bold}.d{fill:${DIM}}`,
    ...Object.entries(PALETTE).map(([name, color]) => `.${name}{fill:${color}}`),
    `.i{fill:${PANEL}}`,
    `#s{animation:m ${figure(seconds)}s step-end infinite}@keyframes m{${steps.join('')}to{${last}}}`,
    `@media(prefers-reduced-motion:reduce){#s{animation:none;${last}}}</style>`,
    `<clipPath id="c"><rect width="${width - 2 * MARGIN}" height="${height - 2 * MARGIN}"/></clipPath>`,
    `<defs>${[...lines].map(([line, id]) => lineOf(id, runsOf(line))).join('')}</defs>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${PANEL}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})" clip-path="url(#c)"><g id="s">${strip.join('')}</g></g>`,
    '</svg>\n',
  ].join('\n');
}

function lineOf(id: string, runs: readonly Run[]): string {
  return `<g id="${id}">${runs.map(runOf).join('')}</g>`;
}

function runOf({ column, text, style }: Run): string {
  const [x, width] = [figure(column * CHARACTER), figure(text.length * CHARACTER)];
  const names = classesOf(style);
  const back = style.inverse
    ? `<rect class="${style.color ?? ''}" x="${x}" width="${width}" height="${LINE}"/>`
    : '';
  const look = names.length > 0 ? ` class="${names.join(' ')}"` : '';
  const fitted = text.length > 1 ? ` textLength="${width}"` : '';
  return `${back}<text x="${x}" y="13"${fitted}${look}>${escaped(text)}</text>`;
}

function classesOf({ color, bold, dim, inverse }: Style): string[] {
  const paint = inverse ? ['i'] : [...(color === undefined ? [] : [color]), ...(dim ? ['d'] : [])];
  return [...paint, ...(bold ? ['b'] : [])];
}

function figure(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
