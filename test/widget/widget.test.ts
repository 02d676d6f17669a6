import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { PastRoll } from '../../lambda/history/past-rolls.ts';
import type { GroupStatus } from '../../lambda/status/images.ts';
import { widgetOf } from '../../lambda/widget/widget.ts';

const LOOKED = new Date('2026-11-23T05:30:00Z');
const ORDERS = 'arn:aws:lambda:eu-west-1:111122223333:function:orders';

const roll = (group: string, startedAt: string, rest: Partial<PastRoll> = {}): PastRoll => ({
  cluster: 'web',
  group,
  startedAt,
  from: ['ami-1'],
  to: ['ami-2'],
  replaced: 1,
  total: 2,
  last: 'begun',
  events: [{ at: startedAt, kind: 'begun', text: `${group} begins` }],
  ...rest,
});

const shown = (...rolls: readonly PastRoll[]) =>
  widgetOf({ now: [], at: LOOKED, rolls, terminations: [], theme: 'light', ordersArn: ORDERS });

const status = (group: string, rest: Partial<GroupStatus> = {}): GroupStatus => ({
  cluster: 'web',
  group,
  state: 'in-progress',
  imageId: 'ami-2',
  instances: { drifted: 1, detached: 1, replaced: 2, total: 3 },
  running: [{ imageId: 'ami-1', instances: 1, name: 'al2023', ageDays: 40, releasesBehind: 2 }],
  targets: [],
  outdated: [],
  code: 'draining',
  reason: 'waits until i-1 is drained',
  ...rest,
});
const standing = (now: readonly GroupStatus[] | string, ...rolls: readonly PastRoll[]) =>
  widgetOf({ now, at: LOOKED, rolls, terminations: [], theme: 'light', ordersArn: ORDERS });

const IDLE = { drifted: 0, detached: 0, replaced: 0, total: 3 };

/** Lambda answers with no more. */
const MOST_ANSWERED = 6 * 1024 * 1024;

test('stays within what Lambda answers, whatever clusters the events name, and keeps the levers of its own', () => {
  const rolls = Array.from({ length: 40 }, (_, index) => ({
    ...roll(`g-${index}`, '2026-11-23T05:00:00Z'),
    cluster: `${index}`.padEnd(200_000, 'x'),
  }));
  const text = standing([status('web-ecs')], ...rolls);
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(MOST_ANSWERED);
  expect(text).toContain('<h2>web</h2>');
  expect(text).toContain('web: ');
});

const ACTION = z.object({
  action: z.string(),
  clusters: z.array(z.string()),
  group: z.optional(z.string()),
  question: z.optional(z.string()),
});

