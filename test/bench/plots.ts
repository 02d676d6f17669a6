import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
import { callsInAll, type Result } from './results.ts';

/** A plot, by the name of its file. */
export interface Plot {
  readonly file: string;
  readonly svg: string;
}

interface Subject {
  readonly name: string;
  readonly title: string;
  figure(result: Result): number;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'makespan',
    title: 'Minutes that a roll takes',
    figure: ({ makespanSeconds }) => makespanSeconds / 60,
  },
  { name: 'calls', title: 'AWS calls of a roll', figure: callsInAll },
];

const THEMES = {
  light: { ink: '#1f2328', grid: '#d1d9e0' },
  dark: { ink: '#e6edf3', grid: '#3d444d' },
} as const;

/** Readable on light and on dark ground. https://vega.github.io/vega/docs/schemes/ */
const COLOURS = 'tableau10';

/** Each subject in each theme: rolls that drain one instance at a time, by the size of their cluster. */
export async function plotsOf(
  results: readonly Result[],
  sizes: ReadonlyMap<string, number>,
): Promise<Plot[]> {
  const plots: Promise<Plot>[] = [];
  for (const subject of SUBJECTS)
    for (const theme of ['light', 'dark'] as const) plots.push(plotOf(subject, theme, results, sizes));
  return Promise.all(plots);
}

async function plotOf(
  { name, title, figure }: Subject,
  theme: keyof typeof THEMES,
  results: readonly Result[],
  sizes: ReadonlyMap<string, number>,
): Promise<Plot> {
  const values = results
    .filter(({ endings, oracle }) => oracle === 'oracle' && endings.every((ending) => ending === 'completed'))
    .map((result) => ({
      who: result.contestant,
      instances: sizes.get(result.cluster),
      figure: figure(result),
    }))
    // What AWS does by itself has no calls, and a logarithm no zero.
    .filter((value) => value.instances !== undefined && value.figure > 0);
  const { spec } = compile(specOf(title, values, theme));
  return { file: `${name}-${theme}.svg`, svg: await new View(parse(spec), { renderer: 'none' }).toSVG() };
}

function specOf(title: string, values: readonly object[], theme: keyof typeof THEMES): TopLevelSpec {
  return {
    title,
    width: 560,
    height: 360,
    background: 'transparent',
    data: { values: [...values] },
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'instances', type: 'quantitative', scale: { type: 'log' }, axis: { title: 'Instances' } },
      y: { field: 'figure', type: 'quantitative', scale: { type: 'log' }, axis: { title: null } },
      color: {
        field: 'who',
        type: 'nominal',
        sort: null,
        legend: { title: null },
        scale: { scheme: COLOURS },
      },
    },
    config: configOf(THEMES[theme]),
  };
}

function configOf({ ink, grid }: (typeof THEMES)[keyof typeof THEMES]) {
  return {
    title: { color: ink },
    axis: { labelColor: ink, titleColor: ink, gridColor: grid, domainColor: grid, tickColor: grid },
    legend: { labelColor: ink, labelLimit: 300 },
    view: { stroke: grid },
  } satisfies Config;
}
