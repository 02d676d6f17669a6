import { expect, test } from 'vitest';
import * as z from 'zod';
import type { PastRoll } from '../../lambda/history/past-rolls.ts';
import { widgetOf } from '../../lambda/history/widget.ts';

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

const shown = (...rolls: readonly PastRoll[]) => widgetOf({ rolls, theme: 'light', ordersArn: ORDERS });

const ACTION = z.object({ action: z.string(), clusters: z.array(z.string()) });

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
    ['pause', 'resume', 'rollback', 'abort'].map((action) => ({ action, clusters: ['web'] })),
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
  expect([...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)).toEqual(['web / b', 'web / a']);
  expect(text).toContain('2026-11-23T05:00:00Z');
  expect(text).not.toContain('2026-11-22T05:00:00Z');
});

test('without a roll there is nothing to order', () => {
  expect(shown()).toContain('No roll has been told of in this time.');
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
  expect(actionsIn(text).map(({ event }) => event.clusters)).toEqual(Array(4).fill([evil]));
});
