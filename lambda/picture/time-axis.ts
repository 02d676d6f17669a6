/** Steps between two marks, in seconds, of which a person can read the times. */
const STEPS = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

const MOST_MARKS = 8;

/** Where the axis has marks, in seconds: few enough to read on a phone. */
export function marksOn(seconds: number): number[] {
  const step = STEPS.find((each) => seconds / each <= MOST_MARKS) ?? 86_400 * Math.ceil(seconds / 86_400 / 8);
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
}

/** A time since the beginning: `90 s`, `12 min`, `1 h 30 min`, `2 d`. */
export function elapsedText(seconds: number): string {
  if (seconds < 120 && seconds % 60 !== 0) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = [
    ...(days > 0 ? [`${days} d`] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(rest > 0 ? [`${rest} min`] : []),
  ];
  return parts.join(' ') || '0 min';
}
