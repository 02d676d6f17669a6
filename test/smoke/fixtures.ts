import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answered } from './recorder.ts';
import { type Json, scrub } from './scrub.ts';

/** AWS's answers to one operation, without what would show whose account it was. */
export interface Fixture {
  readonly operation: string;
  /** No two are the same. */
  readonly outputs: readonly Json[];
  /** Raw codes. */
  readonly errors: readonly string[];
}

/** Of each operation so many answers that differ, at most. */
const MOST_OUTPUTS = 10;

/** Gathers answers as they come, scrubbed at once: nothing else is ever kept. */
export function gather() {
  const gathered = new Map<string, { outputs: Map<string, Json>; errors: Set<string> }>();
  return {
    tell({ operation, answer }: Answered) {
      const { outputs, errors } = gathered.get(operation) ?? { outputs: new Map(), errors: new Set() };
      gathered.set(operation, { outputs, errors });
      if ('error' in answer) return void errors.add(answer.error);
      if (outputs.size === MOST_OUTPUTS) return;
      const output = scrub(answer.output);
      outputs.set(JSON.stringify(output), output);
    },
    fixtures: (): Fixture[] =>
      [...gathered].sort().map(([operation, { outputs, errors }]) => ({
        operation,
        outputs: [...outputs.values()],
        errors: [...errors].sort(),
      })),
  };
}

/** One file for each operation. */
export function writeFixtures(folder: string, fixtures: readonly Fixture[]) {
  mkdirSync(folder, { recursive: true });
  for (const fixture of fixtures)
    writeFileSync(join(folder, `${fixture.operation}.json`), `${JSON.stringify(fixture, undefined, 2)}\n`);
}

/** Empty if no run has written any. */
export function readFixtures(folder: string): Fixture[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name.endsWith('.json'));
  return names.map(({ name }) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
