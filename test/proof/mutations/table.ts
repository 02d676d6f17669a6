import type { MutationResult } from './mutation.ts';
import { STAGES, testsOf } from './stages.ts';

/** The results as a Markdown table: which rule was broken, and what noticed first. */
export function mutationTable(results: readonly MutationResult[]): string {
  const rows = results.map(({ rule, harm, file, caughtBy = '**nothing**' }) =>
    [rule, `\`${file}\``, caughtBy, harm].map(cell).join(' | '),
  );
  const caught = results.filter(({ caughtBy }) => caughtBy !== undefined).length;
  return [
    `${caught} of ${results.length} broken rules are caught.`,
    '',
    '| Rule | Broken in | Caught first by | Without it |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/**
 * The test files that were never the first to catch a broken rule; each may still notice one that another
 * caught before.
 */
export function neverFirst(results: readonly MutationResult[]): string[] {
  const files = STAGES.flatMap(testsOf);
  return files.filter((file) => !results.some(({ caughtBy }) => caughtBy?.startsWith(file)));
}
