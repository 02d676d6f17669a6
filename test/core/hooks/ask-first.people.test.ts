import { describe, expect, test } from 'vitest';
import { ago } from '../builders.ts';
import { batch, noteOf, OF_THREE } from './people.ts';

const FUNCTION = 'arn:aws:lambda:eu-west-1:123456789012:function:next';
const ASKS = { kind: 'act', reason: { code: 'hook-asked' } };
const ASKED = { group: 'web-ecs', question: OF_THREE };
const AWAITS = { kind: 'wait', reason: { code: 'approval-awaited', ...ASKED, until: ago(-3300) } };
const BEGINS = { kind: 'act', reason: { code: 'members-detached' } };
const REFUSED = { kind: 'blocked', reason: { code: 'hook-refuses' } };

describe('people who are asked before a batch', () => {
  test('are asked once', () => {
    expect(batch()).toMatchObject(ASKS);
    expect(batch(noteOf('asked'))).toMatchObject(AWAITS);
  });

  test('are asked again a minute later if the question got lost', () => {
    const lost = { since: ago(30), askedAt: ago(30) };
    expect(batch(noteOf('hold', lost))).toMatchObject({ kind: 'wait', reason: { code: 'hook-holds' } });
    expect(batch(noteOf('hold'))).toMatchObject(ASKS);
  });

  test('are asked about other members anew, but not each moment', () => {
    const other = { key: '00c0ffee' };
    expect(batch(noteOf('asked', other))).toMatchObject(ASKS);
    expect(batch(noteOf('asked', { ...other, askedAt: ago(20) }))).toMatchObject({ kind: 'wait' });
  });

  test('let it begin, and have as long for that to be used as they had to answer', () => {
    expect(batch(noteOf('go', { askedAt: ago(3500) }))).toMatchObject(BEGINS);
    expect(batch(noteOf('go', { askedAt: ago(3700) }))).toMatchObject(ASKS);
    expect(batch(noteOf('go', { askedAt: ago(3500) }), { hookTimeoutMinutes: 5 })).toMatchObject(ASKS);
  });

  test('let nothing begin by what they said of other members', () => {
    expect(batch(noteOf('go', { key: '00c0ffee' }))).toMatchObject(ASKS);
  });

  test('who refuse stop it', () => {
    expect(batch(noteOf('refuse'))).toMatchObject(REFUSED);
  });

  test('who say nothing for too long refuse, and need not be asked once more for that', () => {
    const late = batch(noteOf('asked'), { hookTimeoutMinutes: 5 });
    expect(late).toMatchObject({ ...REFUSED, reason: { unanswered: ASKED, afterMinutes: 5 } });
  });

  test('are forgotten where a function is asked instead', () => {
    expect(batch(noteOf('asked'), { beforeBatch: FUNCTION })).toMatchObject(ASKS);
    const asked = { since: ago(30), askedAt: ago(30) };
    expect(batch(noteOf('asked', asked), { beforeBatch: FUNCTION })).toMatchObject({
      reason: { code: 'hook-holds' },
    });
  });
});
