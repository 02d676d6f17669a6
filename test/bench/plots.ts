import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
import { CHOSEN } from './contestants.ts';
import type { Result } from './results.ts';

/** A plot, by the name of its file. */
export interface Plot {
  readonly file: string;
  readonly svg: string;
}

const BELOW = 'instance refresh';

const THEMES = {
  light: { ink: '#1f2328', grid: '#d1d9e0', lines: ['#0969da', '#8250df', '#9a6700', '#cf222e'] },
  dark: { ink: '#e6edf3', grid: '#3d444d', lines: ['#58a6ff', '#bf8fff', '#d4a72c', '#ff7b72'] },
} as const;

type Theme = keyof typeof THEMES;

interface Value {
  readonly who: string;
  readonly instances: number;
  readonly minutes: number;
}

/**
 * How many minutes rolls take by the size of their cluster, in each theme.
 *
 * @param sizes of the clusters that are shown, by name
 */
export async function plotsOf(
  results: readonly Result[],
  sizes: ReadonlyMap<string, number>,
): Promise<Plot[]> {
  const values = results
    .filter(({ endings }) => endings.every((ending) => ending === 'completed'))
    .flatMap(({ cluster, contestant, makespanSeconds }): Value[] => {
      const [who, instances] = [CHOSEN[contestant], sizes.get(cluster)];
      return who === undefined || instances === undefined
        ? []
        : [{ who, instances, minutes: makespanSeconds / 60 }];
    });
  const svgOf = (theme: Theme) =>
    new View(parse(compile(specOf(values, theme)).spec), { renderer: 'none' }).toSVG();
  return Promise.all(
    (['light', 'dark'] as const).map(async (theme) => ({
      file: `makespan-${theme}.svg`,
      svg: await svgOf(theme),
    })),
  );
}

function specOf(values: readonly Value[], theme: Theme): TopLevelSpec {
  const { lines } = THEMES[theme];
  const most = (who: string) =>
    Math.max(...values.filter((each) => each.who === who).map((each) => each.instances));
  const ends = values.filter(({ who, instances }) => instances === most(who));
  const x = { field: 'instances', type: 'quantitative', axis: { title: 'Instances' } } as const;
  const y = { field: 'minutes', type: 'quantitative', axis: { title: 'Minutes' } } as const;
  const color = {
    field: 'who',
    type: 'nominal',
    legend: null,
    scale: { domain: Object.values(CHOSEN), range: [...lines] },
  } as const;
  return {
    title: 'Minutes that a roll takes',
    width: 520,
    height: 320,
    background: 'transparent',
    layer: [
      {
        data: { values: [...values] },
        mark: { type: 'line', point: { size: 40 }, strokeWidth: 2.5 },
        encoding: { x, y, color },
      },
      {
        data: { values: ends },
        // Two ways take about as long in large clusters: one label is below its line's end.
        mark: {
          type: 'text',
          align: 'left',
          dx: 8,
          dy: { expr: `datum.who === '${BELOW}' ? 9 : -3` },
          fontSize: 12,
        },
        encoding: { x, y, color, text: { field: 'who' } },
      },
    ],
    config: configOf(theme),
  };
}

function configOf(theme: Theme) {
  const { ink, grid } = THEMES[theme];
  return {
    title: { color: ink },
    axis: { labelColor: ink, titleColor: ink, gridColor: grid, domainColor: grid, tickColor: grid },
    view: { stroke: grid },
  } satisfies Config;
}
