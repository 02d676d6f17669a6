import type { Json } from './scrub.ts';

/**
 * Each path of an answer, such as `Reservations[].Instances[].State.Code`, with the kinds of value seen
 * there.
 */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** Of several answers to the same operation: what is there in any of them. */
export function shapeOf(answers: readonly Json[]): Shape {
  const shape = new Map<string, Set<string>>();
  for (const answer of answers) collect(shape, '', answer);
  return shape;
}

function collect(shape: Map<string, Set<string>>, path: string, value: Json) {
  shape.set(path, (shape.get(path) ?? new Set()).add(kindOf(value)));
  if (isList(value)) for (const item of value) collect(shape, `${path}[]`, item);
  else if (typeof value === 'object' && value !== null)
    for (const [key, field] of Object.entries(value))
      collect(shape, path === '' ? key : `${path}.${key}`, field);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function kindOf(value: Json): string {
  if (isList(value)) return 'list';
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return /^\d{4}-.*Z$/.test(value) ? 'time' : 'text';
}

/** What makes a simulated answer another than a real one. */
export interface Difference {
  /** `missing` is no lie: it is there in the real answer alone. */
  readonly kind: 'invented' | 'missing' | 'other-kind';
  readonly path: string;
}

/**
 * Where the simulated shape differs from the real one. What is below an invented field isn't reported again.
 */
export function differences(real: Shape, simulated: Shape): Difference[] {
  const invented = [...simulated.keys()].filter((path) => !real.has(path) && real.has(parentOf(path)));
  const missing = [...real.keys()].filter((path) => !simulated.has(path) && simulated.has(parentOf(path)));
  const other = [...simulated].filter(([path, kinds]) => {
    const known = real.get(path);
    return known !== undefined && [...kinds].some((kind) => !known.has(kind));
  });
  return [
    ...invented.map((path): Difference => ({ kind: 'invented', path })),
    ...missing.map((path): Difference => ({ kind: 'missing', path })),
    ...other.map(([path]): Difference => ({ kind: 'other-kind', path })),
  ];
}

function parentOf(path: string): string {
  if (path.endsWith('[]')) return path.slice(0, -2);
  return path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
}
