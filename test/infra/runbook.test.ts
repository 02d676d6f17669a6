import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const source = readdirSync(join(ROOT, 'lambda'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(join('lambda', file)))
  .join('\n');

/** The source with each string in one piece, and without the values in it. */
const texts = source.replaceAll(/['`]\s*\+\s*['`]/g, '').replaceAll(/\$\{[^}]*\}/g, '…');

/** Phrases that the runbook's tables quote from the function. */
const [, ofRolls = ''] = read('RUNBOOK.md').split(/^(?=## `RolloutAlarm`)/m);
const quoted = [...ofRolls.matchAll(/^\| (`.*?`) \| /gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
  .map(([, phrase = '']) => phrase);

/** Example names, numbers and states, and the places where sentences are joined. */
const EXAMPLES =
  /(?:i|ami|snap)-…|…|ecs-ami-deploy[-:]\w*|\/dev\/\w+|\b(?:api|arm64|x86_64|t3\.large|family:job|vcpu|InService|REGISTERING|REGISTRATION_FAILED|\w+ing:\w+|tasks?|a and b)\b|\d+(?:\/\d+)?|[:;,()]/;

/** The fixed pieces of a text, of two words or more. */
function fixedPieces(text: string, changing: RegExp): string[] {
  return text
    .split(changing)
    .map((piece) => piece.trim())
    .filter((piece) => piece.includes(' '));
}

describe('the runbook', () => {
  test.each(quoted)('quotes what the function says: %s', (phrase) => {
    const pieces = [
      phrase
        .split(EXAMPLES)
        .join('…')
        .replaceAll(/…(?: …)+/g, '…'),
      ...fixedPieces(phrase, EXAMPLES),
    ];
    expect(pieces.filter((piece) => texts.includes(piece))).not.toEqual([]);
  });

  const rows = quoted.flatMap((phrase) => fixedPieces(phrase, EXAMPLES));

  test.each(obstacles())('has a row for what blocks groups: %s', (text) => {
    expect(rows.filter((row) => text.includes(row))).not.toEqual([]);
  });
});

/** Stands for a group that is left out before anything is decided, so this reason never shows. */
const UNTOLD = 'its tag has the group left out';

/** The files with all these texts. */
const FILES = ['look/obstacles', 'core/launch-spec/image-fit', 'core/preflight/tags'];

/** The reasons groups are blocked for, where the source has one in a single place; without the advice. */
function obstacles(): string[] {
  const literal = '(?:`([^`]+)`|\'([^\']+)\'|"([^"]+)")';
  const inFiles = FILES.flatMap((file) => [
    ...read(`lambda/${file}.ts`).matchAll(new RegExp(`(?:return|\\?|\\()\\s*${literal}`, 'g')),
  ]);
  const before = "(?:obstacle:|text =|kind: 'blocked',\\s+reason:)";
  return [...source.matchAll(new RegExp(`${before}\\s+${literal}`, 'g')), ...inFiles]
    .map(([, template = '', single = '', double = '']) => template || single || double)
    .map((text) => text.replaceAll(/\$\{[^}]*\}/g, '…').split(';')[0] ?? '')
    .filter((text) => fixedPieces(text, /…/).length > 0 && text !== UNTOLD);
}
