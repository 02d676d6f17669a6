/** Unknown is neither: no reason to go ahead, and none to refuse. */
export type Truth = 'yes' | 'no' | 'unknown';

export function truthOf(test: boolean): Truth {
  return test ? 'yes' : 'no';
}

export function not(truth: Truth): Truth {
  if (truth === 'unknown') return truth;
  return truth === 'yes' ? 'no' : 'yes';
}

export function all(truths: readonly Truth[]): Truth {
  if (truths.includes('no')) return 'no';
  return truths.includes('unknown') ? 'unknown' : 'yes';
}

export function any(truths: readonly Truth[]): Truth {
  return not(all(truths.map(not)));
}
