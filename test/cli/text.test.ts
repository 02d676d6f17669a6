import * as fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { escaped, indented, json, legible, oneLine } from '../../cli/text.ts';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const { red, dim, bold } = picocolors.createColors(true);
const HARMLESS = new RegExp(`\n|\t|${'\u001b'}\\[(?:1|2|22|3[1236]|39|39;22)m`, 'g');
const CLIPBOARD = '\u001b]52;c;cm0gLXJm\u0007';

/** Letters among what moves a cursor, sets a clipboard or turns the direction. */
const TEXTS = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u0007',
      '\r',
      '\n',
      '\t',
      '[',
      ']',
      '3',
      '1',
      'm',
      '\u202e',
      '\u2066',
      '\u061c',
      '\u2028',
      '\u2029',
      '\u0085',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('on a terminal', () => {
  it.each([
    [CLIPBOARD, '�]52;c;cm0gLXJm�'],
    ['a\rb', 'a�b'],
    ['a\r\nb\tc', 'a\nb\tc'],
    ['\u009b31mred', '�31mred'],
    ['\u001b[8mhidden\u001b[2J', '�[8mhidden�[2J'],
    ['gpj.\u202eexe', 'gpj.�exe'],
    ['Größe 🚢 …', 'Größe 🚢 …'],
  ])('%j is shown as %j', (text, shown) => {
    expect(legible(text, { color: false })).toBe(shown);
    expect(legible(text, { color: true })).toBe(shown);
  });

  it('colors of ours stay, and end with the text', () => {
    const text = `${bold('a')} ${red(CLIPBOARD)} ${dim('b')}`;
    const shown = `${bold('a')} ${red('�]52;c;cm0gLXJm�')} ${dim('b')}`;
    expect(legible(text, { color: true })).toBe(`${shown}\u001b[39;22m`);
    expect(legible('\u001b[31mred', { color: true })).toBe('\u001b[31mred\u001b[39;22m');
    expect(legible(red('a'), { color: false })).toBe('�a�');
  });

  it('no text moves the cursor, sets anything or turns the direction', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(legible(text, { color: false }).replaceAll(/[\n\t]/g, '')).not.toMatch(CONTROL);
        const painted = legible(`${text}${red(text)}`, { color: true });
        expect(painted.replaceAll(HARMLESS, '')).not.toMatch(CONTROL);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the lines of a text', () => {
  const FORGED = 'web\n2026-11-23T02:05:55Z  web/web-ecs: completed';

  it('are one, where it stands in a line of ours', () => {
    expect(oneLine(FORGED)).toBe('web 2026-11-23T02:05:55Z  web/web-ecs: completed');
    for (const end of ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '\t'])
      expect(oneLine(`a${end}b`)).toMatch(/^a {1,2}b$/);
    fc.assert(fc.property(TEXTS, (text) => oneLine(text).length === text.length));
  });

  it('after the first never begin where a line of ours does', () => {
    expect(indented(FORGED)).toBe('web\n  2026-11-23T02:05:55Z  web/web-ecs: completed');
    fc.assert(
      fc.property(TEXTS, (text) => {
        const [, ...further] = indented(`a${text}`).split(/[\p{Zl}\p{Zp}\n-\r\u0085]/u);
        expect(further.every((line) => line.startsWith('  '))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('in JSON', () => {
  it('says the same to a program, and nothing to a terminal', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ group: TEXTS })), (groups) => {
        const text = json(groups);
        expect(JSON.parse(text)).toEqual(groups);
        expect(text.replaceAll('\n', '')).not.toMatch(CONTROL);
      }),
      { numRuns: 500 },
    );
  });

  it('a line of somebody else is escaped as well', () => {
    expect(escaped('{"a":"\u202e\u009b"}')).toBe('{"a":"\\u202e\\u009b"}');
    expect(escaped(CLIPBOARD)).toBe('\\u001b]52;c;cm0gLXJm\\u0007');
  });
});
