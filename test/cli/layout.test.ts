import { describe, expect, it } from 'vitest';
import { hanging, table } from '../../cli/layout.ts';
import { processorTime } from '../processor-time.ts';

const page = (columns?: number) => ({ color: false, columns });
const NAME = 'al2023-ami-ecs-hvm-2023.0.20261014-kernel-6.1-x86_64';
const GROUPS = { drops: 'NAME', cuts: ['IMAGE'] };
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('a table', () => {
  const rows = [['platform-ecs-autoscaling-group-eu-central-1a', 'ami-00000000000000001', NAME, '40 d']];
  const head = ['GROUP', 'IMAGE', 'NAME', 'AGE'];

  it('is as wide as it is in a pipe, and where there is room', () => {
    const whole = table(page(), head, rows, GROUPS);
    expect(whole.split('\n')[1]).toBe(rows[0]?.join('  '));
    expect(table(page(widest(whole)), head, rows, GROUPS)).toBe(whole);
  });

  it('cuts names of images at their end as long as their date is seen', () => {
    const cut = table(page(115), head, rows, GROUPS);
    expect(cut).toContain(`${NAME.slice(0, 39)}…  40 d`);
    expect(widest(cut)).toBeLessThanOrEqual(115);
  });

  it('leaves them out where it is not, and cuts ids in the middle, but never a name', () => {
    expect(table(page(80), head, rows, GROUPS).split('\n')).toEqual([
      'GROUP                                         IMAGE                  AGE',
      'platform-ecs-autoscaling-group-eu-central-1a  ami-00000000000000001  40 d',
    ]);
    const narrow = table(page(40), head, rows, GROUPS);
    expect(narrow).toContain('platform-ecs-autoscaling-group-eu-central-1a  ami-0…0001  40 d');
  });

  it('has a line for each row, whatever lines a name has', () => {
    const forged = 'web-ecs\nweb/jobs  completed';
    for (const columns of [undefined, 200])
      expect(table(page(columns), ['GROUP', 'WHY'], [[forged, forged]]).split('\n')).toHaveLength(2);
  });

  it('wraps reasons in their column', () => {
    const why = 'tasks of service web stop by themselves on i-00000000000000007: exit code 1';
    const wrapped = table(page(50), ['GROUP', 'WHY'], [['web-ecs', why]], { wraps: 'WHY' });
    expect(wrapped.split('\n')).toEqual([
      'GROUP    WHY',
      'web-ecs  tasks of service web stop by themselves',
      '         on i-00000000000000007: exit code 1',
    ]);
  });

  it('wraps long ones in no time: they may be in the words of somebody else', () => {
    const rows = Array.from({ length: 10 }, (_, index) => [`web-${index}`, 'tasks stop '.repeat(100)]);
    const elapsed = processorTime();
    const wrapped = table(page(50), ['GROUP', 'WHY'], rows, { wraps: 'WHY' });
    expect(elapsed()).toBeLessThan(5000);
    expect(wrapped.split('\n').length).toBeGreaterThan(200);
  });

  it('takes no room for colors', () => {
    const plain = table({ color: false, columns: 80 }, head, rows, GROUPS);
    const colored = table({ color: true, columns: 80 }, head, [...rows.map((row) => [...row])], GROUPS);
    expect(colored.split('\n')[1]).toBe(plain.split('\n')[1]);
  });
});

describe('a text with a lead', () => {
  const text = 'its instances may not be detached, as the group is at its maximum size';

  it('goes on where it began', () => {
    expect(hanging(page(40), '   4  ', text).split('\n')).toEqual([
      '   4  its instances may not be detached,',
      '      as the group is at its maximum',
      '      size',
    ]);
  });

  it('has its lead painted, and is left as it is in a pipe', () => {
    const paint = (lead: string) => `<${lead}>`;
    expect(hanging(page(), 'warning: ', text, { paint })).toBe(`<warning: >${text}`);
    expect(hanging(page(50), 'warning: ', text, { indent: 2, paint }).split('\n')).toEqual([
      '<warning: >its instances may not be detached, as the',
      '  group is at its maximum size',
    ]);
  });

  it('breaks a word that is wider than the terminal', () => {
    expect(widest(hanging(page(20), '  ', 'x'.repeat(70)))).toBe(20);
    expect(hanging(page(4), '  ', 'xyz', { indent: 4 })).toBe('  xy\n    z');
  });
});
