import type { MutationResult } from './mutation.ts';
import { STAGES, testsOf } from './stages.ts';

/** The results as a table in Markdown: which rule was broken, and what told first. */
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
 * The test files that no broken rule was caught by first; each may still have told of one that another told
 * of before.
 */
export function neverFirst(results: readonly MutationResult[]): string[] {
  const files = STAGES.flatMap(testsOf);
  return files.filter((file) => !results.some(({ caughtBy }) => caughtBy?.startsWith(file)));
}
