import { expect, test } from 'vitest';
import { readReply } from '../../../lambda/core/hooks/reply.ts';

test.each([
  ['{"answer":"go"}', { answer: 'go' }],
  ['{"answer":"hold","reason":"deploying"}', { answer: 'hold', says: 'deploying' }],
  ['{"answer":"refuse","reason":" ","more":1}', { answer: 'refuse' }],
  ['{"answer":"go","reason":5}', { answer: 'go' }],
])('%s is an answer', (text, reply) => {
  expect(readReply(text)).toEqual(reply);
});

test.each(['', 'null', 'true', '"go"', '["go"]', '{}', '{"answer":"GO"}', '{"answer":true}', '{"answer":'])(
  '%s lets no roll pass',
  (text) => {
    expect(readReply(text)).toEqual({ answer: 'hold', says: 'it answered neither go nor hold nor refuse' });
  },
);

test('of a reason of megabytes its beginning is kept', () => {
  const reason = `${'x'.repeat(499)} and so on`.repeat(1000);
  expect(readReply(JSON.stringify({ answer: 'hold', reason }))).toEqual({
    answer: 'hold',
    says: 'x'.repeat(499),
  });
});
