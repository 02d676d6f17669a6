import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOLD_UPS } from '../../lambda/core/reasons/hold-ups.ts';
import { OBSTACLES } from '../../lambda/core/reasons/obstacles.ts';

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
const rows = [...ofRolls.matchAll(/^\| (?<codes>[`(].*?) \| (?<says>.*?) \| /gm)].map(({ groups }) => groups);
const quoted = rows
  .flatMap((row) => [...(row?.says ?? '').matchAll(/`([^`]+)`/g)])
  .map(([, phrase = '']) => phrase);

/** What may be told of a warning has no code. */
const listed = rows
  .filter((row) => row?.codes !== '(a warning)')
  .flatMap((row) => [...(row?.codes ?? '').matchAll(/`([^`]+)`/g)])
  .map(([, code = '']) => code);

/** Example names, numbers and states, and the places where sentences are joined. */
const EXAMPLES =
  /(?:i|ami|snap)-…|…|ecs-ami-deploy[-:]\w*|\/dev\/\w+|\b(?:api|arm64|x86_64|t3\.large|family:job|vcpu|InService|REGISTERING|REGISTRATION_FAILED|\w+ing:\w+|tasks?|a and b)\b|\d+(?:\/\d+)?|[:;,()]/;

/** A group that its tag leaves out is left alone before its obstacle would be told. */
const UNTOLD = 'group-left-out';

/** Of all that blocks a group or is waited for. */
const CODES = [
  ...Object.keys(HOLD_UPS),
  ...Object.keys(OBSTACLES),
  'several',
  'nothing-to-go-back-to',
].filter((code) => code !== UNTOLD);

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

  test.each(CODES)('has a row for what blocks a group, or is waited for: %s', (code) => {
    expect(listed).toContain(code);
  });

  test('has no row for a code that there is not', () => {
    const known = [...CODES, 'paused'];
    expect(listed.filter((code) => !known.includes(code))).toEqual([]);
  });
});
