import { CreateTagsCommand, DescribeInstancesCommand, DescribeTagsCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { AwsError, on } from '../account/operation.ts';
import { virtualClock } from '../clock/clock.ts';
import { type Lag, lagging } from './lag.ts';

const SECONDS = 20;

/** A world of one value: `write` sets it, `read` answers it and is refused while it is `gone`. */
function laggingValue(lag: Partial<Lag> = {}) {
  const clock = virtualClock(0);
  let value = 'old';
  const ask = () => {
    if (value === 'gone') throw new AwsError('NotFound', 'it is gone');
    return { NextToken: value };
  };
  const operations = lagging(
    clock,
    [
      on(CreateTagsCommand, 'all', ({ Resources: [id = ''] = [] }) => {
        value = id;
        return {};
      }),
      on(DescribeInstancesCommand, 'all', ask),
      on(DescribeTagsCommand, 'all', ask),
    ],
    { seconds: SECONDS, share: 1, seed: 1, ...lag },
  );
  const call = (index: number, input: object) => operations[index]?.handle(input) as { NextToken: string };
  const read = (index = 1, input = {}) => call(index, input).NextToken;
  return {
    clock,
    write: (to: string) => call(0, { Resources: [to] }),
    read,
    /** What reads answer that come every tenth of a second, so many of them. */
    reads: (count: number) =>
      Array.from({ length: count }, () => {
        clock.advance(0.1);
        return read();
      }),
  };
}

describe('reads that lag', () => {
  it('answer now as before a write and now as after it, and after the lag as it is', () => {
    const { read, write, reads } = laggingValue();
    expect(read()).toBe('old');
    write('new');
    const answers = reads(SECONDS * 10);
    expect(new Set(answers)).toEqual(new Set(['old', 'new']));
    expect(new Set(reads(100))).toEqual(new Set(['new']));
  });

  it('are behind by several writes at most as long', () => {
    const { read, write, reads } = laggingValue();
    read();
    write('second');
    reads(50);
    write('third');
    expect(new Set(reads(30))).toEqual(new Set(['old', 'second', 'third']));
    reads(SECONDS * 10);
    expect(new Set(reads(100))).toEqual(new Set(['third']));
  });

  it('of EC2 may last longer than of others', () => {
    const { read, write, clock } = laggingValue({ secondsOfEc2: 10 * SECONDS });
    read();
    write('new');
    clock.advance(2 * SECONDS);
    expect(new Set(Array.from({ length: 30 }, () => read()))).toEqual(new Set(['old', 'new']));
    clock.advance(10 * SECONDS);
    expect(new Set(Array.from({ length: 30 }, () => read()))).toEqual(new Set(['new']));
  });

  it('are refused again as they were, and answered though it is gone', () => {
    const { read, write, clock } = laggingValue();
    write('gone');
    expect(() => read()).toThrow('it is gone');
    write('back');
    const answers = Array.from({ length: 60 }, () => {
      clock.advance(0.1);
      try {
        return read();
      } catch (error) {
        return String(error);
      }
    });
    expect(new Set(answers)).toEqual(new Set(['AwsError: it is gone', 'back']));
  });

  it('are those that were asked before: a new question is answered as things are', () => {
    const { read, write } = laggingValue();
    read();
    write('new');
    expect(read(2)).toBe('new');
    expect(read(1, { InstanceIds: ['i-1'] })).toBe('new');
  });

  it('are as many as the share says, and the same for the same seed', () => {
    const behind = (lag: Partial<Lag>) => {
      const { read, write } = laggingValue(lag);
      read();
      return Array.from({ length: 200 }, (_, index) => {
        write(String(index));
        return read() !== String(index);
      });
    };
    expect(behind({ share: 0 })).not.toContain(true);
    const some = behind({ share: 0.02, seconds: 1e-9 });
    expect(some).toEqual(behind({ share: 0.02, seconds: 1e-9 }));
    expect(behind({ share: 0.02 })).toContain(true);
  });
});
