import { expect, test } from 'vitest';
import * as z from 'zod';
import type { PastRoll } from '../../lambda/history/past-rolls.ts';
import type { GroupStatus } from '../../lambda/status/images.ts';
import { widgetOf } from '../../lambda/widget/widget.ts';

const ORDERS = 'arn:aws:lambda:eu-west-1:111122223333:function:orders';

const roll = (group: string, startedAt: string, rest: Partial<PastRoll> = {}): PastRoll => ({
  cluster: 'web',
  group,
  startedAt,
  from: ['ami-1'],
  to: ['ami-2'],
  replaced: 1,
  total: 2,
  ended: 'begun',
  events: [{ at: startedAt, kind: 'begun', text: `${group} begins` }],
  ...rest,
});

const shown = (...rolls: readonly PastRoll[]) =>
  widgetOf({ now: [], rolls, theme: 'light', ordersArn: ORDERS });

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
  widgetOf({ now, rolls, theme: 'light', ordersArn: ORDERS });

const ACTION = z.object({
  action: z.string(),
  clusters: z.array(z.string()),
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
    roll('a', '2026-11-23T05:00:00Z', { endedAt: '2026-11-23T06:00:00Z', ended: 'completed' }),
    roll('b', '2026-11-21T05:00:00Z'),
  );
  expect([...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)).toEqual([
    'web',
    'web / b',
    'web / a',
  ]);
  expect(text).toContain('2026-11-23T05:00:00Z');
  expect(text).not.toContain('2026-11-22T05:00:00Z');
});

test('without a roll there is nothing to order', () => {
  expect(shown()).toContain('No roll has been told of within this time.');
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
    [status('web-a', { services }), status('web-b', { state: 'up-to-date', reason: 'nothing to do' })],
    roll('web-a', '2026-11-23T05:00:00Z'),
  );
  expect(text).toContain('in-progress, 1 of 3 outdated');
  expect(text).toContain('1 instance on ami-1 (al2023, 40 days old, 2 releases behind)');
  expect(text).toContain('api runs 3 of 4 tasks (at least 2); 11 have theirs');
  expect(text).toContain('<p class="waits">Waits: waits until i-1 is drained</p>');
  expect(text).toMatch(/<h3>web-b<\/h3>\s*<dl><dt>State<\/dt><dd>up-to-date/);
});

test('a roll that is over waits for nothing', () => {
  const over = roll('web-a', '2026-11-23T05:00:00Z', { endedAt: '2026-11-23T06:00:00Z' });
  expect(standing([status('web-a')], over)).not.toContain('class="waits"');
});

test('a question has its levers, for this question alone', () => {
  const actions = actionsIn(standing([status('web-a', { question: '00c0ffee' }), status('web-b')]));
  expect(actions.map(({ event }) => event).filter(({ question }) => question !== undefined)).toEqual(
    ['approve', 'refuse'].map((action) => ({ action, clusters: ['web'], question: '00c0ffee' })),
  );
});

test('what keeps it from looking is told, and the history is still drawn', () => {
  const text = standing("AWS <didn't> tell", roll('web-a', '2026-11-23T05:00:00Z'));
  expect(text).toContain('AWS &lt;didn&#39;t&gt; tell');
  expect(text).toContain('<h2>web / web-a</h2>');
  expect(actionsIn(text)).toHaveLength(5);
});

test('a history that is too long to be read is told of', () => {
  const missingBefore = new Date('2026-11-20T05:00:00Z');
  const more = { now: [], rolls: [], theme: 'light', ordersArn: ORDERS, missingBefore } as const;
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
