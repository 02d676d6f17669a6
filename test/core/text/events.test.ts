import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatNotification, cut, describeEvent, type Untold } from '../../../lambda/core/text/events.ts';

const EVENT: Untold = {
  version: '1',
  id: 'web/web_a/blocked',
  kind: 'blocked',
  at: '2026-11-23T05:00:00.000Z',
  cluster: 'web',
  group: 'web_a',
  images: { from: [], to: [] },
  code: 'paused',
  reason: 'paused since 2026-11-23T05:00:00.000Z; al2023-ami-ecs-hvm-2023.0.20261014-x86_64 waits.',
  counts: { outdated: 1, detached: 0, replaced: 1, total: 2 },
  instances: [],
  instancesLeftOut: 0,
};

test('a rollback, whose images are those that the roll came from, is not from an image onto itself', () => {
  const images = { from: ['ami-1', 'ami-2'], to: ['ami-1'] };
  expect(describeEvent({ ...EVENT, kind: 'rolling-back', images })).toContain(
    'rolling back, from ami-2 to ami-1',
  );
  const alone = { from: ['ami-1'], to: ['ami-1'] };
  expect(describeEvent({ ...EVENT, kind: 'rolled-back', images: alone })).toContain('rolled back, to ami-1');
});

/** What a chat shows of an event, without the emoji that is ours. */
function shown(changes: Partial<Untold>) {
  const { content, metadata } = chatNotification({ ...EVENT, ...changes });
  const own = /^:warning: /;
  expect(content.title).toMatch(own);
  expect(metadata.summary).toBe(content.title);
  return { title: content.title.replace(own, ''), description: content.description };
}

describe('in a chat', () => {
  test('names, times and versions stay as they are', () => {
    expect(shown({})).toEqual({
      title: 'Roll blocked: web/web_a',
      description: `web/web_a: roll blocked, ${EVENT.reason}`,
    });
  });

  test.each([
    ['https://evil.example/x', 'https: //evil. example/x'],
    ['www.evil.example', 'www. evil. example'],
    ['http://10.0.0.1/', 'http: //10. 0.0.1/'],
    ['mail a@b.example', 'mail a b. example'],
    ['_slanted_ __bold__', 'slanted bold'],
    [':tada::100:', ': tada: : 100:'],
    ['<!here> <@U1> #general &lt;', '!here U1 general lt;'],
    ['[a](b) ~c~ `d` *e* |f|', 'a (b) c d e f'],
    ['x\n# big\r\n> said\u2028- one', 'x big said - one'],
    ['a\u202Eb\u200Bc\u001B[1m', 'a b c 1m'],
  ])('%j becomes %j', (reason, plain) => {
    expect(shown({ reason }).description).toBe(`web/web_a: roll blocked, ${plain}`);
  });

  test('whatever a name, a reason or a tag holds is neither link nor mention, formatting nor a line', () => {
    const nasty = fc.constantFrom(
      ...[
        ...'_*~`:.@#<>[]()&|\\/!-+ \n\r\t0a',
        'https://',
        'www.',
        'evil.example',
        '。',
        '．',
        '\u2029',
        '\u200D',
      ],
    );
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: nasty, minLength: 1 }));
    fc.assert(
      fc.property(text, text, (group, reason) => {
        for (const each of Object.values(shown({ group, reason }))) {
          expect(each).not.toMatch(/[\p{C}\p{Zl}\p{Zp}<>&@#*`~|\\[\]]/u);
          expect(each.replaceAll(/(?<!\d)\d\d(:\d\d)+(?!\d)/g, '')).not.toMatch(/:\S/);
          expect(each).not.toMatch(/[.。．｡․][^\s\d\p{P}]|\d\.\d+\.\d+\.\d/u);
          expect(each).not.toMatch(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u);
          expect(each).not.toMatch(/ {2}|^ | $/);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('a text is cut between characters', () => {
  expect([cut('abc', 3), cut('abcd', 3), cut('a🚢b', 3)]).toEqual(['abc', 'ab…', 'a…']);
});
