import type { MutationResult } from './mutation.ts';
import { STAGES, testsOf } from './stages.ts';

/** The results as a Markdown table: which rule was broken, and what noticed first. */
export function mutationTable(results: readonly MutationResult[]): string {
  const rows = results.map(({ rule, harm, file, caughtBy = '**nothing**', stage = '' }) =>
    [rule, `\`${file}\``, stage, caughtBy, harm].map(cell).join(' | '),
  );
  const caught = results.filter(({ caughtBy }) => caughtBy !== undefined).length;
  return [
    `${caught} of ${results.length} broken rules are caught.`,
    '',
    '| Rule | Broken in | Stage | Caught first by | Without it |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** A line, as soon as it is known. */
export function progressOf(result: MutationResult, done: number, all: number): string {
  const { rule, stage, caughtBy = 'NOTHING', seconds } = result;
  return `${done}/${all} ${seconds.toFixed(0)} s ${rule}: ${stage === undefined ? '' : `${stage}: `}${caughtBy}`;
}

/**
 * The test files that were never the first to catch a broken rule; each may still notice one that another
 * caught before.
 */
export function neverFirst(results: readonly MutationResult[]): string[] {
  const files = STAGES.flatMap(testsOf);
  return files.filter((file) => !results.some(({ caughtBy }) => caughtBy?.startsWith(file)));
}
