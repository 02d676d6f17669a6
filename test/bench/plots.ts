import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
import { CONTESTANTS, oracleOf } from './contestants.ts';
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

/** Ours stand out by their width, and from each other by their shade; the oracle is a mere reference. */
const THEMES = {
  light: { ink: '#1f2328', grid: '#d1d9e0', ours: ['#54aeff', '#0969da', '#bf8fff', '#8250df'] },
  dark: { ink: '#e6edf3', grid: '#3d444d', ours: ['#a5d6ff', '#388bfd', '#d8b9ff', '#a371f7'] },
} as const;

const IS_OURS = "substring(datum.who, 0, 4) === 'ours'";

/** Readable on light and on dark ground. */
const OTHERS = ['#d4a72c', '#57ab5a', '#e0823d', '#e5534b', '#d6619f'];

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
    .flatMap((result): Value[] => {
      const instances = sizes.get(result.cluster);
      return instances === undefined ? [] : [{ who: result.contestant, instances, figure: figure(result) }];
    })
    // What AWS does by itself has no calls, and a logarithm no zero.
    .filter((value) => value.figure > 0);
  const { spec } = compile(specOf(title, values, theme));
  return { file: `${name}-${theme}.svg`, svg: await new View(parse(spec), { renderer: 'none' }).toSVG() };
}

interface Value {
  readonly who: string;
  readonly instances: number;
  readonly figure: number;
}

function specOf(title: string, values: readonly Value[], theme: keyof typeof THEMES): TopLevelSpec {
  const names = [...new Set(values.map(({ who }) => who))];
  const sizes = [...new Set(values.map(({ instances }) => instances))].sort((a, b) => a - b);
  const scale = { type: 'log', nice: false, padding: 12 } as const;
  return {
    title,
    width: 560,
    height: 360,
    background: 'transparent',
    data: { values: [...values] },
    mark: { type: 'line', point: { size: 40 } },
    encoding: {
      x: { field: 'instances', type: 'quantitative', scale, axis: { title: 'Instances', values: sizes } },
      y: {
        field: 'figure',
        type: 'quantitative',
        scale,
        axis: { title: null, values: roundNumbers(values.map(({ figure }) => figure)) },
      },
      color: {
        field: 'who',
        type: 'nominal',
        sort: null,
        legend: { title: null },
        scale: { domain: names, range: names.map((name) => colourOf(name, THEMES[theme])) },
      },
      strokeWidth: { condition: { test: IS_OURS, value: 3 }, value: 1.5 },
    },
    config: configOf(THEMES[theme]),
  };
}

/** The same in each plot, whoever is in it. */
function colourOf(who: string, { ink, ours }: (typeof THEMES)[keyof typeof THEMES]): string {
  const names = CONTESTANTS.filter((each) => oracleOf(each) === 'oracle').map(({ name }) => name);
  const isOurs = (name: string) => name.startsWith('ours');
  const own = names.filter(isOurs).indexOf(who);
  const other = names.filter((name) => !isOurs(name) && !name.startsWith('oracle')).indexOf(who);
  return ours[own] ?? OTHERS[other] ?? ink;
}

/** 1, 3, 10, 30, … as far as they lie among the figures. */
function roundNumbers(figures: readonly number[]): number[] {
  const exponents = Array.from({ length: 7 }, (_, exponent) => 10 ** exponent);
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  return exponents.flatMap((power) => [power, 3 * power]).filter((each) => each >= least && each <= most);
}

function configOf({ ink, grid }: (typeof THEMES)[keyof typeof THEMES]) {
  return {
    title: { color: ink },
    axis: { labelColor: ink, titleColor: ink, gridColor: grid, domainColor: grid, tickColor: grid },
    legend: { labelColor: ink, labelLimit: 400, symbolStrokeWidth: 3, symbolType: 'stroke' },
    view: { stroke: grid },
  } satisfies Config;
}
