import { expect, test } from 'vitest';
import { GROUP_TAGS, type Tags } from '../../lambda/contract.ts';
import { ownWrites } from '../../lambda/look/own-writes.ts';

const AT = new Date('2026-11-21T12:00:00Z');
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000);

/** Writes of an invocation that has seen a group with one tag, and then wrote another value of it. */
function writtenOver(value: string | undefined) {
  const writes = ownWrites();
  writes.isStale(groupWith('before'), AT);
  writes.note('web', { held: value }, AT);
  return writes;
}

const groupWith = (held?: string): { name: string; tags: Tags } => ({
  name: 'web',
  tags: held === undefined ? {} : { held },
});

test('a look from before an own write is not to be decided by', () => {
  const writes = writtenOver('after');
  expect(writes.isStale(groupWith('before'), after(10))).toBe(true);
  expect(writes.isStale(groupWith('after'), after(20))).toBe(false);
});

test('nor is one from before a tag was taken away', () => {
  const writes = writtenOver(undefined);
  expect(writes.isStale(groupWith('before'), after(10))).toBe(true);
  expect(writes.isStale(groupWith(), after(20))).toBe(false);
});

test('nor is one of the roll before, though a look has shown since that it is over', () => {
  const rollOf = (startedAt?: Date): ReturnType<typeof groupWith> => ({
    name: 'web',
    tags: startedAt === undefined ? {} : { [GROUP_TAGS.startedAt]: startedAt.toISOString() },
  });
  const writes = ownWrites();
  writes.isStale(rollOf(), AT);
  writes.note('web', rollOf(AT).tags, AT);
  expect(writes.isStale(rollOf(after(-600)), after(1))).toBe(true);
  expect(writes.isStale(rollOf(after(1)), after(2))).toBe(false);
});

test('what somebody else has written since stays', () => {
  expect(writtenOver('after').isStale(groupWith('of somebody else'), after(10))).toBe(false);
});

test('once the write was seen, a read may still be from before it; later an old value is one that somebody has set back', () => {
  const writes = writtenOver('after');
  expect(writes.isStale(groupWith('after'), after(10))).toBe(false);
  expect(writes.isStale(groupWith('before'), after(20))).toBe(true);
  expect(writes.isStale(groupWith('before'), after(61))).toBe(false);
});

test('a value that was there for a moment between two writes is an old one, whatever was seen since', () => {
  const writes = writtenOver('between');
  writes.note('web', { held: 'before' }, after(1));
  expect(writes.isStale(groupWith('before'), after(2))).toBe(false);
  expect(writes.isStale(groupWith('between'), after(3))).toBe(true);
});

test('a write that changes nothing makes no look stale, nor does that of another group', () => {
  expect(writtenOver('before').isStale(groupWith('before'), after(1))).toBe(false);
  expect(writtenOver('after').isStale({ name: 'web2', tags: { held: 'before' } }, after(1))).toBe(false);
});

test('of several writes it is the state before the first that tells', () => {
  const writes = writtenOver('after');
  writes.note('web', { held: 'at last' }, after(1));
  expect(writes.isStale(groupWith('after'), after(2))).toBe(true);
  expect(writes.isStale(groupWith('before'), after(2))).toBe(true);
  expect(writes.isStale(groupWith('at last'), after(3))).toBe(false);
});