const decoded = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The actions that CloudWatch makes of the widget: what is called with what, after which question. */
const actionsIn = (text: string) =>
  [...text.matchAll(/<cwdb-action ([^>]*)>([^<]*)<\/cwdb-action>/g)].map(
    ([, attributes = '', body = '']) => ({
      ...Object.fromEntries(
        [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
      ),
      event: ACTION.parse(JSON.parse(decoded(body))),
    }),
  );

test('each cluster has its levers, which the function for orders takes, after a question', () => {
  const actions = actionsIn(shown(roll('a', '2026-11-23T05:00:00Z'), roll('b', '2026-11-23T04:00:00Z')));
  expect(actions.map(({ event }) => event)).toEqual(
    ['pause', 'resume', 'skip', 'rollback', 'abort'].map((action) => ({ action, clusters: ['web'] })),
  );
  for (const action of actions)
    expect(action).toMatchObject({
      action: 'call',
      endpoint: ORDERS,
      display: 'popup',
      confirmation: expect.stringMatching(/^web: .+\?/),
    });
});

test('a group is shown once, by its latest roll; what hasn’t ended comes first', () => {
  const text = shown(
    roll('a', '2026-11-22T05:00:00Z', { endedAt: '2026-11-22T06:00:00Z' }),
    roll('a', '2026-11-23T05:00:00Z', {
      endedAt: '2026-11-23T06:00:00Z',
      ended: 'completed',
      last: 'completed',
    }),
    roll('b', '2026-11-21T05:00:00Z'),
  );
  expect([...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)).toEqual([
    'web',
    'web / b',
    'web / a',
  ]);
  expect(text).toContain('2026-11-23 05:00 UTC');
  expect(text).not.toContain('2026-11-22 05:00Z');
});

test('without a roll there is nothing to order', () => {
  expect(shown()).toContain('The history has no roll in this time.');
  expect(actionsIn(shown())).toEqual([]);
});

test('after the removals that CloudWatch documents, all of it is still there', () => {
  const text = shown(roll('a', '2026-11-23T05:00:00Z'));
  const cleaned = text
    .replaceAll(/<(script|iframe|use)\b[^>]*>/gi, '')
    .replaceAll(/ on\w+="[^"]*"/gi, '')
    .replaceAll(/javascript:/gi, '');
  expect(cleaned).toBe(text);
});

test('a name brings neither markup nor an order of its own in', () => {
  const evil = `x"></cwdb-action><cwdb-action action="call" endpoint="evil">{}</cwdb-action><script>`;
  const text = shown(roll(evil, '2026-11-23T05:00:00Z', { cluster: evil }));
  expect(text).not.toMatch(/<script|endpoint="evil"/);
  expect(actionsIn(text).map(({ event }) => event.clusters)).toEqual(Array(5).fill([evil]));
});

test('each group is shown as it stands, also one that had no roll', () => {
  const services = {
    total: 12,
    short: [{ name: 'api', running: 3, desired: 4, least: 2 }],
    shortLeftOut: 0,
  };
  const text = standing(
    [
      status('web-a', { services }),
      status('web-b', { state: 'up-to-date', reason: 'nothing to do', instances: IDLE }),
    ],
    roll('web-a', '2026-11-23T05:00:00Z'),
  );
  expect(text).toContain('in-progress, 2 of 4 replaced, 2 still to drain');
  const leaving = '1 old instance, detached or about to be, keep their tasks until they are drained';
  expect(text.split('<dt>Leaving</dt>')).toHaveLength(2);
  expect(text).toContain(`<dt>Leaving</dt><dd>${leaving}</dd>`);
  expect(text).toContain('1 instance on ami-1 (al2023, 40 days old, 2 releases behind)');
  expect(text).toContain('api runs 3 of 4 tasks (at least 2); 11 have theirs');
  expect(text).toContain('<p class="waits">Now: waits until i-1 is drained</p>');
  expect(text).toContain('<dd>30 min so far</dd>');
  expect(text).toMatch(/<h3>web-b<\/h3>\s*<dl><dt>State<\/dt><dd>up-to-date/);
});

test('a roll that goes back or stops halfway says so, and why', () => {
  const text = standing([status('web-a', { course: 'abort', because: 'somebody asked for it' })]);
  expect(text).toContain('<dt>Course</dt><dd>abort, because somebody asked for it</dd>');
});

test('a roll that is over waits for nothing', () => {
  const over = roll('web-a', '2026-11-23T05:00:00Z', { endedAt: '2026-11-23T06:00:00Z' });
  expect(standing([status('web-a')], over)).not.toContain('class="waits"');
});

test('a question has its levers, for this question of this group alone', () => {
  const actions = actionsIn(standing([status('web-a', { question: '00c0ffee' }), status('web-b')]));
  expect(actions.map(({ event }) => event).filter(({ question }) => question !== undefined)).toEqual(
    ['approve', 'refuse'].map((action) => ({
      action,
      clusters: ['web'],
      group: 'web-a',
      question: '00c0ffee',
    })),
  );
});

test('what keeps it from looking is told, and the history is still drawn', () => {
  const text = standing("AWS <didn't> tell", roll('web-a', '2026-11-23T05:00:00Z'));
  expect(text).toContain('AWS &lt;didn&#39;t&gt; tell');
  expect(text).toContain('<h2>web / web-a</h2>');
  expect(actionsIn(text)).toHaveLength(5);
});

describe("of more than Lambda's 6 MB", () => {
  /** What Lambda hands over: the text as JSON. */
  const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text));
  /** In HTML and JSON each of these signs takes more than one byte. */
  const long = '"<\u20ac\\'.repeat(50_000);
  const rolls = Array.from({ length: 30 }, (_, index) => {
    const startedAt = `2026-11-${String(index + 1).padStart(2, '0')}T05:00:00Z`;
    const ending = index === 0 ? {} : { endedAt: startedAt, ended: 'completed', last: 'completed' };
    return roll(`g${index}`, startedAt, {
      ...ending,
      events: [{ at: startedAt, kind: 'begun', text: long }],
    });
  });

  test('the oldest rolls are left out, and it says how many and where they are', () => {
    const text = shown(...rolls);
    expect(bytesOf(text)).toBeLessThan(4_500_000);
    const drawn = [...text.matchAll(/<h2>web \/ (\w+)<\/h2>/g)].map(([, group]) => group);
    expect(drawn.slice(0, 3)).toEqual(['g0', 'g29', 'g28']);
    expect(drawn.length).toBeLessThan(29);
    expect(text).toContain(`${30 - drawn.length} other rolls have no room here`);
    expect(text).toContain('ecs-ami-deploy history --html');
  });

  test('a roll that has room is shown although one before it has none', () => {
    const huge = [{ at: '2026-11-23T05:00:00Z', kind: 'begun', text: long.repeat(10) }];
    const text = shown(
      roll('huge', '2026-11-23T05:00:00Z', { events: huge }),
      roll('a', '2026-11-22T05:00:00Z'),
    );
    expect(text).toContain('<h2>web / a</h2>');
    expect(text).toContain('1 other roll has no room here');
  });

  test('groups are left out, too, and the levers of their cluster stay', () => {
    const groups = Array.from({ length: 30 }, (_, index) => status(`g${index}`, { reason: long }));
    const text = standing(groups, ...rolls);
    expect(bytesOf(text)).toBeLessThan(4_500_000);
    expect(actionsIn(text)).toHaveLength(5);
    expect(text).toMatch(/\d+ other groups have no room here: ecs-ami-deploy status shows them all\./);
    expect(text).toContain('<h2>web / g0</h2>');
  });

  test('what has room is shown whole', () => {
    expect(standing([status('web-a')], ...rolls.slice(0, 2))).not.toContain('no room here');
  });
});

