/** How a time grows with a size, from measured pairs of the two. */
export interface Growth {
  /** 1: linear, 2: quadratic. */
  readonly exponent: number;
  /** 1: the fit explains all of the differences. */
  readonly rSquared: number;
}

/** Fits time = factor × size ^ exponent, by least squares of the logarithms. */
export function growthOf(pairs: readonly (readonly [size: number, time: number])[]): Growth {
  const points = pairs.map(([size, time]) => ({ x: Math.log(size), y: Math.log(time) }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  const xx = mean((point) => (point.x - x) ** 2);
  const xy = mean((point) => (point.x - x) * (point.y - y));
  const yy = mean((point) => (point.y - y) ** 2);
  return { exponent: xy / xx, rSquared: yy === 0 ? 1 : xy ** 2 / (xx * yy) };
}