test('a hundred instances in a hundred batches take a part of it', () => {
  const at = (minute: number) => new Date(Date.parse('2026-11-23T05:00:00Z') + minute * 60_000).toISOString();
  const events = Array.from({ length: 100 }, (_, index) => ({
    at: at(index),
    kind: 'batch-done',
    text: `web/a: roll batch done, ${index} of 100 members replaced`,
    instances: (['old', 'new'] as const).map((role) => ({
      instanceId: `i-${role}${index}`,
      role,
      launchedAt: at(index - 1),
      drainStartedAt: at(index - 1),
    })),
  }));
  expect(shown(roll('a', at(0), { events })).length).toBeLessThan(300_000);
});

test('a history that is too long to be read is told of', () => {
  const missingBefore = new Date('2026-11-20T05:00:00Z');
  const more = {
    now: [],
    at: LOOKED,
    rolls: [],
    terminations: [],
    theme: 'light',
    ordersArn: ORDERS,
    missingBefore,
  } as const;
  expect(widgetOf(more)).toContain('what it told before 2026-11-20T05:00:00.000Z is not shown');
  expect(shown()).not.toContain('is not shown');
});

test('what strangers write of a group brings no markup in', () => {
  const evil = '<img src=x onerror=alert(1)>';
  const text = standing([
    status(evil, { reason: evil, warnings: [evil], because: evil, question: '00c0ffee' }),
  ]);
  expect(text).not.toContain('<img');
});

test('events may tell of any number of groups: those that there are come first, and it says how many it leaves out', () => {
  const instances = Array.from({ length: 1000 }, (_, index) => ({
    instanceId: `i-${index}`,
    role: 'new' as const,
    launchedAt: '2026-11-23T05:00:00Z',
  }));
  const forged = Array.from({ length: 5000 }, (_, index) => {
    const at = '2026-11-23T05:00:00Z';
    return roll(`forged-${index}`, at, { events: [{ at, kind: 'begun', text: 'forged', instances }] });
  });
  const real = roll('web-a', '2026-11-22T05:00:00Z', { endedAt: '2026-11-22T06:00:00Z' });
  const began = performance.now();
  const text = standing([status('web-a')], ...forged, real);
  expect(performance.now() - began).toBeLessThan(15_000);
  const drawn = [...text.matchAll(/<h2>web \/ ([^<]*)<\/h2>/g)].map(([, group]) => group);
  expect(drawn[0]).toBe('web-a');
  expect(text).toContain(`${5001 - drawn.length} other rolls have no room here`);
  expect(text).toContain('Rolls and terminations are shown as events on the event bus tell of them.');
});
